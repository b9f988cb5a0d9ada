"""Saving pictures."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from viewer.arrays import Array
from viewer.scene.document import Document
from viewer.storage.package_path import as_path, on_disk
from viewer.storage.writing import replaced


def free_name(document: Document | None, suffix: str = ".png") -> str:
    """The name of a file beside the document that does not exist yet."""
    path = document.path if document else "rigscope"
    stem = Path(on_disk(path)).with_name(as_path(path).stem)
    names = (
        stem.with_name(f"{stem.name}{f'-{number}' if number else ''}{suffix}") for number in itertools.count()
    )
    return str(next(name for name in names if not name.exists()))


def save(pixels: Array, path: str, inputs: Iterable[str] = ()) -> None:
    """Write [height, width, 3 or 4] u8 as a picture.

    OSError or ValueError if it cannot be written, or is one of the `inputs`.
    """
    from PIL import Image as Pillow

    suffix = os.path.splitext(path)[1].lower()
    Pillow.preinit()
    form = Pillow.EXTENSION.get(suffix) or Pillow.registered_extensions().get(suffix)
    if form not in Pillow.SAVE:
        raise ValueError(f"no pictures are written with the suffix {suffix!r}")
    with replaced(path, inputs) as file:
        Pillow.fromarray(np.ascontiguousarray(pixels)).save(file, form)
