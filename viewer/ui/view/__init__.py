"""The 3D view: picture, mouse, overlays."""
