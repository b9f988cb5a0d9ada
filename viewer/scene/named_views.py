"""The named directions of view."""

VIEWS = {
    "front": (0.0, 0.0),
    "back": (180.0, 0.0),
    "right": (-90.0, 0.0),
    "left": (90.0, 0.0),
    "top": (0.0, 90.0),
    "bottom": (0.0, -90.0),
    "iso": (35.0, 25.0),
}
"""Yaw and pitch of the named views. `left` shows the model's own left side: it faces +Z, its left is +X."""
