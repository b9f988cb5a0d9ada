"""Textures on the GPU, and the checker for missing textures."""

from __future__ import annotations

import moderngl
import numpy as np

from viewer.arrays import Array
from viewer.gpu.mip_levels import draws_in_software, makes_levels, write_levels
from viewer.scene.material import Image, Texture
from viewer.scene.texture_images import smaller_levels

RGBA8, SRGB8_ALPHA8 = 0x8058, 0x8C43
FILTERS = {
    "nearest": (moderngl.NEAREST, moderngl.NEAREST),
    "bilinear": (moderngl.LINEAR_MIPMAP_NEAREST, moderngl.LINEAR),
    "trilinear": (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR),
    "anisotropic": (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR),
}
"""The minifying and magnifying filters for each `Texture.filter`; other names mean trilinear."""
UNMIPPED = {"nearest": (moderngl.NEAREST, moderngl.NEAREST)}
LEVEL = Texture("level", address=("clamp", "clamp"))
"""How a mip level that is shown alone is sampled."""
CHECKS = 8
DARK, BRIGHT = (70, 20, 70, 255), (220, 60, 210, 255)


def image_texture(ctx: moderngl.Context, image: Image, description: Texture, srgb: bool) -> moderngl.Texture:
    """Upload an image with its own mip levels, or with generated levels if it has only one.

    The first row is at v = 0. `srgb` is True if the values are sRGB colours, which GL converts to linear
    colours for the shader; alpha is always linear. GL's texture only wraps or clamps, because the shader
    applies mirrored addressing and border colours.
    """
    levels, size = _fitting(image), image.size
    del image
    if description.alpha_reference and description.mipmaps:
        levels = covering(levels, description.alpha_reference)
    internal = SRGB8_ALPHA8 if srgb else RGBA8
    made = ctx.texture(size, 4, np.ascontiguousarray(levels[0]), alignment=1, internal_format=internal)
    stored = levels[1:]
    made.repeat_x, made.repeat_y = (mode in ("wrap", "mirror") for mode in description.address)
    if not description.mipmaps:
        made.filter = UNMIPPED.get(description.filter, (moderngl.LINEAR, moderngl.LINEAR))
        return made
    if makes_levels(ctx, size):
        write_levels(made, internal, stored or smaller_levels(levels.pop(), srgb))
    else:
        levels.clear()  # Mesa copies the first level now, so its pixels can be freed
        made.build_mipmaps(0, len(stored) or 1000)
        for number, level in enumerate(stored, start=1):
            made.write(np.ascontiguousarray(level), level=number, alignment=1)
    made.filter = FILTERS.get(description.filter, FILTERS["trilinear"])
    sharp = description.filter == "anisotropic" and not draws_in_software(ctx)
    made.anisotropy = float(description.anisotropy) if sharp else 1.0
    return made


def level_texture(ctx: moderngl.Context, pixels: Array) -> moderngl.Texture:
    """Upload one mip level [height, width, 4] u8 to show it alone; smaller levels are generated."""
    return image_texture(ctx, Image((pixels,)), LEVEL, srgb=False)


def _fitting(image: Image) -> list[Array]:
    """The mip levels of an image before the first level of a wrong size. Each level must be half as large as
    the level before; damaged files may have levels of other sizes.
    """
    width, height = image.size
    kept = []
    for number, level in enumerate(image.levels):
        if level.shape != (max(1, height >> number), max(1, width >> number), 4):
            break
        kept.append(level)
    return kept


def covering(levels: list[Array], reference: float) -> list[Array]:
    """Scale the alpha of the mip levels [height, width, 4] u8. In every level the same share of pixels then
    has at least the alpha `reference` 0..1. Otherwise leaves and grass with an alpha test would vanish at a
    distance, because the mean alpha of a thin blade is low. Missing levels are generated.
    """
    levels = [*levels, *smaller_levels(levels[-1], srgb=False)]
    least = max(int(np.ceil(reference * 255)), 1)
    share = np.count_nonzero(levels[0][..., 3] >= least) / levels[0][..., 3].size
    return [levels[0], *(_scaled_alpha(level, share, least) for level in levels[1:])]


def _scaled_alpha(level: Array, share: float, least: int) -> Array:
    """The level with scaled alpha: a fraction `share` of its pixels then has an alpha of at least `least`."""
    alpha = level[..., 3]
    passing = round(share * alpha.size)
    if not passing or passing == alpha.size:
        return level
    edge = int(np.partition(alpha, alpha.size - passing, axis=None)[alpha.size - passing])
    if not edge:
        return level
    scaled = level.copy()
    scaled[..., 3] = np.minimum(np.ceil(alpha * (least / edge)), 255)
    return scaled


def checker() -> Image:
    """The checker that is drawn in place of a missing texture, in bright colours that are easy to notice."""
    parity = np.indices((CHECKS, CHECKS)).sum(axis=0) % 2
    return Image((np.array((DARK, BRIGHT), np.uint8)[parity].repeat(8, axis=0).repeat(8, axis=1),), "checker")
