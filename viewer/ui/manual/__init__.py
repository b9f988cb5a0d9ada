"""The panel Manual."""
