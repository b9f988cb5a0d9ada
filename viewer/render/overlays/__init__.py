"""Overlays over the model: grid, axes, bones, marks, outlines."""
