"""Fuzzing: our own samples, mutated, through everything that reads files."""

INSTRUMENTED = ("viewer.binary", "viewer.families", "viewer.storage")
"""The packages in which guided fuzzing looks for new code."""
