"""Two models or documents: vertices that belong together, distances, differences."""
