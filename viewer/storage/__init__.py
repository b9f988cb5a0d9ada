"""Finds and reads named resources, and decodes images."""
