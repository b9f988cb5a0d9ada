"""Reads a whole file by its layout, and makes the span over all of its bytes."""

from __future__ import annotations

from pathlib import PurePath
from typing import Literal

from viewer.binary.record import Record, Struct, read_layout
from viewer.binary.span import UNKNOWN, Span, gap
from viewer.errors import Report, Topic, counted


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
