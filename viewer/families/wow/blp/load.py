"""Read BLP files as images, and as documents with their tree."""

from __future__ import annotations

from pathlib import PurePath

import numpy as np

from viewer.binary import Cursor, Record, Span, Struct, tile
from viewer.binary.whole_file import read_whole
from viewer.errors import FormatError, Report, Topic, counted
from viewer.families.wow.blp.layout import BLP1, BLP2, DXT
from viewer.families.wow.blp.levels import (
    MipLevel,
    decode_level,
    encoding_name,
    has_palette,
    level_size,
    levels_of,
)
from viewer.family.format import OpenedFile
from viewer.scene.document import Document
from viewer.scene.material import Image, ImageHeader
from viewer.storage.image import check_size

MAGICS = (b"BLP1", b"BLP2")
BLOCK = 4
"""Side of a block in pixels."""
SMALL = 64
"""A small picture is made from the smallest mip level whose longer side has at least this length in pixels.
The cost of the small picture is the number of pixels of this level.
"""


def is_blp(data: bytes, suffix: str) -> bool:
    """Return whether a file is a BLP image, by its magic."""
    return data.startswith(MAGICS)


def decode_blp(data: bytes) -> Image:
    """Return the image with all its levels. If a smaller level is unreadable, this level and all levels after
    it are left out with a warning. FormatError if the largest level is unreadable.
    """
    header = layout_of(data).read(Cursor(data))
    check_size(header.width, header.height)
    first, *rest = levels_of(header, len(data))
    pictures = [decode_level(header, first, data)]
    warnings: tuple[str, ...] = ()
    for level in rest:
        try:
            pictures.append(decode_level(header, level, data))
        except FormatError as error:
            warnings = (f"{counted(len(rest) + 1 - level.number, 'smaller level')} left out: {error.why}",)
            break
    return Image(tuple(pictures), encoding_name(header), warnings)


def decode_small_blp(data: bytes, side: int) -> Image:
    """Return the image with a single level: the smallest level whose longer side has at least `side` pixels.
    If this level is missing or unreadable, the largest level is returned. FormatError if the largest level is
    unreadable too.
    """
    header = layout_of(data).read(Cursor(data))
    check_size(header.width, header.height)
    levels = levels_of(header, len(data))
    level = next((each for each in reversed(levels) if max(each.width, each.height) >= side), levels[0])
    try:
        pixels = decode_level(header, level, data)
    except FormatError:
        pixels = decode_level(header, levels[0], data)
    return Image((pixels,), encoding_name(header))


def blp_header(data: bytes) -> ImageHeader:
    """Return the facts in the header, and the faults of the levels. FormatError if no level is readable."""
    header = layout_of(data).read(Cursor(data))
    levels = levels_of(header, len(data))
    width, height = int(header.width), int(header.height)
    made = ImageHeader(encoding_name(header), width, height, bool(header.alpha_bits), block=1)
    listed = int(np.count_nonzero((header.offsets != 0) & (header.sizes != 0)))
    declared = min(listed, made.full_levels)
    small = next((each for each in reversed(levels) if max(each.width, each.height) >= SMALL), levels[0])
    return made._replace(
        levels=declared,
        stored=len(levels),
        block=BLOCK if header.magic == "BLP2" and header.encoding == DXT else 1,
        damage=_damage(header, levels, declared),
        cost=small.width * small.height,
        palette=has_palette(header),
    )


def _damage(header: Struct, levels: list[MipLevel], declared: int) -> str:
    """The first fault of the levels, or an empty text. The largest level may have surplus bytes; levels
    smaller than a block may have too few bytes.
    """
    for level in levels:
        needed = level_size(header, level)
        cut = level.number and min(level.width, level.height) < BLOCK
        if needed is None:
            continue
        if (level.number and level.size > needed) or (level.size < needed and not cut):
            size = f"{level.width} × {level.height}"
            return f"level {level.number} of {size} pixels has {level.size} bytes; it needs {needed}"
    return f"{len(levels)} of {declared} levels are in the file" if len(levels) < declared else ""


def load_blp(file: OpenedFile) -> Document:
    """Read an image as a document, with the spans of its header and its levels."""
    path, data = file.path, file.data
    report = Report()
    layout = layout_of(data)
    header = read_whole(layout, data, path, report)
    image, levels = None, []
    if report.complete:
        try:
            levels = levels_of(header, len(data))
            image = decode_blp(data)
            for text in image.warnings:
                offset = levels[len(image.levels)].offset
                report.warn(text, topic=Topic.PICTURE, offset=offset)
        except FormatError as error:
            error.file, error.topic = str(path), Topic.PICTURE
            report.fail(error)
    return Document(
        path=str(path),
        format="BLP picture",
        version=encoding_name(header) if report.complete else header.get("magic", ""),
        data=data,
        root=_tree(layout, header, levels, path, data),
        content=image,
        report=report,
    )


def layout_of(data: bytes) -> Record:
    """Return the layout of the file, by its magic."""
    return BLP1 if data.startswith(b"BLP1") else BLP2


def _tree(layout: Record, header: Struct, levels: list[MipLevel], path: PurePath, data: bytes) -> Span:
    """The root span, with the header fields, the levels, and the bytes between them."""

    def children() -> list[Span]:
        fields = layout.span(path.name, header, 0, header.marks[-1]).children
        pixels = [
            Span(
                f"level {level.number}", level.offset, level.size, "pixels", f"{level.width} × {level.height}"
            )
            for level in levels
        ]
        return tile([*fields, *pixels], 0, len(data), data)

    error = str(header.error.why) if header.error else ""
    encoding = encoding_name(header) if header.error is None else None
    return Span(path.name, 0, len(data), layout.name, encoding, children=children, error=error)
