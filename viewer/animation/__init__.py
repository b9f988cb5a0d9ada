"""Sampled tracks and poses as pure functions of time, and the clock."""
