"""Models by calculation: helpers for any of them, one writer for each format, one folder for each model."""
