"""A row of balls, each with a material of its own, for pictures of light."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tests.synthetic import vertex_buffer
from viewer.scene.material import Material, PhysicalSurface
from viewer.scene.model import Geometry, IndexBuffer, Lod, Model, Primitive

RINGS, SIDES = 48, 64
APART = 2.2
"""Distance between the middles of neighbours, whose radius is 1."""
WHITE = (1.0, 1.0, 1.0, 1.0)


def metal(roughness: float, color: tuple[float, float, float, float] = WHITE) -> Material:
    """A metal of this colour."""
    return Material("metal", diffuse=color, surface=PhysicalSurface(roughness, 1.0))


def dielectric(roughness: float, color: tuple[float, float, float, float] = WHITE) -> Material:
    """A surface of this colour that reflects 4 % (sRGB 0.22) straight back."""
    surface = PhysicalSurface(roughness)
    return Material("dielectric", diffuse=color, specular=(0.22, 0.22, 0.22, 1.0), surface=surface)


def balls(materials: Sequence[Material]) -> Model:
    """A model with a ball of radius 1 for each material, in a row along x around the origin."""
    across, down = np.meshgrid(np.arange(SIDES + 1) / SIDES, np.arange(RINGS + 1) / RINGS)
    around, polar = across.ravel() * 2 * np.pi, down.ravel() * np.pi
    sine = np.sin(polar)
    normal = np.stack((sine * np.sin(around), np.cos(polar), sine * np.cos(around)), axis=1)
    first = (np.arange(RINGS)[:, None] * (SIDES + 1) + np.arange(SIDES)).ravel()
    below = first + SIDES + 1
    corners = np.stack((first, below, first + 1, first + 1, below, below + 1), axis=1)
    corners = corners.astype(np.uint32).ravel()
    buffers, geometries = [], []
    for number, _ in enumerate(materials):
        middle = ((number - (len(materials) - 1) / 2) * APART, 0, 0)
        position = (normal + middle).astype(np.float32)
        buffers.append(vertex_buffer(position=position, normal=normal.astype(np.float32)))
        lod = Lod(0.0, (number,), 0, 0, len(corners), Primitive.TRIANGLES)
        geometries.append(Geometry(f"ball {number}", (lod,), material=number))
    return Model(
        "balls",
        vertex_buffers=tuple(buffers),
        index_buffers=(IndexBuffer(corners),),
        geometries=tuple(geometries),
        materials=tuple(materials),
    )
