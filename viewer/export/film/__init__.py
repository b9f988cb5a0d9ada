"""Films: frames in one file or in numbered pictures."""
