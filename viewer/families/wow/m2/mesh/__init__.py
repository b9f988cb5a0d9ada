"""The geometry, views, skeleton and materials of WoW models."""
