"""The Texture panel."""
