"""moderngl objects: composed, created, released. This room knows arrays, not files."""
