"""Compares two models or documents: matching vertices, distances, differences."""
