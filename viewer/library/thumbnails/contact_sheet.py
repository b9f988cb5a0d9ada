"""Draws a contact sheet: pictures of the same size in rows, with the names of their files below them."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import PIL.Image
from PIL import ImageDraw, PngImagePlugin

from viewer.arrays import Array, Size
from viewer.errors import ResourceError, printable
from viewer.library.thumbnails.cards import card
from viewer.library.thumbnails.text_layout import font_for, shortened

GROUND, INK, DIM = (24, 26, 30), (222, 226, 232), (140, 147, 158)
GAP = 8
"""Width in pixels of the gaps between pictures and of the margin of the sheet."""
ASPECT = 1.5
"""Approximate width of a sheet, as a multiple of its height."""
SHEET_PIXELS, SHEET_SIDE = 1 << 26, 16384
"""Limits of a sheet: the number of pixels that Pillow opens without a warning, and the longest side in pixels
that graphics drivers support.
"""
SMALLEST, LARGEST = 11.0, 15.0
"""Limits of a name's font size in pixels."""
LETTERS = 18
"""Ratio of a picture's width to the font size of its name, before the limits of the font size apply."""
NAME_WIDTH = 160
"""Largest width in pixels to which a long name widens the column of a small picture."""
LINE, FIRST = 1.3, 0.85
"""Height of a line, and distance of the first line's middle from the picture, as multiples of the
font size.
"""


class SheetPicture(NamedTuple):
    """A picture of a sheet as the bytes of a PNG, or the `error` to show instead."""

    name: str
    png: bytes
    error: str = ""


class SheetPlan(NamedTuple):
    """The layout of a sheet.

    `picture` is the size of a picture and `width` the width of its column in pixels. `letters` is the font
    size and `lines` the number of lines of a name.
    """

    picture: Size
    width: int
    letters: float
    lines: int
    columns: int = 1
    rows: int = 1

    @property
    def step(self) -> Size:
        """Distance in pixels from one picture to the next, across and down."""
        return self.width + GAP, self.picture[1] + GAP + round(self.lines * self.letters * LINE)

    @property
    def size(self) -> Size:
        """Width and height of the sheet in pixels."""
        return self.columns * self.step[0] + GAP, self.rows * self.step[1] + GAP

    def corner(self, number: int) -> tuple[int, int]:
        """Return the position of a picture's upper left corner in pixels: (from the left, from the top)."""
        row, column = divmod(number, self.columns)
        side = (self.width - self.picture[0]) // 2
        return GAP + column * self.step[0] + side, GAP + row * self.step[1]


def plan_sheet(names: Sequence[str], picture: Size) -> SheetPlan:
    """Choose the layout of a sheet of pictures with these names. Raises ResourceError if it is too large."""
    letters = min(max(picture[0] / LETTERS, SMALLEST), LARGEST)
    folders = {name.rpartition("/")[0] for name in names}
    longest = max(font_for(text, letters).getlength(text) for text in map(_title, names))
    width = max(picture[0], min(math.ceil(longest), NAME_WIDTH))
    one = SheetPlan(picture, width, letters, 2 if len(folders) > 1 else 1)
    columns = round(math.sqrt(len(names) * ASPECT * one.step[1] / one.step[0]))
    columns = min(max(columns, 1), len(names), max((SHEET_SIDE - GAP) // one.step[0], 1))
    plan = one._replace(columns=columns, rows=-(-len(names) // columns))
    across, down = plan.size
    if across * down > SHEET_PIXELS or max(across, down) > SHEET_SIDE:
        raise ResourceError(
            f"{len(names)} pictures of {picture[0]}x{picture[1]} are too many for a sheet, which would have "
            f"{across}x{down} pixels: choose a smaller --size, a folder, or OUT.html"
        )
    return plan


def contact_sheet(pictures: Sequence[SheetPicture], size: Size) -> Array:
    """Draw a sheet [height, width, 3] u8 of pictures of `size` in their order; errors as for `plan_sheet`.

    If the files are in several folders, each name has its folder below it. Long names are shortened in the
    middle.
    """
    plan = plan_sheet([each.name for each in pictures], size)
    sheet = PIL.Image.new("RGB", plan.size, GROUND)
    pen = ImageDraw.Draw(sheet)
    for number, each in enumerate(pictures):
        left, top = plan.corner(number)
        _paste(sheet, each, (left, top), size)
        middle, below = left + size[0] / 2, top + size[1] + plan.letters * FIRST
        _write(pen, _title(each.name), INK, plan, (middle, below))
        if plan.lines > 1:
            folder = printable(each.name.rpartition("/")[0])
            _write(pen, folder, DIM, plan, (middle, below + plan.letters * LINE))
    return np.asarray(sheet)


def _title(name: str) -> str:
    """Return the name of a file without its folders."""
    return printable(name.rpartition("/")[2])


def _paste(sheet: PIL.Image.Image, each: SheetPicture, at: tuple[int, int], size: Size) -> None:
    if not each.png:
        missing = PIL.Image.fromarray(card("No picture", each.error, size, "error"))
        sheet.paste(missing, at, missing)
        return
    with PngImagePlugin.PngImageFile(io.BytesIO(each.png)) as drawn:
        picture = drawn.convert("RGBA")
        sheet.paste(picture, at, picture)


def _write(
    pen: ImageDraw.ImageDraw, text: str, color: tuple[int, int, int], plan: SheetPlan, at: tuple[float, float]
) -> None:
    """Draw a name as one line, centred at a pixel."""
    font = font_for(text, plan.letters)
    pen.text(at, shortened(text, font, plan.width), color, font, "mm")
