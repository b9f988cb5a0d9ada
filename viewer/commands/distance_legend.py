"""The meaning of the colours of distances, along the lower edge of a picture."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from viewer.arrays import Array
from viewer.export.picture.caption import BAND, INK, LABEL, LABEL_SHARE, SMALLEST
from viewer.scene.vertex_distances import UNMATCHED, UNMATCHED_NAME, UNMOVED, UNMOVED_NAME, ramp

if TYPE_CHECKING:
    from viewer.scene.vertex_distances import VertexDistances

BAR = 9.0
"""The width of the ramp in letter heights."""
Entry = tuple[Array | None, str]
"""A part of the legend: colours [h, w, 4] u8, and the text behind them."""


def with_legend(pixels: Array, distances: VertexDistances) -> Array:
    """A copy of a picture [height, width, 4] u8 with the legend in the middle above its labels, as much of it
    as there is room for.
    """
    from PIL import Image

    height, width = pixels.shape[:2]
    size = min(LABEL, height * LABEL_SHARE)
    if size < SMALLEST:
        return pixels
    tile = _widest(size, width, distances.largest, distances.has_unmatched)
    if tile is None:
        return pixels
    picture = Image.fromarray(np.ascontiguousarray(pixels), "RGBA")
    top = height - round(size / 2) - 2 * round(size * 1.6)
    picture.alpha_composite(Image.fromarray(tile, "RGBA"), ((width - tile.shape[1]) // 2, max(top, 0)))
    return np.asarray(picture).copy()


@lru_cache(4)
def _widest(size: float, width: int, largest: float, unmatched: bool) -> Array | None:
    """[h, w, 4] u8: the parts of the legend that fit into `width` pixels, the scale first."""
    high = round(size * 0.9)
    scale: list[Entry] = [(None, "0"), (_colors(ramp(round(BAR * size)), high), f"{largest:.4g} units")]
    other: list[Entry] = [(_colors(np.tile(UNMOVED, (high, 1)), high), UNMOVED_NAME)]
    if unmatched:
        other.append((_stripes(high), UNMATCHED_NAME))
    entries = [*(scale if largest else []), *other]
    while entries:
        tile = _tile(entries, size)
        if tile.shape[1] <= width:
            return tile
        entries = entries[:-1]
    return None


def _colors(colors: Array, high: int) -> Array:
    """[high, W, 4] u8 of colours [W, 3] from left to right."""
    row = np.concatenate((colors, np.ones((len(colors), 1))), axis=1)
    return np.broadcast_to(np.round(255 * row).astype(np.uint8), (high, *row.shape)).copy()


def _stripes(high: int) -> Array:
    """[high, high, 4] u8: the stripes of what has no counterpart."""
    second = np.add.outer(np.arange(high), np.arange(high)) // 3 % 2 == 1
    colors = np.array(UNMATCHED)[second.astype(int)]
    return np.dstack((np.round(255 * colors), np.full((high, high), 255))).astype(np.uint8)


def _tile(entries: Sequence[Entry], size: float) -> Array:
    from PIL import Image, ImageDraw, ImageFont

    font, pad = ImageFont.load_default(size), round(size / 3)
    wide = sum(_width(each, font, pad) for each in entries) + 2 * pad
    tile = Image.new("RGBA", (wide, round(size * 1.4)), BAND)
    pen, x = ImageDraw.Draw(tile), 2 * pad
    for entry in entries:
        colors, text = entry
        start = x
        if colors is not None:
            tile.paste(Image.fromarray(colors, "RGBA"), (x, (tile.height - colors.shape[0]) // 2))
            x += colors.shape[1] + pad
        pen.text((x, tile.height / 2), text, INK, font, "lm")
        x = start + _width(entry, font, pad)
    return np.asarray(tile).copy()


def _width(entry: Entry, font: object, pad: int) -> int:
    colors, text = entry
    own = 0 if colors is None else colors.shape[1] + pad
    return own + round(font.getlength(text)) + 2 * pad  # type: ignore[attr-defined]
