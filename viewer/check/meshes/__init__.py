"""Rules for vertices, triangles and levels of detail."""
