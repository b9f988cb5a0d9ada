"""The light of an environment: what a point receives from every direction, prepared for shaders.

The directions of the sphere lie on a square: an octahedron around the sphere is unfolded (octahedral map).
Unlike the faces of a cube map, a level of it is one picture, so that all levels lie in one texture that every
driver can filter, and a lookup costs a software renderer a fifth less.

A level has the light that a surface of one roughness reflects to a viewer who looks along its normal (split
sum approximation; source: Karis, "Real shading in Unreal Engine 4"). The share of the light that the surface
reflects to other viewers is in a table. The light on matt surfaces is stored as 9 coefficients of spherical
harmonics (source: Ramamoorthi and Hanrahan, "An efficient representation for irradiance environment maps").

Directions are in viewer space: x right, y up, z towards the viewer of the front view.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from viewer.arrays import Array
from viewer.scene.environment_map import (
    MAP_SIZE,
    PLACES,
    SIDES,
    SPREAD,
    TABLE_PLACE,
    TABLE_SIDE,
    Environment,
)

SAMPLED, SAMPLES = 2, 96
"""The level whose texels get their light from samples, and the number of their directions. Smoother levels
are means of the environment, rougher levels sum all its directions.
"""
SUMMED = 32
"""The side of the environment whose directions are summed."""
BRIGHTEST = 60000.0
"""Largest colour that half floats store."""
WIDEST = 1024
"""Width of the picture from which the sharpest level is sampled; wider pictures are reduced."""


def environment_of(base: Array) -> Environment:
    """Prepare an environment from its octahedral map [512, 512, 3] f32 of linear colours."""
    made = np.zeros((MAP_SIZE[1], MAP_SIZE[0], 4), np.float16)
    smaller = [base]
    while len(smaller[-1]) > SUMMED // 2:
        smaller.append(_halved(smaller[-1]))
    soft, summed = [_softened(each) for each in smaller], smaller[-2]
    for level, (left, top) in enumerate(PLACES):
        side, roughness = SIDES[level], level * (level + 2) / SPREAD
        if level < SAMPLED:
            light = smaller[level]
        else:
            few = level == SAMPLED
            light = _sampled(soft, side, roughness) if few else _summed(summed, side, roughness)
        made[top : top + side + 2, left : left + side + 2, :3] = np.minimum(_bordered(light), BRIGHTEST)
    left, top = TABLE_PLACE
    made[top : top + TABLE_SIDE, left : left + TABLE_SIDE, :2] = reflection_table()
    return Environment(made, _harmonics(smaller[2]))


def octahedral(picture: Array) -> Array:
    """[512, 512, 3] f32: the octahedral map of a picture [height, width, 3] of all directions
    (equirectangular, the top row is above). Its middle is the direction -z, which is behind the model in the
    front view.
    """
    while picture.shape[1] > WIDEST and not picture.shape[0] % 2 and not picture.shape[1] % 2:
        picture = _halved(picture)
    height, width = picture.shape[:2]
    x, y, z = directions(SIDES[0])
    across = (np.arctan2(x, -z) / (2 * np.pi) + 0.5) * width - 0.5
    down = np.clip(np.arccos(np.clip(y, -1, 1)) / np.pi * height - 0.5, 0, height - 1)
    left, top = np.floor(across).astype(np.int32), down.astype(np.int32)
    right_share, low_share = (across - left)[:, None], (down - top)[:, None]
    rows = picture.reshape(-1, 3)
    above, below = top * width, np.minimum(top + 1, height - 1) * width
    lower, upper = left % width, (left + 1) % width
    first = rows[above + lower] * (1 - right_share) + rows[above + upper] * right_share
    second = rows[below + lower] * (1 - right_share) + rows[below + upper] * right_share
    found = (first * (1 - low_share) + second * low_share).astype(np.float32)
    return np.asarray(found).reshape(SIDES[0], SIDES[0], 3)


@cache
def directions(side: int) -> Array:
    """[3, side · side] f32: the directions x, y, z (length 1) of the texels of an octahedral map, row by
    row.
    """
    at = ((np.arange(side) + 0.5) * 2 / side - 1).astype(np.float32)
    x, z = np.meshgrid(at, at)
    y = 1 - np.abs(x) - np.abs(z)
    fold = np.maximum(-y, 0)
    found = np.stack((x - np.copysign(fold, x), y, z - np.copysign(fold, z))).reshape(3, -1)
    return np.asarray(found / np.sqrt((found * found).sum(axis=0)))


def _texels(x: Array, y: Array, z: Array, side: int) -> Array:
    """The number of the texel of an octahedral map in each direction."""
    scale = 0.5 * side / (np.abs(x) + np.abs(y) + np.abs(z))
    across, down = x * scale, z * scale
    half = np.float32(0.5 * side)
    folded_across, folded_down = half - np.abs(down), half - np.abs(across)
    below = y < 0
    across = np.where(below, np.copysign(folded_across, across), across) + half
    down = np.where(below, np.copysign(folded_down, down), down) + half
    column, row = across.astype(np.int32), down.astype(np.int32)
    return np.asarray(np.minimum(row, side - 1) * side + np.minimum(column, side - 1))


def _bordered(level: Array) -> Array:
    """A level with a border of one texel, in which the map continues: beyond an edge it goes on at the
    mirrored place of the same edge.
    """
    side = len(level)
    out = np.empty((side + 2, side + 2, 3), np.float32)
    out[1:-1, 1:-1] = level
    out[0, 1:-1], out[-1, 1:-1] = level[0, ::-1], level[-1, ::-1]
    out[:, 0], out[:, -1] = out[::-1, 1], out[::-1, -2]
    return out


def _halved(picture: Array) -> Array:
    """Average squares of 2 × 2 texels."""
    rows = picture[0::2] + picture[1::2]
    return np.asarray((rows[:, 0::2] + rows[:, 1::2]) * np.float32(0.25))


def _hammersley(count: int) -> tuple[Array, Array]:
    """`count` evenly spread points of a unit square."""
    number = np.arange(count, dtype=np.uint32)
    reversed_bits = np.zeros(count)
    for bit in range(16):
        reversed_bits += (number >> np.uint32(bit) & np.uint32(1)) * 0.5 ** (bit + 1)
    return (number + 0.5) / count, reversed_bits


def _half_ways(roughness: float, count: int) -> Array:
    """[3, count]: normals of the microfacets (GGX) around the direction z, drawn by their density times z."""
    first, second = _hammersley(count)
    squared = max(roughness, 1e-3) ** 4
    cosine = np.sqrt((1 - second) / (1 + (squared - 1) * second))
    sine = np.sqrt(1 - cosine * cosine)
    return np.stack((sine * np.cos(2 * np.pi * first), sine * np.sin(2 * np.pi * first), cosine))


def _sampled(soft: list[Array], side: int, roughness: float) -> Array:
    """[side, side, 3]: the light that a surface of this roughness reflects, seen along its normal, from
    `count` directions around the normal.

    `soft` are the softened environment and its halves. A direction that stands for many directions is looked
    up in a smaller one, in which a texel has the light around it.
    """
    half, squared = _half_ways(roughness, SAMPLES), roughness**4
    towards = 2 * half[2] * half
    towards[2] -= 1
    density = squared / (np.pi * (half[2] ** 2 * (squared - 1) + 1) ** 2) / 4
    reach = np.sqrt(
        1 / (SAMPLES * density)
    )  # side of the square of directions that each stands for, in radians
    halvings = np.log2(reach * len(soft[0]) / np.pi) - 1
    levels = np.clip(np.round(halvings), 0, len(soft) - 1).astype(int)
    x, y, z = directions(side)
    across = np.where(np.abs(y) < 0.9, np.stack((z, 0 * y, -x)), np.stack((0 * x, z, -y)))
    across /= np.sqrt((across * across).sum(axis=0))
    up = np.stack(
        (y * across[2] - z * across[1], z * across[0] - x * across[2], x * across[1] - y * across[0])
    )
    normal, total = np.stack((x, y, z)), np.zeros((side * side, 3), np.float32)
    weights = np.maximum(towards[2], 0).astype(np.float32)
    for (a, b, c), weight, level in zip(towards.T.astype(np.float32), weights, levels, strict=True):
        source = soft[level]
        x, y, z = a * across + b * up + c * normal
        texels = _texels(x, y, z, len(source))
        total += source.reshape(-1, 3)[texels] * weight
    return np.asarray(total / weights.sum()).reshape(side, side, 3)


def _summed(light: Array, side: int, roughness: float) -> Array:
    """[side, side, 3]: the same as `_sampled`, from all directions of an environment [n, n, 3]."""
    cosines = directions(side).T @ directions(len(light))
    squared = np.float32(roughness**4)
    spread = (0.5 + 0.5 * cosines) * (squared - 1) + 1
    weights = np.maximum(cosines, 0) / (spread * spread) * _areas(len(light)).astype(np.float32)
    found = weights @ light.reshape(-1, 3) / weights.sum(axis=1, keepdims=True)
    return np.asarray(found, np.float32).reshape(side, side, 3)


def _areas(side: int) -> Array:
    """[side · side]: the share of all directions that each texel of an octahedral map has."""
    areas = np.abs(directions(side).astype(np.float64)).sum(axis=0) ** 3
    return np.asarray(areas / areas.sum())


def _softened(level: Array) -> Array:
    """Blur a level over 5 × 5 texels."""
    for _ in range(2):
        wide = _bordered(level)
        rows = wide[:-2] + 2 * wide[1:-1] + wide[2:]
        level = (rows[:, :-2] + 2 * rows[:, 1:-1] + rows[:, 2:]) / np.float32(16)
    return level


def _harmonics(light: Array) -> Array:
    """The coefficients `diffuse` of an octahedral map, see `Environment`."""
    x, y, z = directions(len(light)).astype(np.float64)
    basis = np.stack((1 + 0 * x, y, z, x, x * y, y * z, 3 * z * z - 1, x * z, x * x - y * y))
    norms = np.array((1, 3, 3, 3, 15, 15, 5 / 4, 15, 15 / 4))
    bands = np.array((1, 2 / 3, 2 / 3, 2 / 3, 1 / 4, 1 / 4, 1 / 4, 1 / 4, 1 / 4))
    found = basis * _areas(len(light)) @ light.reshape(-1, 3) * (norms * bands)[:, None]
    return np.asarray(found, np.float32)


@cache
def reflection_table() -> Array:
    """[32, 32, 2] f32: the factor of the colour of the reflection and the share beside it, by roughness
    (rows) and by the cosine between the normal and the viewer (columns).
    """
    at = (np.arange(TABLE_SIDE) + 0.5) / TABLE_SIDE
    out = np.empty((TABLE_SIDE, TABLE_SIDE, 2), np.float32)
    for row, roughness in enumerate(at):
        facing = at[:, None]
        half = _half_ways(roughness, 256)
        aligned = np.sqrt(1 - facing**2) * half[0] + facing * half[2]
        towards = np.maximum(2 * aligned * half[2] - facing, 0)
        squared = roughness**4
        from_viewer = towards * np.sqrt(facing**2 * (1 - squared) + squared)
        from_light = facing * np.sqrt(towards**2 * (1 - squared) + squared)
        seen = 2 * towards * facing / np.maximum(from_viewer + from_light, 1e-9)  # Smith, both sides
        share = seen * np.maximum(aligned, 0) / (half[2] * facing)
        fresnel = (1 - np.clip(aligned, 0, 1)) ** 5
        out[row, :, 0] = (share * (1 - fresnel)).mean(axis=1)
        out[row, :, 1] = (share * fresnel).mean(axis=1)
    return out
