"""Cards for files without a picture: a symbol of the kind, a title, and some words."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import PIL.Image
from PIL import ImageDraw

from viewer.arrays import Array, Size
from viewer.library.thumbnails.text_layout import fitting_font, font_for, shortened, wrapped

INK, SYMBOL = (120, 126, 135, 255), (90, 130, 184, 255)
"""Colours that can be read on dark and on light grounds, because a card has none of its own."""
MARGIN = 0.08
"""Margin of a card, as a fraction of its width."""
SMALLEST, LINE, GAP = 8.0, 1.35, 0.6
"""Smallest font size in pixels; height of a line and of a gap, as multiples of the font size."""
SHARE = 0.34
"""Side of the symbol, as a fraction of the card's shorter side."""
FINE = 4
"""Factor by which symbols are drawn larger and then reduced, for smooth edges."""
WIDTH = 0.06
"""Line width of a symbol, as a fraction of its side."""

Pen = ImageDraw.ImageDraw


def card(title: str, text: str, size: Size, kind: str = "") -> Array:
    """Draw a card [height, width, 4] u8: a symbol, a title in one line, and the lines of `text` that fit.
    The rest is transparent.

    `kind` is a kind of file as in `FileFacts`, or `error`.
    """
    picture = PIL.Image.new("RGBA", size, (*INK[:3], 0))
    pen = ImageDraw.Draw(picture)
    room, small = size[0] * (1 - 2 * MARGIN), max(min(size) / 18, SMALLEST)
    large = fitting_font(title, room, min(size) / 10, small)
    side = round(min(size) * SHARE)
    head = side + large.size + small * GAP * 2
    most = max(int((size[1] * (1 - 2 * MARGIN) - head) / (small * LINE)), 0)
    lines = wrapped(text, small, room)[:most]
    middle, top = size[0] / 2, (size[1] - head - len(lines) * small * LINE) / 2
    picture.paste(SYMBOL, (round(middle - side / 2), round(top)), _mask(kind, side))
    pen.text((middle, top + side + small * GAP + large.size / 2), title, INK, large, "mm")
    for number, line in enumerate(lines):
        font = font_for(line, small)
        at = middle, top + head + small * LINE * (number + 0.5)
        pen.text(at, shortened(line, font, room), INK, font, "mm")
    return np.asarray(picture)


def _mask(kind: str, side: int) -> PIL.Image.Image:
    """Draw the symbol of a kind as the opacity of `side` × `side` pixels."""
    large = PIL.Image.new("L", (side * FINE, side * FINE), 0)
    SYMBOLS.get(kind, _cube)(ImageDraw.Draw(large), side * FINE, max(round(side * FINE * WIDTH), 1))
    return large.resize((side, side), PIL.Image.Resampling.BOX)


def _scaled(side: int, *points: tuple[float, float]) -> list[tuple[float, float]]:
    return [(x * side, y * side) for x, y in points]


def _cube(pen: Pen, side: int, width: int) -> None:
    """Draw a cube, the symbol of a model."""
    hexagon = [(0.5, 0.06), (0.9, 0.28), (0.9, 0.72), (0.5, 0.94), (0.1, 0.72), (0.1, 0.28), (0.5, 0.06)]
    pen.line(_scaled(side, *hexagon, hexagon[1]), 255, width, "curve")
    for corner in (hexagon[1], hexagon[3], hexagon[5]):
        pen.line(_scaled(side, (0.5, 0.5), corner), 255, width)


def _play(pen: Pen, side: int, width: int) -> None:
    """Draw a triangle in a circle, the symbol of an animation."""
    pen.ellipse(_scaled(side, (0.08, 0.08), (0.92, 0.92)), outline=255, width=width)
    pen.polygon(_scaled(side, (0.39, 0.28), (0.39, 0.72), (0.76, 0.5)), 255)


def _box(pen: Pen, side: int, width: int) -> None:
    """Draw a box with a lid, the symbol of a package."""
    pen.rectangle(_scaled(side, (0.06, 0.14), (0.94, 0.36)), outline=255, width=width)
    pen.line(_scaled(side, (0.13, 0.36), (0.13, 0.88), (0.87, 0.88), (0.87, 0.36)), 255, width, "curve")
    pen.line(_scaled(side, (0.36, 0.52), (0.64, 0.52)), 255, width)


def _sphere(pen: Pen, side: int, width: int) -> None:
    """Draw a sphere lit from one side, the symbol of a shader."""
    whole = _scaled(side, (0.08, 0.08), (0.92, 0.92))
    pen.ellipse(whole, outline=255, width=width)
    pen.chord(whole, -45, 135, 255)


def _page(pen: Pen, side: int, width: int) -> None:
    """Draw a page with lines, the symbol of a script."""
    pen.rectangle(_scaled(side, (0.16, 0.06), (0.84, 0.94)), outline=255, width=width)
    for row, end in ((0.26, 0.68), (0.42, 0.6), (0.58, 0.68), (0.74, 0.48)):
        pen.line(_scaled(side, (0.32, row), (end, row)), 255, width)


def _warning(pen: Pen, side: int, width: int) -> None:
    """Draw a triangle with an exclamation mark, the symbol of an error."""
    corners = ((0.5, 0.1), (0.94, 0.88), (0.06, 0.88), (0.5, 0.1), (0.94, 0.88))
    pen.line(_scaled(side, *corners), 255, width, "curve")
    pen.line(_scaled(side, (0.5, 0.38), (0.5, 0.62)), 255, width)
    pen.line(_scaled(side, (0.5, 0.7), (0.5, 0.77)), 255, width)


SYMBOLS: dict[str, Callable[[Pen, int, int], None]] = {
    "animation": _play,
    "package": _box,
    "shader": _sphere,
    "script": _page,
    "error": _warning,
}
