"""The pixels of all textures of a model stay within a budget: images beyond it are shown smaller."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from viewer.arrays import Array
from viewer.scene.material import Image

ALL_PIXELS = 1 << 27
"""The pixels of the textures of one model: 512 MiB, or two images of 8192 × 8192."""
SMALLEST = 1 << 20
"""An image of so many pixels (1024 × 1024) is never made smaller."""
DRIVER_SIDE = 8192
"""The longest side that every graphics driver of OpenGL 3.3 takes in practice."""


def within_budget(image: Image, left: int) -> Image:
    """The image, or half its size as often as needed to have at most `left` pixels and no side above
    `DRIVER_SIDE`; a smaller image has a warning that names both sizes.
    """
    width, height = image.size
    levels = list(image.levels)
    while max(levels[0].shape) > DRIVER_SIDE or levels[0].size // 4 > max(left, SMALLEST):
        stored = levels[1:] if len(levels) > 1 and _is_half(levels[0], levels[1]) else []
        levels = stored or [half_size(levels[0])]
    if levels[0] is image.levels[0]:
        return image
    shown = levels[0]
    text = f"{width} × {height} pixels are shown as {shown.shape[1]} × {shown.shape[0]}, to save memory"
    return replace(image, levels=tuple(levels), warnings=(*image.warnings, text))


def half_size(pixels: Array) -> Array:
    """[height / 2, width / 2, 4] u8: the mean of each two by two pixels of [height, width, 4] u8; a side of
    one pixel stays.
    """
    height, width = pixels.shape[:2]
    tall, wide = min(height, 2), min(width, 2)
    out = np.empty((height // tall, width // wide, 4), np.uint8)
    for row in range(len(out)):
        block = pixels[row * tall : row * tall + tall, : out.shape[1] * wide]
        sums = block.reshape(tall, out.shape[1], wide, 4).sum(axis=(0, 2), dtype=np.uint16)
        out[row] = (sums + tall * wide // 2) // (tall * wide)
    return out


def _is_half(large: Array, small: Array) -> bool:
    return bool(small.shape[:2] == (max(large.shape[0] // 2, 1), max(large.shape[1] // 2, 1)))
