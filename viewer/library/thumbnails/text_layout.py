"""Fonts and line breaks for texts in pictures."""

from __future__ import annotations

from functools import cache
from typing import cast

from PIL import ImageFont

from viewer.session.system_fonts import cjk_font

LATIN = "\u024f"
"""Last character in Pillow's own font."""
ELLIPSIS = "…"


def font_for(text: str, size: float) -> ImageFont.FreeTypeFont:
    """Return a font of `size` pixels, if possible with all letters of `text`."""
    return _font(size, all(letter <= LATIN or letter == ELLIPSIS for letter in text))


@cache
def _font(size: float, latin: bool) -> ImageFont.FreeTypeFont:
    path = None if latin else cjk_font()
    if path is not None:
        return ImageFont.truetype(path, size)
    return cast(ImageFont.FreeTypeFont, ImageFont.load_default(size))


def fitting_font(text: str, room: float, largest: float, smallest: float) -> ImageFont.FreeTypeFont:
    """Return the largest font in which a text fits into `room` pixels.

    Sizes are tried from `largest` down to `smallest` in steps of one pixel; the last tried font is returned
    if none fits.
    """
    size = largest
    while size - 1 >= smallest and font_for(text, size).getlength(text) > room:
        size -= 1
    return font_for(text, size)


def wrapped(text: str, size: float, room: float) -> list[str]:
    """Break a text between words into lines of at most `room` pixels; longer words stay whole."""
    font, lines = font_for(text, size), list[str]()
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and font.getlength(longer) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def shortened(text: str, font: ImageFont.FreeTypeFont, room: float) -> str:
    """Shorten a text to `room` pixels, with an ellipsis in its middle."""
    if font.getlength(text) <= room:
        return text
    kept = len(text) - 1
    while kept > 1 and font.getlength(_without_middle(text, kept)) > room:
        kept -= 1
    return _without_middle(text, kept)


def _without_middle(text: str, kept: int) -> str:
    first = (kept + 1) // 2
    return text[:first] + ELLIPSIS + text[len(text) - (kept - first) :]
