"""The passes of a frame."""
