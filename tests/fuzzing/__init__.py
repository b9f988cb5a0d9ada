"""Fuzzing: our own samples, mutated, through everything that reads files."""
