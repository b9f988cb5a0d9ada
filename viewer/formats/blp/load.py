"""BLP files to images, and to documents with their tree."""

from __future__ import annotations

from pathlib import PurePath

from viewer.binary import Cursor, Record, Span, Struct, tile
from viewer.errors import FormatError, Report, Topic, counted
from viewer.formats.blp.layout import BLP1, BLP2
from viewer.formats.blp.levels import MipLevel, decode_level, encoding_name, levels_of
from viewer.formats.registry import read_whole
from viewer.scene.document import Document
from viewer.scene.material import Image
from viewer.storage.image import DECODERS, ImageDecoder, check_size

MAGICS = (b"BLP1", b"BLP2")


def is_blp(data: bytes, suffix: str) -> bool:
    """Whether a file is a BLP image, by its magic."""
    return data.startswith(MAGICS)


def decode_blp(data: bytes) -> Image:
    """All levels. FormatError if the largest level cannot be read. From the first smaller level that cannot
    be read on, levels are left out with a warning.
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
    """Only the smallest level whose longer side has at least `side` pixels, else the largest level.
    FormatError if that cannot be read either.
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


def load_blp(path: PurePath, data: bytes) -> Document:
    """The document of an image, with its header and the spans of its levels."""
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
    """The layout of the generation that the magic names."""
    return BLP1 if data.startswith(b"BLP1") else BLP2


def _tree(layout: Record, header: Struct, levels: list[MipLevel], path: PurePath, data: bytes) -> Span:
    """The root span: header fields, levels, and unexplained bytes."""

    def children() -> list[Span]:
        fields = layout.span(path.name, header, 0, header.marks[-1]).children
        skips = [
            Span(
                f"level {level.number}", level.offset, level.size, "pixels", f"{level.width} × {level.height}"
            )
            for level in levels
        ]
        return tile([*fields, *skips], 0, len(data))

    error = str(header.error.why) if header.error else ""
    return Span(path.name, 0, len(data), layout.name, encoding_of(header), children=children, error=error)


def encoding_of(header: Struct) -> str | None:
    """The encoding's name; None if the header could not be read that far."""
    return encoding_name(header) if header.error is None else None


DECODERS.insert(0, ImageDecoder("BLP", (".blp",), is_blp, decode_blp, decode_small_blp))
