"""Fuzzing: our own samples, mutated, through everything that reads files."""

INSTRUMENTED = ("viewer.binary", "viewer.formats", "viewer.storage")
"""The packages in which guided fuzzing looks for new code."""
