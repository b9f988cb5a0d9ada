"""Overlays on a model: grid, axes, bones, marks, outlines."""
