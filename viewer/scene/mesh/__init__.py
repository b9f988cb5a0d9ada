"""Vertices, primitives and plain meshes."""
