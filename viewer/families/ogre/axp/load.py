"""Read AXP archives into documents: the list of files, and the tree of bytes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from msgspec.structs import replace

from viewer.binary import Span, tile
from viewer.binary.cursor import NdArray
from viewer.binary.span import UNKNOWN
from viewer.errors import FormatError, Report, Topic, counted
from viewer.families.ogre.axp.files import AxpFiles, read_archive
from viewer.families.ogre.axp.layout import BLOCK, HASH, INDEX, USED
from viewer.family.format import OpenedFile
from viewer.scene.document import Document
from viewer.scene.package import Package, plain_package
from viewer.storage.archive_tree import files_span, report_cut_files, table_spans
from viewer.storage.reading import piece_of

NAME, VERSION = "AXP archive", "1.1"
EXAMINED = 256
"""How many files of an archive are tested for encryption."""


def load_axp(file: OpenedFile) -> Document:
    """Read an archive as a list of its files. Of the stored bytes, only the list of names and the beginnings
    of some files are read. FormatError if the file has no header, or another version.
    """
    path, data = file.path, file.data
    report = Report()

    def fetch(at: int, size: int) -> bytes:
        return piece_of(data, at, size)

    try:
        files = read_archive(fetch, len(data), file.context)
    except FormatError as error:
        error.file = str(path)
        raise
    root, shared = _tree(path.name, data, files)
    if shared:
        report.warn(f"files that share bytes with other files: {shared}", topic=Topic.SHARED)
    _complain(files, report)
    for each in report.errors:
        each.file = str(path)
    return Document(str(path), NAME, VERSION, data, root, _content(files, data), report)


def _complain(files: AxpFiles, report: Report) -> None:
    """Report what cannot be read, and what is special about the files."""
    for error in files.errors:
        report.fail(error)
    header = files.header
    if header.edit_flag:
        report.warn("the edit flag is set: the client refuses the archive, because a tool did not finish it")
    if header.block_count * BLOCK.itemsize > header.block_capacity:
        report.warn(
            f"{header.block_count} blocks need more space than the reserved {header.block_capacity} bytes"
        )
    report_cut_files(files.places, 0, files.end, report)
    unnamed = files.listed.count(None)
    if unnamed:
        report.note(f"{counted(unnamed, 'file')} without a name, listed by the number of the block")
    if files.lost:
        report.note(f"{counted(files.lost, 'name')} of the list without a file")
    pairs = zip(files.listed, files.sizes.tolist(), strict=True)
    wrong = sum(line is not None and line.size != size for line, size in pairs)
    if wrong:
        report.note(f"{counted(wrong, 'file')} with another size in the list than in the block table")
    examined = range(0, len(files.sizes), max(1, -(-len(files.sizes) // EXAMINED)))
    encrypted = sum(map(files.is_encrypted, examined))
    if encrypted:
        text = f"the protector of the client encrypted {encrypted} of {len(examined)} examined files"
        report.note(f"{text}; only tools of that client's server unpack these files", Topic.PARTLY)


def _tree(name: str, data: bytes, files: AxpFiles) -> tuple[Span, int]:
    """Return the root span over all bytes of the file, and the number of files that share bytes with files
    before them.
    """
    end, holes = len(data), files.block_table.items[files.holes]
    names = dict(zip(files.blocks.tolist(), files.names, strict=True))
    removed = holes["offset"].astype(np.int64), holes["size"].astype(np.int64)

    def note(number: int) -> str:
        return f"entries[{number}]{', encrypted' if files.is_encrypted(number) else ''}"

    parts = [files.header.span("header")]
    parts += table_spans("hash_table", files.hash_table, HASH, lambda item: _file_name(item, names))
    parts += table_spans(
        "block_table", files.block_table, BLOCK, lambda item: "used" if item["flags"] & USED else "hole"
    )
    parts += _free_blocks(files, np.concatenate((files.offsets, removed[0])), end)
    spans: list[Span] = []
    shared = 0
    for part in tile(parts, 0, end):
        if part.type == UNKNOWN:
            part, more = files_span(part.offset, part.end, files.places, data, note, removed=removed)
            shared += more
        spans.append(part)
    return Span(name, 0, end, "archive", None, "", spans), shared


def _file_name(item: np.void, names: dict[int, str]) -> str:
    """The file name for an entry of the hash table; empty for an unused entry."""
    block = int(item["block"])
    return names.get(block & INDEX, "") if block & USED else ""


def _free_blocks(files: AxpFiles, offsets: NdArray, end: int) -> list[Span]:
    """The span of the space for further blocks. It ends at the first of `offsets`, where files and holes
    begin.
    """
    start = files.block_table.offset + files.block_table.size
    stop = min(files.header.block_offset + files.header.block_capacity, end)
    stop = min(stop, *offsets[offsets >= start].tolist(), stop)
    return [Span("free_blocks", start, stop - start, "bytes", note="space for more blocks")] * (stop > start)


def _content(files: AxpFiles, data: bytes) -> Package:
    def fetch(at: int, size: int) -> bytes:
        return piece_of(data, at, size)

    def read(number: int) -> Iterator[bytes]:
        return files.read(number, fetch)

    return replace(
        plain_package(files.names, files.offsets, files.sizes, read),
        packed=np.minimum(files.sizes, np.maximum(files.end - files.offsets, 0)),
        checksums=files.checks,
        verify=lambda number: files.verify(number, fetch),
        summed=files.summed,
        flags=lambda number: ("encrypted",) if files.is_encrypted(number) else (),
    )
