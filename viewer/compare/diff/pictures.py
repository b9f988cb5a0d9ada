"""Compares pictures by their pixels."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from viewer.arrays import Array
from viewer.errors import FormatError
from viewer.scene.material import Image, Texture

PIXELS = 1 << 26
"""The largest number of compared pixels in all textures of two models."""
ROWS = 64


class PictureBudget(Struct):
    """The number of pixels that may still be decoded."""

    left: int = PIXELS


def picture_difference(one: Texture, other: Texture, budget: PictureBudget) -> str:
    """Describe the difference between the pictures of two textures; empty if they are equal. FormatError if a
    picture cannot be decoded, or if the budget is used up.
    """
    if one.decode is None or other.decode is None:
        return ""
    if budget.left <= 0:
        raise FormatError("the pictures have too many pixels")
    images = one.decode(), other.decode()
    budget.left -= sum(image.size[0] * image.size[1] for image in images)
    return image_difference(*images)


def image_difference(one: Image, other: Image) -> str:
    """Describe the difference of two images: their sizes, or the share of differing pixels and the largest
    difference. Empty for equal images.
    """
    if one.size != other.size:
        return f"{one.size[0]} × {one.size[1]} → {other.size[0]} × {other.size[1]} pixels"
    count, most = pixel_difference(one.levels[0], other.levels[0])
    if count:
        share = 100 * count / (one.size[0] * one.size[1])
        return f"{share:.3g} % of the pixels differ, by up to {most} of 255"
    if len(one.levels) != len(other.levels):
        return f"{len(one.levels)} → {len(other.levels)} mip levels"
    for level, pair in enumerate(zip(one.levels, other.levels, strict=True)):
        if pair[0].shape != pair[1].shape or pixel_difference(*pair)[0]:
            return f"mip level {level} differs"
    return ""


def pixel_difference(one: Array, other: Array) -> tuple[int, int]:
    """The number of pixels that differ in a channel, and the largest difference of a channel. The pictures
    are [height, width, 4] u8.
    """
    count = most = 0
    for row in range(0, len(one), ROWS):
        first, second = one[row : row + ROWS], other[row : row + ROWS]
        offsets = np.maximum(first, second) - np.minimum(first, second)
        peaks = offsets.max(axis=2, initial=0)
        count += int(np.count_nonzero(peaks))
        most = max(most, int(peaks.max(initial=0)))
    return count, most
