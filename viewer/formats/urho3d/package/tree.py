"""Build the tree of a package: the header, the directory, and the files with their blocks, made on demand."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from viewer.binary import Span, Struct, VariableRows, tile
from viewer.binary.cursor import NdArray
from viewer.binary.span import UNKNOWN, gap
from viewer.budget import BUDGET
from viewer.errors import FormatError
from viewer.formats.urho3d.package.extents import Extents
from viewer.formats.urho3d.package.files import HEADS, PackageFiles
from viewer.formats.urho3d.package.layout import ENTRIES, PACKAGE
from viewer.formats.urho3d.package.probe import TAIL, Bytes

GAP, FILL = -1, -2
"""Used instead of a file's number, for bytes that belong to no file: `GAP`, or `FILL` if all of them are
zeros.
"""


class FileExtents(NamedTuple):
    """The ranges of bytes of a package's files. Range i is from `starts[i]` to `starts[i + 1]` and belongs to
    file `owners[i]`, or to no file (GAP; FILL if the range has only zeros).

    A byte that several files share belongs to the first of these files. `shared` is the number of files that
    share bytes with a file before them.
    """

    starts: NdArray
    owners: NdArray
    shared: int

    @property
    def unexplained(self) -> int:
        """Number of bytes outside all files, without zeros."""
        return int(np.diff(self.starts)[self.owners == GAP].sum())


def tiles(begins: NdArray, ends: NdArray, start: int, end: int, data: bytes) -> FileExtents:
    """Return the ranges between two offsets of `data`, for files in any order that may overlap."""
    order = np.lexsort((-ends, begins))
    low, high = np.clip(begins[order], start, end), np.clip(ends[order], start, end)
    reached = np.maximum.accumulate(np.concatenate(([start], high)))
    first = np.maximum(low, reached[:-1])
    kept = first < high
    shared = int((high > low).sum() - kept.sum() + (kept & (begins[order] < first)).sum())
    order, first, high = order[kept], first[kept], high[kept]
    before = np.concatenate(([start], high))
    gaps = np.flatnonzero(np.concatenate((first, [end])) > before)
    starts, stops = np.concatenate((first, before[gaps])), np.append(first, end)[gaps]
    fills = [data.count(0, *each) == each[1] - each[0] for each in zip(before[gaps], stops, strict=True)]
    owners = np.concatenate((order, np.where(fills, FILL, GAP)))
    sequence = np.argsort(starts, kind="stable")
    return FileExtents(np.append(starts[sequence], end), owners[sequence], shared)


def package_tree(
    name: str,
    data: bytes,
    header: Struct,
    files: PackageFiles,
    found: Extents,
    byte_range: tuple[int, int] | None,
) -> tuple[Span, FileExtents]:
    """Return the root span over all bytes of the file, and the ranges of the files. `byte_range` are the
    offsets of the directory (None if the directory belongs to the header record).
    """
    claimed = header.marks[-1]
    parts = list(header.span().children)
    if files.start:
        parts.insert(0, Span("host", 0, files.start, "bytes", note="the file before the package"))
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
    laid = tiles(files.offsets, found.ends, claimed, last, data)
    if last > claimed:
        parts.append(_files_span(claimed, last, laid, files, found, data))
    return Span(name, 0, len(data), PACKAGE.name, None, "", lambda: tile(parts, 0, len(data), data)), laid


def _sized(data: bytes, start: int) -> bool:
    """Whether the file ends with the size of the package."""
    return len(data) - start > TAIL and int.from_bytes(data[-TAIL:], "little") == len(data) - start


def _files_span(
    start: int, end: int, laid: FileExtents, files: PackageFiles, found: Extents, data: bytes
) -> Span:
    def make(index: int, at: int) -> Span:
        number, size = int(laid.owners[index]), int(laid.starts[index + 1]) - at
        if number in (GAP, FILL):
            return gap(data, at, size, UNKNOWN, "these bytes belong to no file of the package")
        broken = "incomplete" if found.broken[number] else ""
        whole = at == files.offsets[number] and files.compressed
        children: Any = (lambda: _blocks(files, number, data, at, size)) if whole else ()
        return Span(
            files.directory.name(number), at, size, "file", None, f"entries[{number}]", children, broken
        )

    odd = (
        np.flatnonzero((laid.owners == GAP) | found.broken[np.maximum(laid.owners, 0)]).tolist()
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
        pass  # the span of the file has the error
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
