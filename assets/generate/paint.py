"""Textures from functions: each part of a model paints its rectangle, colour, height and glow at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from PIL import Image

from generate.curves import lerp, unit
from generate.mesh import Rect, Surface
from viewer.arrays import Array

MARGIN = 4
"""Texels painted around a rectangle, so that filtering at its border finds the right colour."""


class Coat(Struct, frozen=True, eq=False):
    """The result of a painter: `color` [..., 3] sRGB, `height` [...] metres, `glow` [...] from 0 to 1."""

    color: Array
    height: Array | float = 0.0
    glow: Array | float = 0.0


class Area(Struct, frozen=True, eq=False):
    """A rectangle of the texture, the surface that shows it, and its painter: of u, v and points."""

    rect: Rect
    surface: Surface
    painter: Callable[[Array, Array, Array], Coat]


def rgb(code: str) -> Array:
    """`ff8800` as sRGB [3], 0..1."""
    return np.frombuffer(bytes.fromhex(code), np.uint8) / 255


def over(color: Array, paint: Any, amount: Array) -> Array:
    """`paint` [3] or [..., 3] over `color` [..., 3], as opaque as `amount` [...] says."""
    return lerp(color, paint, np.asarray(amount)[..., None])


def ramp(place: Array, stops: Sequence[tuple[float, str]]) -> Array:
    """Colours between (place, code) stops: [..., 3]."""
    places = [stop[0] for stop in stops]
    colors = np.array([rgb(stop[1]) for stop in stops])
    return np.stack([np.interp(place, places, colors[:, k]) for k in range(3)], axis=-1)


def draw(areas: Sequence[Area], size: int, ground: str) -> tuple[Image.Image, Image.Image, Image.Image]:
    """Diffuse, normal map (red along u, green along v, downwards) and glow of a square texture."""
    color = np.broadcast_to(rgb(ground), (size, size, 3)).copy()
    bump = np.broadcast_to((0.0, 0.0, 1.0), (size, size, 3)).copy()
    glow = np.zeros((size, size))
    for area in areas:
        rows, columns, u, v = _texels(area.rect, size)
        points = area.surface(u, v)
        coat = area.painter(u, v, points)
        color[rows, columns] = coat.color
        bump[rows, columns] = _bent(np.broadcast_to(coat.height, u.shape), points)
        glow[rows, columns] = coat.glow
    return _image(color), _image(bump * 0.5 + 0.5), _image(glow)


def _texels(rect: Rect, size: int) -> tuple[slice, slice, Array, Array]:
    """The texels of a rectangle with its margin, and u and v of their centres, kept to 0..1."""
    low = np.floor(np.array((rect.left, rect.top)) * size).astype(int) - MARGIN
    high = np.ceil(np.array((rect.right, rect.bottom)) * size).astype(int) + MARGIN
    low, high = np.clip(low, 0, size), np.clip(high, 0, size)
    x = (np.arange(low[0], high[0]) + 0.5) / size
    y = (np.arange(low[1], high[1]) + 0.5) / size
    u = np.clip((x - rect.left) / (rect.right - rect.left), 0, 1)
    v = np.clip((y - rect.top) / (rect.bottom - rect.top), 0, 1)
    across, down = np.meshgrid(u, v)
    return slice(low[1], high[1]), slice(low[0], high[0]), across, down


def _bent(height: Array, points: Array) -> Array:
    """Normals in tangent space [H, W, 3] of a height over `points` [H, W, 3]."""
    slopes = [-np.gradient(height, axis=axis) / np.maximum(_step(points, axis), 2e-4) for axis in (1, 0)]
    return unit(np.stack((*slopes, np.ones_like(height)), axis=-1))


def _step(points: Array, axis: int) -> Array:
    """Metres from a texel to the next."""
    return np.asarray(np.linalg.norm(np.gradient(points, axis=axis), axis=-1))


def _image(values: Array) -> Image.Image:
    return Image.fromarray(np.rint(np.clip(values, 0, 1) * 255).astype(np.uint8))
