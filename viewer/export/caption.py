"""Words in the middle of a picture."""

from __future__ import annotations

import numpy as np

from viewer.arrays import Array

LARGEST, SMALLEST, SHARE = 28.0, 8.0, 0.9
"""The limits of the letters' size in pixels, and the share of the width that a line may take."""
INK, BAND = (238, 240, 243, 255), (24, 27, 31, 200)


def captioned(pixels: Array, text: str) -> Array:
    """A copy of a picture [height, width, 4] u8 with a line of text on a dark band in its middle.

    The letters shrink until the line fits, as far as they can be read.
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
