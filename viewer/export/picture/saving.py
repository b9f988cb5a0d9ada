"""Writes a picture in the format of its suffix."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable

import numpy as np

from viewer.arrays import Array
from viewer.storage.own_picture import marked
from viewer.storage.png import png_pieces
from viewer.storage.writing import replaced


def save(pixels: Array, path: str, inputs: Iterable[str] = (), *, view: bool = False) -> None:
    """Write [height, width, 3 or 4] u8 as a picture. A `view` of a model gets the mark.

    OSError or ValueError if it cannot be written, or if the path is one of the `inputs`.
    """
    from PIL import Image as Pillow

    suffix = os.path.splitext(path)[1].lower()
    Pillow.preinit()
    form = Pillow.EXTENSION.get(suffix) or Pillow.registered_extensions().get(suffix)
    if form not in Pillow.SAVE:
        raise ValueError(f"no picture format has the suffix {suffix!r}")
    if form == "JPEG" and pixels.shape[2] == 4:
        raise ValueError("JPEG has no transparent pixels: choose a name that ends with .png or .webp")
    pieces: Iterable[bytes]
    if form == "PNG":
        pieces = png_pieces(pixels)  # `render` uses the same encoder
    else:
        encoded = io.BytesIO()
        Pillow.fromarray(np.ascontiguousarray(pixels)).save(encoded, form)
        pieces = (encoded.getvalue(),)
    with replaced(path, inputs) as file:
        file.writelines(marked(pieces) if view else pieces)
