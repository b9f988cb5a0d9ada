"""Read MPQ archives into documents: the list of files, and the tree of bytes."""

from __future__ import annotations

from collections.abc import Iterator
from zlib import crc32

import numpy as np

from viewer.errors import FormatError, Report, Topic, counted
from viewer.families.wow.mpq.files import MpqFiles, open_archive
from viewer.families.wow.mpq.layout import COMPRESSED, IMPLODED, PATCH, flag_names
from viewer.families.wow.mpq.tree import mpq_tree
from viewer.family.format import OpenedFile
from viewer.scene.document import Document
from viewer.scene.package import Package
from viewer.storage.archive_tree import report_cut_files
from viewer.storage.reading import piece_of

NAME = "MPQ archive"
EXPANSION = 2000
"""A stored byte is expected to unpack to at most this many bytes; zlib reaches 1032."""


def load_mpq(file: OpenedFile) -> Document:
    """Read an archive as a list of its files. Of these files, only the list of names and the file of
    checksums are unpacked. FormatError if the file has no archive that can be read.
    """
    path, data = file.path, file.data
    report = Report()

    def fetch(at: int, size: int) -> bytes:
        return piece_of(data, at, size)

    try:
        files = open_archive(fetch, len(data), file.context)
    except FormatError as error:
        error.file = str(path)
        raise
    tables = files.tables
    root, shared = mpq_tree(path.name, data, files)
    if shared:
        report.warn(f"files that share bytes with other files: {shared}", topic=Topic.SHARED)
    content = _content(files, data)
    _complain(files, report)
    for each in report.errors:
        each.file = str(path)
    after = f", after {tables.start} bytes of other data" if tables.start else ""
    return Document(str(path), NAME, f"{tables.header.format + 1}{after}", data, root, content, report)


def _complain(files: MpqFiles, report: Report) -> None:
    """Report what cannot be read: tables, the list of names, and files that are cut or not supported."""
    tables = files.tables
    for error in (*tables.errors, *files.errors):
        report.fail(error)
    report_cut_files(files.places, tables.start, tables.end, report)
    patches = int((files.flags & PATCH > 0).sum())
    if patches:
        which = counted(patches, "file is a patch", "files are patches")
        report.note(f"{which} (PTCH) to other archives, which Rigscope does not apply", Topic.PARTLY)
    if files.found_names:
        names = counted(files.found_names, "name")
        report.note(f"{names} found in tables and models, because no list has them")
    unnamed = len(files.unnamed)
    if unnamed:
        report.note(f"{counted(unnamed, 'file')} without a name, listed by the number of the block")
    if files.deleted:
        report.note(f"{counted(files.deleted, 'deletion marker')} for files of other archives")


def _content(files: MpqFiles, data: bytes) -> Package:
    checksums, summed = files.checksums

    def fetch(at: int, size: int) -> bytes:
        return piece_of(data, at, size)

    def read(number: int) -> Iterator[bytes]:
        return files.read(number, fetch)

    room = np.maximum(files.tables.end - files.offsets, 0)
    return Package(
        names=files.names,
        offsets=np.maximum(files.offsets, 0),
        sizes=files.sizes,
        packed=np.minimum(files.packed, room),
        checksums=checksums,
        compressed=bool((files.flags & (IMPLODED | COMPRESSED) > 0).any()),
        checksum=None,
        sound=lambda: True,
        start=files.tables.start,
        read=read,
        digest=lambda data, value: crc32(data, value),
        verify=lambda number: files.verify(number, fetch),
        verdicts=np.zeros(len(files.sizes), np.uint8),
        summed=summed,
        expansion=EXPANSION,
        flags=lambda number: flag_names(int(files.flags[number])),
    )
