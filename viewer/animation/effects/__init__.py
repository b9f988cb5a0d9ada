"""Particles and ribbons as pure functions of time."""
