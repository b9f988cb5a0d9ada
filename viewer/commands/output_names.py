"""The names of outputs: their suffixes, and whether a name is for one model or for many."""

from __future__ import annotations

import os

from viewer.scene.choices import FILM_FORMATS

PICTURE_SUFFIXES = tuple(sorted((each.suffix for each in FILM_FORMATS), key=".png".__ne__))
"""What the name of a picture, or of several, ends with; `.png` comes first."""
BAKED_SUFFIXES = (".npz", ".ply")
NAME = "{name}"
"""Stands for the name of each model in the output of a batch."""


def is_for_many(output: str) -> bool:
    """Whether an output is for many models: it has a `{name}`, or is a folder."""
    return NAME in output or output.endswith(("/", os.sep)) or os.path.isdir(output)
