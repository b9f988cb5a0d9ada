"""Puff, a teapot that takes walks. Axes of M2: +X forward, +Y to its left, +Z up; yards."""
