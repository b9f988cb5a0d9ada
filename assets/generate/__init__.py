"""Calculated models: helpers for all models, a writer for each format, a folder for each model."""
