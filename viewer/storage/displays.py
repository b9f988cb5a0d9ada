"""Paths of models in one of their displays: `Bear.m2::706`."""

from __future__ import annotations

import re

from viewer.family.registry import displayed
from viewer.scene.names import JOINT

DISPLAY_NAME = r"(?s)(-?[0-9]+)(?: .*)?"
"""Matches the name of a display behind the path of its model. The name is the id of the display, then a
title; the title is ignored.
"""


def has_displays(path: str) -> bool:
    """Whether the file at a path may be a model with displays, by its suffix."""
    return path.lower().endswith(displayed())


def split_display(path: str) -> tuple[str, str] | None:
    """Split the path of a display into the path of the model and the id of the display."""
    model, _, name = path.rpartition(JOINT)
    found = re.fullmatch(DISPLAY_NAME, name) if has_displays(model) else None
    return None if found is None else (model, found[1])
