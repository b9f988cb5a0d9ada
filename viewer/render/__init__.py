"""Rendering: the passes in their order, and the matrices of the camera."""
