"""Rendering: the passes of a frame in draw order, picking, and the capture of posed vertices."""
