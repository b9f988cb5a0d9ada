"""What opening cannot do without: the same bytes read and compared in numpy, without objects for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from viewer.binary import Rows, Span
from viewer.binary.tables import RecordTables, Reference, RowRecord
from viewer.errors import Report
from viewer.families.wow.m2.layout.fields import U32, TrackField
from viewer.families.wow.m2.layout.tables import read_records
from viewer.scene.document import Document


def array_floor(*documents: Document) -> Callable[[], object]:
    """Reads the files of the documents, and every array of their trees by its known place."""
    plans = [(Path(each.path), [*_arrays(each.root)]) for each in documents]

    def read() -> None:
        for path, places in plans:
            data = path.read_bytes()
            for dtype, count, offset in places:
                items = np.frombuffer(data, dtype, count, offset)
                if dtype.kind == "u" and count:
                    items.max()

    return read


def _arrays(span: Span) -> Iterator[tuple[np.dtype[Any], int, int]]:
    children = span.children
    if isinstance(children, Rows):
        yield children.items.dtype, children.items.size, span.offset
        return
    for child in children:
        yield from _arrays(child)


def m2_floor(path: Path) -> Callable[[], object]:
    """Reads a model and its views, every table of the header, and the tables of references of all tracks,
    whose rows are compared with the size of the file.
    """
    known = path.read_bytes()
    records = read_records(known, 0, len(known), Report())
    layout, generation, views = records.layout, records.generation, sorted(path.parent.glob("*.skin"))
    dtype = layout.dtype(generation)
    present = [part for part in layout.present(generation) if isinstance(part, Reference)]
    tables = [(part.name, part.target(generation), part.into) for part in present]
    assert tables, "a floor that reads nothing is none"

    def read() -> None:
        data = path.read_bytes()
        for view in views:
            view.read_bytes()
        header = np.frombuffer(data, dtype, 1)[0]
        for name, target, inner in tables:
            count, offset = header[name].tolist()
            rows = np.frombuffer(data, target, count, offset) if count else ()
            if inner is not None and len(rows):
                _compare(data, records, inner, rows)

    return read


def _compare(data: bytes, records: RecordTables, layout: RowRecord, rows: Any) -> None:
    """Compare the ends of all keys of a table's tracks with the size of the file."""
    for part in layout.present(records.generation):
        if not isinstance(part, TrackField):
            continue
        for column, size in (("times", U32.itemsize), ("values", part.dtype.itemsize)):
            places = rows[part.name][column]
            if records.generation.nested:
                tables = [np.frombuffer(data, "<u4", 2 * count, at) for count, at in places.tolist()]
                joined = np.concatenate(tables)
                ends = joined[::2] * np.int64(size) + joined[1::2]
            else:
                ends = places["count"] * np.int64(size) + places["offset"]
            assert not (ends > len(data)).any()
