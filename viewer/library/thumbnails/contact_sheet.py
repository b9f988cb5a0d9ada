"""A contact sheet: pictures of the same size in rows, with the names of their files below them."""

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
"""Pixels between pictures, and around the sheet."""
ASPECT = 1.5
"""The approximate width of a sheet, as a multiple of its height."""
SHEET_PIXELS, SHEET_SIDE = 1 << 26, 16384
"""The limits of a sheet: pixels that Pillow opens without a warning, and the longest side that drivers
support.
"""
SMALLEST, LARGEST = 11.0, 15.0
"""The limits of a name's font size in pixels."""
LETTERS = 18
"""The font size of a name is the picture's width divided by this, within the limits."""
NAME_WIDTH = 160
"""The widest column for a long name below a small picture."""
LINE, FIRST = 1.3, 0.85
"""The height of a line, and the middle of the first line below a picture, in font sizes."""


class SheetPicture(NamedTuple):
    """A picture of a sheet as the bytes of a PNG, or the `error` that is shown instead."""

    name: str
    png: bytes
    error: str = ""


class SheetPlan(NamedTuple):
    """The layout of a sheet: the size of a picture and the width of its column in pixels, the font size and
    the lines of a name, and the numbers of columns and rows.
    """

    picture: Size
    width: int
    letters: float
    lines: int
    columns: int = 1
    rows: int = 1

    @property
    def step(self) -> Size:
        """Pixels from one picture to the next."""
        return self.width + GAP, self.picture[1] + GAP + round(self.lines * self.letters * LINE)

    @property
    def size(self) -> Size:
        """Width and height of the sheet."""
        return self.columns * self.step[0] + GAP, self.rows * self.step[1] + GAP

    def corner(self, number: int) -> tuple[int, int]:
        """The left and upper edge of a picture in pixels."""
        row, column = divmod(number, self.columns)
        side = (self.width - self.picture[0]) // 2
        return GAP + column * self.step[0] + side, GAP + row * self.step[1]


def plan_sheet(names: Sequence[str], picture: Size) -> SheetPlan:
    """The layout of a sheet of pictures with these names; ResourceError if it is too large."""
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
    """[height, width, 3] u8 sheet of pictures of `size`, in their order; errors as for `plan_sheet`.

    For files of several folders each name has its folder below it. Long names are shortened in the middle.
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
    """The name of a file without its folders."""
    return printable(name.rpartition("/")[2])


def _paste(sheet: PIL.Image.Image, each: SheetPicture, at: tuple[int, int], size: Size) -> None:
    if not each.png:
        sheet.paste(PIL.Image.fromarray(card("No picture", each.error, size, "error")), at)
        return
    with PngImagePlugin.PngImageFile(io.BytesIO(each.png)) as drawn:
        picture = drawn.convert("RGBA")
        sheet.paste(picture, at, picture)


def _write(
    pen: ImageDraw.ImageDraw, text: str, color: tuple[int, int, int], plan: SheetPlan, at: tuple[float, float]
) -> None:
    """Write a name as one line, centred at a pixel."""
    font = font_for(text, plan.letters)
    pen.text(at, shortened(text, font, plan.width), color, font, "mm")
