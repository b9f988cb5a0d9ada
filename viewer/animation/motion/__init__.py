"""Judges the motion of a clip."""
