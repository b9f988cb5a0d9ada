"""The axis of the file that is up in the view."""

from __future__ import annotations

from enum import Enum


class UpAxis(Enum):
    """The axis of the file that points upwards in the view; `FILE` is the axis that the format states."""

    FILE = "file"
    Y = "y"
    Z = "z"
