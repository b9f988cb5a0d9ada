"""Many files: where they are, what is in them, and the work on all of them in other processes."""
