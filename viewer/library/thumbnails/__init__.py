"""Thumbnails of files: drawn, kept between runs, and put on contact sheets."""
