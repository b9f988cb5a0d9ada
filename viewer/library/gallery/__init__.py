"""A static page with the pictures and the facts of many files, which works from the disk."""
