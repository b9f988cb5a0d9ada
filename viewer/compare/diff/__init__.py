"""Differences between two documents by meaning: pure functions."""
