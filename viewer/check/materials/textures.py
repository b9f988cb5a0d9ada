"""Rules for the pictures of textures: their sizes and their mip levels."""

from __future__ import annotations

from collections.abc import Iterator

from viewer.check.check_context import CheckContext
from viewer.check.materials.engine_pictures import refusal, remark
from viewer.check.materials.pictures import CheckedPicture
from viewer.check.rule import MOST_ITEMS, Found, Rule
from viewer.family import registry
from viewer.scene.finding import Severity
from viewer.scene.items import TextureItem
from viewer.scene.material import ImageHeader
from viewer.scene.needs import UNREADABLE

CLIENT = "WoW"
"""The family whose engine accepts only powers of two."""


def unreadable(context: CheckContext) -> Iterator[Found]:
    """Report textures whose picture file exists but cannot be read by Rigscope or by the engine."""
    for need in context.needs:
        if need.rule == UNREADABLE:
            read = remark(context.family, need.error)
            text = f"{need.text}{read and f'; Rigscope does not read it, {read}'}"
            yield Found(text, need.items[:MOST_ITEMS], file=need.found or "", need=need)
    for picture in context.pictures:
        if picture.header is not None:
            why = refusal(context.family, picture.header.encoding, picture.texture.path or "")
            if why:
                yield _finding(picture, f"is read by Rigscope, but perhaps not by the engine: {why}")


def too_large(context: CheckContext) -> Iterator[Found]:
    """Report pictures with a side beyond the limit."""
    limit = context.limits.texture_size
    for picture, header in _with_headers(context):
        if limit is not None and max(header.width, header.height) > limit:
            yield _finding(picture, f"has {_size(header)} pixels; the limit is {limit}")


def odd_sizes(context: CheckContext) -> Iterator[Found]:
    """Report textures whose sides are no powers of two, if they are repeated or have mip levels."""
    for picture, header in _with_headers(context):
        repeated = "wrap" in picture.texture.address or picture.texture.mipmaps
        if context.family != CLIENT and repeated and not _is_power(header):
            yield _finding(picture, f"has {_size(header)} pixels")


def block_sizes(context: CheckContext) -> Iterator[Found]:
    """Report compressed pictures whose sides are no multiples of the block size."""
    for picture, header in _with_headers(context):
        if header.block > 1 and (header.width % header.block or header.height % header.block):
            large = header.width > header.block or header.height > header.block
            if large or context.family != CLIENT:
                blocks = f"{header.block} × {header.block}"
                yield _finding(picture, f"has {_size(header)} pixels in blocks of {blocks}")


def wrong_levels(context: CheckContext) -> Iterator[Found]:
    """Report pictures with truncated or wrongly sized levels, for a checked model. If the checked file itself
    is a picture, another rule reports these levels with their bytes.
    """
    for picture, header in _with_headers(context):
        if header.damage and context.model is not None:
            yield _finding(picture, f"({header.encoding}): {header.damage}")


def missing_levels(context: CheckContext) -> Iterator[Found]:
    """Report compressed pictures and pictures with palettes that lack mip levels: no engine calculates
    them. A palette picture with a single level needs no others: the pictures of menus are stored so.
    """
    for picture, header in _with_headers(context):
        incomplete = header.levels < header.full_levels and not header.damage
        stored = header.block > 1 or (header.palette and header.levels > 1)
        if stored and incomplete and picture.texture.mipmaps:
            of = f"has {header.levels} of {header.full_levels} levels"
            yield _finding(picture, f"{of} ({_size(header)} pixels, {header.encoding})")


def _with_headers(context: CheckContext) -> Iterator[tuple[CheckedPicture, ImageHeader]]:
    for picture in context.pictures:
        if picture.header is not None:
            yield picture, picture.header


def _finding(picture: CheckedPicture, what: str) -> Found:
    texture = picture.texture
    return Found(f"texture {texture.name} {what}", (TextureItem(picture.number),), file=texture.path or "")


def _is_power(header: ImageHeader) -> bool:
    return all(side > 0 and side & (side - 1) == 0 for side in (header.width, header.height))


def _size(header: ImageHeader) -> str:
    return f"{header.width} × {header.height}"


RULES = (
    Rule(
        "texture/unreadable",
        Severity.WARNING,
        "The picture of a texture cannot be read",
        unreadable,
        registry.need_effects("texture"),
        "Convert the picture again.",
        "texture skin.png cannot be read: the file ends in its header",
    ),
    Rule(
        "texture/too-large",
        Severity.WARNING,
        "A texture is larger than the limit of the project",
        too_large,
        {
            "": (
                "The texture costs memory and loading time. Graphics cards that do not support textures of "
                "this size do not draw it."
            )
        },
        "Make the picture smaller, or set a larger limit for this file in the settings.",
        "texture skin.png has 4096 × 4096 pixels; the limit is 2048",
    ),
    Rule(
        "texture/power-of-two",
        Severity.NOTE,
        "The sides of a texture are no powers of two",
        odd_sizes,
        {
            "": (
                "Old graphics cards and OpenGL ES 2 cannot repeat such a texture, and cannot use its mip "
                "levels."
            )
        },
        "Scale the picture to sides such as 256, 512 or 1024.",
        "texture skin.png has 300 × 200 pixels",
    ),
    Rule(
        "texture/block-size",
        Severity.WARNING,
        "The sides of a compressed texture are no multiples of its block size",
        block_sizes,
        {"": "Direct3D does not create the texture; OpenGL draws it."},
        "Scale the picture to sides that are multiples of 4 before compressing it.",
        "texture skin.dds has 130 × 128 pixels in blocks of 4 × 4",
    ),
    Rule(
        "texture/mip-chain",
        Severity.WARNING,
        "The mip levels of a texture are cut off or have a wrong size",
        wrong_levels,
        {"": "From afar the texture shows unrelated bytes, or the engine does not load the texture."},
        "Convert the picture again, either with all mip levels or without mip levels.",
        "texture skin.dds (DDS DXT1): 3 of 10 levels are in the file",
    ),
    Rule(
        "texture/missing-mips",
        Severity.NOTE,
        "A compressed texture, or one with a palette, lacks mip levels",
        missing_levels,
        {
            "": (
                "Engines do not calculate mip levels of compressed pictures or of pictures with palettes: "
                "from afar the surface flickers."
            )
        },
        "Convert the picture with all mip levels down to one pixel.",
        "texture skin.dds has 1 of 10 levels (512 × 512 pixels, DDS DXT1)",
    ),
)
