"""Thumbnails of files: drawing, cache, contact sheets."""
