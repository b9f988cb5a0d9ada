"""Checks: pure functions of documents that say what is wrong with an asset."""
