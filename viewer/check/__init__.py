"""Checks: pure functions that find what is wrong with a document."""
