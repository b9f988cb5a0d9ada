"""Rules for files and their bytes."""
