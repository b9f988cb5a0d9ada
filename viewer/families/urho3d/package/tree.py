"""Build the tree of a package: the header, the directory, and the files with their blocks, made on demand."""

from __future__ import annotations

from typing import Any

import numpy as np

from viewer.binary import Span, Struct, VariableRows, tile
from viewer.binary.file_ranges import FILL, GAP, FileExtents, tiles
from viewer.binary.span import UNKNOWN, gap
from viewer.budget import BUDGET
from viewer.errors import FormatError
from viewer.families.urho3d.package.extents import Extents
from viewer.families.urho3d.package.files import HEADS, PackageFiles
from viewer.families.urho3d.package.layout import ENTRIES, PACKAGE
from viewer.families.urho3d.package.probe import TAIL
from viewer.family.archive import Bytes


def package_tree(
    name: str,
    data: bytes,
    header: Struct,
    files: PackageFiles,
    extents: Extents,
    byte_range: tuple[int, int] | None,
) -> tuple[Span, FileExtents]:
    """Return the root span over all bytes of the file, and the ranges of the files. `byte_range` are the
    offsets of the directory (None if the directory belongs to the header record).
    """
    claimed = header.marks[-1]
    parts = list(header.span().children)
    if files.start:
        parts.insert(
            0,
            Span(
                "host",
                0,
                files.start,
                "bytes",
                note="bytes before the package: the file to which the package was appended",
            ),
        )
    end = len(data)
    if _sized(data, files.start) and max(claimed, byte_range[1] if byte_range else 0) <= end - TAIL:
        end -= TAIL
        parts.append(
            Span(
                "package_size",
                end,
                TAIL,
                "u32",
                len(data) - files.start,
                "size of the package with this field, bytes",
            )
        )
    last = end
    if byte_range is not None:
        last = min(max(byte_range[0], claimed), end)
        parts.append(ENTRIES.span("entries", files.directory, *byte_range))
    laid = tiles(files.offsets, extents.ends, claimed, last, data)
    if last > claimed:
        parts.append(_files_span(claimed, last, laid, files, extents, data))
    return Span(name, 0, len(data), PACKAGE.name, None, "", lambda: tile(parts, 0, len(data), data)), laid


def _sized(data: bytes, start: int) -> bool:
    """Whether the file ends with the size of the package."""
    return len(data) - start > TAIL and int.from_bytes(data[-TAIL:], "little") == len(data) - start


def _files_span(
    start: int, end: int, laid: FileExtents, files: PackageFiles, extents: Extents, data: bytes
) -> Span:
    def make(index: int, at: int) -> Span:
        number, size = int(laid.owners[index]), int(laid.starts[index + 1]) - at
        if number in (GAP, FILL):
            return gap(data, at, size, UNKNOWN, "these bytes belong to no file of the package")
        broken = "incomplete" if extents.broken[number] else ""
        whole = at == files.offsets[number] and files.compressed
        children: Any = (lambda: _blocks(files, number, data, at, size)) if whole else ()
        return Span(
            files.directory.name(number), at, size, "file", None, f"entries[{number}]", children, broken
        )

    odd = (
        np.flatnonzero((laid.owners == GAP) | extents.broken[np.maximum(laid.owners, 0)]).tolist()
        if len(files.offsets)
        else [0]
    )
    rows = VariableRows(laid.starts, make, laid.unexplained, odd[: BUDGET.package_problems])
    return Span("files", start, end - start, "files", None, "in the order of their bytes", rows)


def _blocks(files: PackageFiles, number: int, data: Bytes, at: int, size: int) -> list[Span]:
    """The spans of a file's blocks; bytes after a broken block stay unknown."""
    view, spans = memoryview(data), []
    try:
        for count, block in enumerate(files.blocks(number, lambda at, size: view[at : at + size])):
            if block.end > at + size:
                break
            spans.append(_block(f"[{count}]", block.offset, block.unpacked, block.packed))
    except FormatError:
        pass  # the span of the file reports the error
    return tile(spans, at, size)


def _block(name: str, at: int, unpacked: int, packed: int) -> Span:
    def children() -> list[Span]:
        return [
            Span("unpacked_size", at, 2, "u16", unpacked, "unpacked size of the block, bytes"),
            Span("packed_size", at + 2, 2, "u16", packed, "packed size of the block, bytes"),
            Span("data", at + HEADS.size, packed, "bytes", None, "raw LZ4 block"),
        ]

    size = HEADS.size + packed
    return Span(name, at, size, "block", None, f"{unpacked} bytes, packed in {packed}", children)
