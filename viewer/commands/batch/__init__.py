"""Runs a verb on many files, reports failures, and resumes after an interruption."""
