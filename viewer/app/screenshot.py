"""Saving pictures."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np

from viewer.arrays import Array
from viewer.scene.document import Document
from viewer.storage.package_path import as_path, on_disk


def free_name(document: Document | None, suffix: str = ".png") -> str:
    """The name of a file beside the document that does not exist yet."""
    path = document.path if document else "rigscope"
    stem = Path(on_disk(path)).with_name(as_path(path).stem)
    names = (
        stem.with_name(f"{stem.name}{f'-{number}' if number else ''}{suffix}") for number in itertools.count()
    )
    return str(next(name for name in names if not name.exists()))


def save(pixels: Array, path: str) -> None:
    """Write [height, width, 3 or 4] u8 as a picture; OSError or ValueError if it cannot be written."""
    from PIL import Image as Pillow

    Pillow.fromarray(np.ascontiguousarray(pixels)).save(path)
