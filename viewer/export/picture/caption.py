"""Draws captions, labels and the legend of the distance colours into pictures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np
from msgspec import Struct

from viewer.arrays import Array
from viewer.errors import printable
from viewer.scene.vertex_distances import (
    UNMATCHED,
    UNMATCHED_NAME,
    UNMOVED,
    UNMOVED_NAME,
    ColorLegend,
    ramp,
)

LARGEST, SMALLEST, SHARE = 28.0, 8.0, 0.9
"""The largest and the smallest letter size of a caption in pixels, and the share of the picture's width that
a line may take.
"""
INK, BAND = (238, 240, 243, 255), (24, 27, 31, 200)
LABEL, LABEL_SHARE = 13.0, 1 / 18
"""Largest letter size of a label: in pixels, and as a share of the picture's height."""
BAR = 9.0
"""Width of the colour ramp of the legend, in letter heights."""
LegendEntry = tuple[Array | None, str]
"""An entry of the legend: colours [h, w, 4] u8 or None, and the text to the right of them."""


def captioned(pixels: Array, text: str) -> Array:
    """Return a copy of a picture [height, width, 4] u8 with a line of text on a dark band in its middle.

    The letters shrink until the line fits, or until they have the smallest size.
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
    """A name at the lower edge, between the pixel columns `start` and `end`: left-aligned, or
    `right`-aligned.
    """

    text: str
    start: int
    end: int
    right: bool = False


def labelled(pixels: Array, labels: Iterable[Label]) -> Array:
    """Return a copy of a picture [height, width, 4] u8 with labels along its lower edge.

    A text that does not fit is shortened, or omitted if too few letters would remain.
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
    """Draw text on a dark band, at most `widest` pixels wide, [h, w, 4] u8; None if it does not fit."""
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


def with_legend(pixels: Array, legend: ColorLegend) -> Array:
    """Return a copy of a picture [height, width, 4] u8 with the legend in its middle, above the labels of the
    picture. If not all entries fit, the last entries are left out.
    """
    from PIL import Image

    height, width = pixels.shape[:2]
    size = min(LABEL, height * LABEL_SHARE)
    if size < SMALLEST:
        return pixels
    tile = _widest(size, width, legend)
    if tile is None:
        return pixels
    picture = Image.fromarray(np.ascontiguousarray(pixels), "RGBA")
    top = height - round(size / 2) - 2 * round(size * 1.6)
    picture.alpha_composite(Image.fromarray(tile, "RGBA"), ((width - tile.shape[1]) // 2, max(top, 0)))
    return np.asarray(picture).copy()


@lru_cache(4)
def _widest(size: float, width: int, legend: ColorLegend) -> Array | None:
    """Draw the entries of the legend that fit into `width` pixels, [h, w, 4] u8. The colour scale comes
    first.
    """
    high = round(size * 0.9)
    scale: list[LegendEntry] = [
        (None, "0"),
        (_color_row(ramp(round(BAR * size)), high), legend.largest),
    ]
    other: list[LegendEntry] = [(_color_row(np.tile(UNMOVED, (high, 1)), high), UNMOVED_NAME)]
    if legend.has_unmatched:
        other.append((_stripes(high), UNMATCHED_NAME))
    entries = [*(scale if legend.largest else []), *other]
    while entries:
        tile = _legend_tile(entries, size)
        if tile.shape[1] <= width:
            return tile
        entries = entries[:-1]
    return None


def _color_row(colors: Array, high: int) -> Array:
    """Draw colours [W, 3] from left to right as columns of `high` pixels, [high, W, 4] u8."""
    row = np.concatenate((colors, np.ones((len(colors), 1))), axis=1)
    return np.broadcast_to(np.round(255 * row).astype(np.uint8), (high, *row.shape)).copy()


def _stripes(high: int) -> Array:
    """Draw the stripes that mark vertices without a counterpart, [high, high, 4] u8."""
    second = np.add.outer(np.arange(high), np.arange(high)) // 3 % 2 == 1
    colors = np.array(UNMATCHED)[second.astype(int)]
    return np.dstack((np.round(255 * colors), np.full((high, high), 255))).astype(np.uint8)


def _legend_tile(entries: Sequence[LegendEntry], size: float) -> Array:
    from PIL import Image, ImageDraw, ImageFont

    font, pad = ImageFont.load_default(size), round(size / 3)
    wide = sum(_entry_width(each, font, pad) for each in entries) + 2 * pad
    tile = Image.new("RGBA", (wide, round(size * 1.4)), BAND)
    pen, x = ImageDraw.Draw(tile), 2 * pad
    for entry in entries:
        colors, text = entry
        start = x
        if colors is not None:
            tile.paste(Image.fromarray(colors, "RGBA"), (x, (tile.height - colors.shape[0]) // 2))
            x += colors.shape[1] + pad
        pen.text((x, tile.height / 2), text, INK, font, "lm")
        x = start + _entry_width(entry, font, pad)
    return np.asarray(tile).copy()


def _entry_width(entry: LegendEntry, font: object, pad: int) -> int:
    colors, text = entry
    own = 0 if colors is None else colors.shape[1] + pad
    return own + round(font.getlength(text)) + 2 * pad  # type: ignore[attr-defined]
