"""Dialogs and pop-up windows."""
