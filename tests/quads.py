"""Small painted quads, and where to look at their pictures of 16 × 16 pixels."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.synthetic import QUAD, model_of, vertex_buffer
from viewer.arrays import Array
from viewer.scene.camera import Orbit
from viewer.scene.choices import LightKind, Shading
from viewer.scene.display import DisplayOptions
from viewer.scene.material import Image, Material, Texture
from viewer.scene.model import Model

FRONT = Orbit(yaw=0.0, pitch=0.0, distance=4.0)
NORMALS = np.tile(np.array((0, 0, 1), np.float32), (4, 1))
UV = np.array(((0, 1), (1, 1), (1, 0), (0, 0)), np.float32)
MIRROR = np.diag((-1.0, 1.0, 1.0, 1.0))
RED, GREEN, BLUE, WHITE = (255, 0, 0, 255), (0, 255, 0, 255), (0, 0, 255, 255), (255, 255, 255, 255)


def display_options(shading: Shading | None = None, **options: Any) -> DisplayOptions:
    """On black, without aids; unlit unless a shading is chosen."""
    if shading is None:
        shading, options["light"] = Shading.LIT, LightKind.UNLIT
    return DisplayOptions(shading=shading, grid=False, axes=False, background=(0.0, 0.0, 0.0, 1.0), **options)


def quad(material: Material | None = None, textures: tuple[Texture, ...] = (), **fields: Any) -> Model:
    """A quad of size 2 in the x-y plane that looks along +z."""
    columns = {"position": QUAD, "normal": NORMALS, "uv0": UV, **fields.pop("columns", {})}
    materials = () if material is None else (material,)
    geometry = {"material": 0 if materials else None}
    return model_of(
        vertex_buffer(**columns), geometry=geometry, materials=materials, textures=textures, **fields
    )


def middle(pixels: Array) -> list[int]:
    """The pixel in the middle."""
    return [int(value) for value in pixels[8, 8]]


def two_by_two(*colors: tuple[int, int, int, int]) -> Image:
    """A picture of four pixels, row by row."""
    return Image((np.array(colors, np.uint8).reshape(2, 2, 4),))
