"""The placeholders of missing colour textures: clay, a soft round spot or tone, or a checker."""

from __future__ import annotations

import colorsys
import zlib
from functools import lru_cache

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from viewer.arrays import Color
from viewer.gpu.texture import checker
from viewer.scene.choices import MissingTextures
from viewer.scene.material import Image, Material, Texture

CHECKERED = Texture("checker")
CLAMPED = Texture("spot", address=("clamp", "clamp"))
ADDING = ("add", "addalpha", "subtract", "subtractalpha")
MULTIPLYING = ("zero", "dst_color", "one_minus_dst_color")
"""Source factors of blend modes that multiply the colours behind the surface instead of covering them."""
SPOT_SIZE = 64
KEPT_PICTURES = 16
"""The number of spot images in the cache, one per blend mode."""
TONE = 0.3
"""Brightness in the middle of a spot that adds light to a mesh: as bright as a reflection, not as a lamp."""
SHADE = 0.4
"""Brightness in the middle of a spot that multiplies the colours behind it."""
GROUND_ALPHA = (225, 225, 225, 255)
"""The texel (sRGB) of clay that gets its colour from the material. It is not white, because no paint reflects
all light.
"""
WARMEST, COLDEST = 0.05, 0.70
"""Range of the hues of clay, 0..1; pink is left out, because it looks like the checker."""
SATURATION, VALUES = 0.26, (0.62, 0.74)
COLORFUL, DARKEST = 0.06, 0.12
"""A diffuse colour counts as coloured if the largest difference between its channels is above the first
limit, and its largest channel is above the second limit.
"""
MATTE = (0.0, 0.0, 0.0, 1.0)


class Placeholder(Struct, frozen=True, eq=False):
    """The replacement of a missing texture, and the material to draw with it.

    Placeholders of equal `key` have equal images. An `optional` placeholder may be left out if another
    material is drawn below it.
    """

    key: str
    image: Image
    texture: Texture
    material: Material
    optional: bool = False


def placeholder(material: Material, name: str, missing: MissingTextures, effect: bool = False) -> Placeholder:
    """Return the placeholder of a material whose colour texture is missing; `effect` is true for particles
    and ribbons.

    `name` chooses the hue of clay if the material has no colour.
    """
    if missing is MissingTextures.CHECKER and not effect:
        return Placeholder("checker", checker(), CHECKERED, material)
    if effect or _adds(material.blend) or _multiplies(material.blend):
        return _spot(material, TONE if _adds(material.blend) and not effect else 1.0)
    return _clay(material, name)


@lru_cache(KEPT_PICTURES)
def spot(blend: str, strength: float = 1.0) -> Image:
    """Make a soft round spot [64, 64, 4] u8 whose edge leaves the picture unchanged in this blend mode.

    `strength` 0..1 is the spot's effect in its middle.
    """
    steps = (np.arange(SPOT_SIZE) + 0.5) / SPOT_SIZE * 2 - 1
    inside = np.clip(1 - np.hypot(*np.meshgrid(steps, steps)), 0, 1)[..., None] ** 2 * strength
    outer, middle = _spot_colors(blend)
    pixels = np.concatenate((outer + (middle - outer) * inside.repeat(3, axis=2), inside), axis=2)
    return Image((np.round(pixels * 255).astype(np.uint8),), "spot")


def _spot_colors(blend: str) -> tuple[float, float]:
    """Return the grey values 0..1 of a spot: at its edge and in its middle."""
    if blend in ("alpha", "addalpha", "subtractalpha", "replace") or blend.startswith("src_alpha"):
        return 1.0, 1.0  # only the alpha channel makes the spot round
    if blend in ("multiply", "dst_color zero", "zero src_color"):
        return 1.0, SHADE
    if blend in ("dst_color src_color",):
        return 0.5, 0.5 * SHADE
    return 0.0, 1.0


def _spot(material: Material, strength: float) -> Placeholder:
    """Make a spot. With a sphere map it is a highlight, which follows the viewer."""
    drawn = replace(material, unlit=True, specular=MATTE, depth_write=False)
    if material.blend == "replace":
        drawn = replace(drawn, blend="alpha")
    if _multiplies(material.blend):
        drawn = replace(drawn, diffuse=(1.0, 1.0, 1.0, 1.0))
    image = spot(material.blend, strength)
    return Placeholder(f"spot {material.blend} {strength}", image, CLAMPED, drawn)


def _clay(material: Material, name: str) -> Placeholder:
    """Make matte, opaque clay, which fades like the material. If only the vertex colours of a missing
    material are known, the clay has these colours.
    """
    own = _own_color(material)
    texel = GROUND_ALPHA if own or (material.missing and material.vertex_color) else hue(name)
    drawn = replace(
        material,
        diffuse=material.diffuse if own else (1.0, 1.0, 1.0, material.diffuse[3]),
        specular=MATTE,
        emissive=(0.0, 0.0, 0.0),
        alpha_mask=None,
        cull="none" if material.missing else material.cull,
        unlit=False,
        sphere=False,
        depth_test=True,
        depth_write=True,
    )
    image = Image((np.array([[texel]], np.uint8),), "clay")
    return Placeholder(f"clay {texel}", image, Texture("clay"), drawn, optional=True)


def hue(name: str) -> tuple[int, int, int, int]:
    """Return a soft colour (sRGB u8 with alpha) that depends only on `name`."""
    bits = zlib.crc32(name.encode("utf-8", "replace"))
    angle = WARMEST + (COLDEST - WARMEST) * (bits & 0xFFFF) / 0xFFFF
    value = VALUES[0] + (VALUES[1] - VALUES[0]) * (bits >> 16) / 0xFFFF
    red, green, blue = (round(each * 255) for each in colorsys.hsv_to_rgb(angle, SATURATION, value))
    return red, green, blue, 255


def _own_color(material: Material) -> Color | None:
    """Return the diffuse colour of a material; None if it is white, grey or black."""
    color = material.diffuse
    spread = max(color[:3]) - min(color[:3])
    return color if spread > COLORFUL and max(color[:3]) > DARKEST else None


def _adds(blend: str) -> bool:
    return blend in ADDING or blend.endswith(" one")


def _multiplies(blend: str) -> bool:
    return blend == "multiply" or blend.split()[0] in MULTIPLYING
