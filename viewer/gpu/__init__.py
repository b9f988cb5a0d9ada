"""moderngl objects: composed, created, released. Knows arrays, not files."""
