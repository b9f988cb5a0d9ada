"""The `Format` that each family lists, and the reading of a whole file by its layout."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import PurePath
from typing import Literal

import msgspec

from viewer.binary import Record, Span, Struct, read_layout
from viewer.binary.span import UNKNOWN, gap
from viewer.errors import Report, Topic, counted
from viewer.scene.document import Document
from viewer.scene.files import MODEL, FileKind, Role


class Format(msgspec.Struct, frozen=True):
    """A file format. `probe` tests the first bytes. If these do not decide, it tests the suffix too. `load`
    raises nothing for broken bytes: the document has the readable part, and the document's report has the
    errors. `kind` is the kind that a file of this format is assumed to have before it is read. `magics` are
    the first bytes that identify the format; empty if only the suffix identifies it. With `mapped` a large
    file is mapped into memory instead of read, and has no limit of size.
    """

    name: str
    suffixes: tuple[str, ...]
    probe: Callable[[bytes, str], bool]
    load: Callable[[PurePath, bytes], Document]
    kind: FileKind = MODEL
    magics: tuple[bytes, ...] = ()
    mapped: bool = False

    @property
    def role(self) -> Role:
        """The role of the files, from their kind."""
        return self.kind.role


def later(name: str) -> Callable[[PurePath, bytes], Document]:
    """Return the loader `module:function`, whose module is imported when the first file opens."""
    module, _, function = name.partition(":")

    def load(path: PurePath, data: bytes) -> Document:
        document: Document = getattr(import_module(module), function)(path, data)
        return document

    return load


def read_whole(
    layout: Record, data: bytes, path: PurePath, report: Report, order: Literal["<", ">"] = "<"
) -> Struct:
    """Read a whole file by its layout, as far as it can be read.

    Errors are reported with file, field path and offset. Unusual values are reported once for each topic.
    Wrong chunk lengths are reported only as notes, because most exporters write them and engines ignore them.
    """
    record, cursor = read_layout(layout, data, order)
    for error in cursor.errors:
        error.file = str(path)
        report.fail(error)
    for topic, remarks in cursor.remarks.items():
        text = remarks[0].text + (f", and {len(remarks) - 1} more" if len(remarks) > 1 else "")
        if topic is Topic.LENGTH:
            report.note(text, topic, remarks[0].offset)
        else:
            report.warn(text, topic=topic, offset=remarks[0].offset)
    return record


def root_span(layout: Record, record: Struct, data: bytes, path: PurePath, report: Report) -> Span:
    """Return the root span over all bytes of the file. Bytes after a complete record, except zeros, are
    reported.
    """
    root, end = layout.span(path.name, record, 0, len(data)), record.marks[-1]
    left = len(data) - end
    if not report.complete or not left:
        return root
    rest = gap(data, end, left)
    if rest.type == UNKNOWN:
        text = f"{counted(left, 'byte')} at 0x{end:X} belong to no field"
        report.note(text, Topic.UNCLAIMED, end)
        return root
    own = layout.span(path.name, record, 0, end)
    children = lambda: [*own.children, rest]  # noqa: E731
    return Span(root.name, 0, len(data), root.type, root.value, root.note, children, layout=layout)
