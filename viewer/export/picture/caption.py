"""Words in the middle or along the lower edge of a picture."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from msgspec import Struct

from viewer.arrays import Array
from viewer.errors import printable

LARGEST, SMALLEST, SHARE = 28.0, 8.0, 0.9
"""The limits of the letters' size in pixels, and the share of the width that a line may take."""
INK, BAND = (238, 240, 243, 255), (24, 27, 31, 200)
LABEL, LABEL_SHARE = 13.0, 1 / 18
"""The largest size of a label's letters in pixels, and their largest share of the picture's height."""


def captioned(pixels: Array, text: str) -> Array:
    """A copy of a picture [height, width, 4] u8 with a line of text on a dark band in its middle.

    The letters shrink until the line fits, down to a readable size.
    """
    from PIL import Image, ImageDraw, ImageFont

    picture = Image.fromarray(np.ascontiguousarray(pixels), "RGBA")
    pen = ImageDraw.Draw(picture)
    size = LARGEST
    font = ImageFont.load_default(size)
    while size > SMALLEST and pen.textlength(text, font) > SHARE * picture.width:
        size -= 1.0
        font = ImageFont.load_default(size)
    middle = picture.width / 2, picture.height / 2
    left, top, right, bottom = pen.textbbox(middle, text, font, "mm")
    layer = Image.new("RGBA", picture.size, (0, 0, 0, 0))
    above = ImageDraw.Draw(layer)
    pad = size / 2
    above.rounded_rectangle((left - pad, top - pad, right + pad, bottom + pad), pad / 2, BAND)
    above.text(middle, text, INK, font, "mm")
    return np.asarray(Image.alpha_composite(picture, layer)).copy()


class Label(Struct, frozen=True):
    """A name between the columns `start` and `end`: at the left of them, or at the `right`."""

    text: str
    start: int
    end: int
    right: bool = False


def labelled(pixels: Array, labels: Iterable[Label]) -> Array:
    """A copy of a picture [height, width, 4] u8 with labels along its lower edge.

    A text that does not fit is shortened, or omitted if too little of it would remain.
    """
    from PIL import Image

    picture = Image.fromarray(np.ascontiguousarray(pixels), "RGBA")
    size = min(LABEL, picture.height * LABEL_SHARE)
    edge = round(size / 2)
    for label in labels if size >= SMALLEST else ():
        tile = _tile(printable(label.text), size, label.end - label.start - 2 * edge)
        if tile is not None:
            left = label.end - edge - tile.shape[1] if label.right else label.start + edge
            top = picture.height - edge - tile.shape[0]
            picture.alpha_composite(Image.fromarray(tile, "RGBA"), (left, top))
    return np.asarray(picture).copy()


@lru_cache(16)
def _tile(text: str, size: float, widest: int) -> Array | None:
    """[h, w, 4] u8: text on a dark band, at most `widest` pixels wide; None if there is no room."""
    from PIL import Image, ImageDraw, ImageFont

    font, pad = ImageFont.load_default(size), round(size / 3)
    shown = text
    while shown and font.getlength(shown) > widest - 2 * pad:
        shown = shown[:-2] + "…" if len(shown) > 2 else ""
    if not shown:
        return None
    width, height = round(font.getlength(shown)) + 2 * pad, round(size * 1.4)
    tile = Image.new("RGBA", (width, height), BAND)
    pen = ImageDraw.Draw(tile)
    pen.text((pad, height / 2), shown, INK, font, "lm")
    return np.asarray(tile).copy()
