"""Particles and ribbons on the GPU."""
