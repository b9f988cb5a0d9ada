"""Batches for the verbs and the window: files become outputs and outcomes, can be ended and continued."""
