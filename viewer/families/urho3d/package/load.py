"""Read Urho3D packages into documents: the list of files, and the tree of bytes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from viewer.binary import Struct
from viewer.budget import BUDGET
from viewer.errors import FormatError, Report, Topic, printable
from viewer.families.urho3d.checksum import joined_checksum, sdbm
from viewer.families.urho3d.package.extents import Extents, complaint, extents
from viewer.families.urho3d.package.files import PackageFiles, find_directory
from viewer.families.urho3d.package.layout import ENTRIES, ENTRY, MOVABLE, PACKAGE, Directory, package_cursor
from viewer.families.urho3d.package.probe import package_start
from viewer.families.urho3d.package.tree import package_tree
from viewer.family.format import OpenedFile
from viewer.scene.document import Document
from viewer.scene.package import Package


def load_package(file: OpenedFile) -> Document:
    """Read a package as a list of its files, without unpacking any."""
    path, data = file.path, file.data
    report = Report()
    start = package_start(lambda at, size: data[at : at + size], len(data)) or 0
    header, directory, byte_range = _read(data, start, report)
    files = PackageFiles.of(header, directory, start, len(data))
    found = extents(files, data)
    root, laid = package_tree(path.name, data, header, files, found, byte_range)
    if laid.shared:
        report.warn(f"files that share bytes with other files: {laid.shared}", topic=Topic.SHARED)
    _complain(files, found, data, report)
    for error in report.errors:
        error.file = str(path)
    return Document(
        path=str(path),
        format="Urho3D package",
        version=f"{header.get('magic', '')}{f', after {start} bytes of another file' if start else ''}",
        data=data,
        root=root,
        content=_content(header, files, found, data, report.complete),
        report=report,
    )


def _read(data: bytes, start: int, report: Report) -> tuple[Struct, Directory, tuple[int, int] | None]:
    """Read the header and the directory. Return the header, the directory, and the directory's range of
    offsets (None if the directory belongs to the header record). Errors are reported.
    """
    header = Struct(file_count=0)
    try:
        header = PACKAGE.read(package_cursor(data, start, len(data)))
        if header.magic not in MOVABLE:
            return header, header.entries, None
        directory, at = find_directory(header, start, len(data), lambda at: _entries(data, at, header)[0])
    except FormatError as error:
        report.fail(error.inside("package"))
        header = error.partial or header
        return header, header.get("entries", Directory(data, np.array([start]), np.empty(0, ENTRY))), None
    cut = _entries(data, at, header)[1]
    if cut is not None:
        report.fail(cut.inside("package/entries"))
    return header, directory, (at, directory.end)


def _entries(data: bytes, at: int, header: Struct) -> tuple[Directory, FormatError | None]:
    """The readable entries of a directory at an offset, and the error after them (None if there is none)."""
    try:
        return ENTRIES.read(package_cursor(data, at, len(data)), header), None
    except FormatError as error:
        return error.partial, error


def _complain(files: PackageFiles, extents: Extents, data: bytes, report: Report) -> None:
    """Report each incomplete file, up to a limit."""
    broken = np.flatnonzero(extents.broken)
    for number in broken[: BUDGET.package_errors].tolist():
        error = complaint(files, extents, number, data)
        error.why = f"{printable(files.directory.name(number))}: {error.why}"
        report.fail(error)
    if len(broken) > BUDGET.package_errors:
        more = len(broken) - BUDGET.package_errors
        why = f"{more} more files are incomplete"
        report.fail(FormatError(why, "entries", files.start, topic=Topic.CUT))


def _content(header: Struct, files: PackageFiles, extents: Extents, data: bytes, whole: bool) -> Package:
    items, view = files.directory.items, memoryview(data)

    def fetch(at: int, size: int) -> memoryview:
        return view[at : at + size]

    def read(number: int) -> Iterator[bytes]:
        return files.read(number, fetch)

    return Package(
        names=files.directory,
        offsets=files.offsets,
        sizes=items["size"].astype(np.int64),
        packed=extents.ends - files.offsets,
        checksums=items["checksum"],
        compressed=files.compressed,
        checksum=int(header.get("checksum", 0)),
        sound=lambda: joined_checksum(items["checksum"], items["size"]) == header.get("checksum"),
        start=files.start,
        read=read,
        digest=sdbm,
        verify=lambda number: files.verify(number, fetch),
        verdicts=np.zeros(len(items), np.uint8),
    )
