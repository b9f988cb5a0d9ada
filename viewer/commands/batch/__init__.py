"""Verbs on many files: running, reporting, and resuming after an interruption."""
