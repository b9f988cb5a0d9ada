"""The open files: loaded, watched, stepped through, closed."""
