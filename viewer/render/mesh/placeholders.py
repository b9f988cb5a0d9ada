"""The placeholders of missing colour textures: clay, a soft round spot, or a checker."""

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
"""The source factors of blends that multiply the picture instead of covering it."""
SPOT_SIZE = 64
KEPT_PICTURES = 16
"""The number of pictures of spots that are kept, one for each blend."""
SHADE = 0.4
"""The factor by which a multiplying spot darkens its middle."""
GROUND_ALPHA = (225, 225, 225, 255)
"""sRGB of clay that takes its colour from the material: no paint reflects more."""
WARMEST, COLDEST = 0.05, 0.70
"""The range of the hues of clay; pink is left out, because it reads as a checker."""
SATURATION, VALUES = 0.26, (0.62, 0.74)
COLORFUL, DARKEST = 0.06, 0.12
"""The smallest difference of channels, and the smallest largest channel, of a material's own
diffuse colour."""
MATTE = (0.0, 0.0, 0.0, 1.0)


class Placeholder(Struct, frozen=True, eq=False):
    """The replacement of a missing texture, and the material drawn with it.

    Placeholders of equal `key` have equal images. `optional`: it may be left out above another material.
    """

    key: str
    image: Image
    texture: Texture
    material: Material
    optional: bool = False


def placeholder(material: Material, name: str, missing: MissingTextures, effect: bool = False) -> Placeholder:
    """The placeholder of a material without its colour texture; `effect`: of a particle or a ribbon.

    `name` chooses the hue of clay for a material without a colour of its own.
    """
    if missing is MissingTextures.CHECKER and not effect:
        return Placeholder("checker", checker(), CHECKERED, material)
    if effect or _adds(material.blend) or _multiplies(material.blend):
        return _spot(material)
    return _clay(material, name)


@lru_cache(KEPT_PICTURES)
def spot(blend: str) -> Image:
    """A soft round spot, [64, 64, 4] u8, that leaves the picture around it unchanged in this blend."""
    steps = (np.arange(SPOT_SIZE) + 0.5) / SPOT_SIZE * 2 - 1
    inside = np.clip(1 - np.hypot(*np.meshgrid(steps, steps)), 0, 1)[..., None] ** 2
    outer, middle = _spot_colors(blend)
    pixels = np.concatenate((outer + (middle - outer) * inside.repeat(3, axis=2), inside), axis=2)
    return Image((np.round(pixels * 255).astype(np.uint8),), "spot")


def _spot_colors(blend: str) -> tuple[float, float]:
    """Grey, 0..1, at the edge and in the middle of a spot."""
    if blend in ("alpha", "addalpha", "subtractalpha", "replace") or blend.startswith("src_alpha"):
        return 1.0, 1.0  # alpha makes it round
    if blend in ("multiply", "dst_color zero", "zero src_color"):
        return 1.0, SHADE
    if blend in ("dst_color src_color",):
        return 0.5, 0.5 * SHADE
    return 0.0, 1.0


def _spot(material: Material) -> Placeholder:
    drawn = replace(material, unlit=True, sphere=False, specular=MATTE, depth_write=False)
    if material.blend == "replace":
        drawn = replace(drawn, blend="alpha")
    if _multiplies(material.blend):
        drawn = replace(drawn, diffuse=(1.0, 1.0, 1.0, 1.0))
    return Placeholder(f"spot {material.blend}", spot(material.blend), CLAMPED, drawn)


def _clay(material: Material, name: str) -> Placeholder:
    """Matte and opaque clay, which fades like the material."""
    own = _own_color(material)
    texel = GROUND_ALPHA if own else hue(name)
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
    """A soft colour, sRGB u8, that depends on the name alone."""
    bits = zlib.crc32(name.encode("utf-8", "replace"))
    angle = WARMEST + (COLDEST - WARMEST) * (bits & 0xFFFF) / 0xFFFF
    value = VALUES[0] + (VALUES[1] - VALUES[0]) * (bits >> 16) / 0xFFFF
    red, green, blue = (round(each * 255) for each in colorsys.hsv_to_rgb(angle, SATURATION, value))
    return red, green, blue, 255


def _own_color(material: Material) -> Color | None:
    """The diffuse colour of a material, unless it is white, grey or black."""
    color = material.diffuse
    spread = max(color[:3]) - min(color[:3])
    return color if spread > COLORFUL and max(color[:3]) > DARKEST else None


def _adds(blend: str) -> bool:
    return blend in ADDING or blend.endswith(" one")


def _multiplies(blend: str) -> bool:
    return blend == "multiply" or blend.split()[0] in MULTIPLYING
