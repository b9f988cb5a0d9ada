"""The views of a WoW model, and errors at rows of their tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from viewer.binary.tables import RecordTables
from viewer.errors import FormatError, Report
from viewer.families.wow.m2.mesh.views import VIEWS, SkinView, skin_records, view_of
from viewer.scene.document import Document
from viewer.storage.package_path import as_path

VIEW = "WoW M2 view"


class ModelView(NamedTuple):
    """A view of a model. `path` is its file, `name` its name in messages, `row` its header, and `records` are
    the tables of the file. The field paths of its tables begin with `prefix`.
    """

    path: str
    name: str
    prefix: str
    records: RecordTables
    row: Any
    view: SkinView

    def error(self, text: str, table: str, row: int) -> FormatError:
        """Make the error at a row of a table. The error has the offset of the row, or of the end of the file
        if the row lies outside the file. The message is the name of the view and `text`.
        """
        items: Any = getattr(self.view, table)
        size = items.dtype.itemsize * int(np.prod(items.shape[1:]))
        inside = min(int(self.row[table]["offset"]) + row * size, self.records.size)
        offset = self.records.base + inside
        return FormatError(f"{self.name}: {text}", f"{self.prefix}{table}[{row}]", offset, self.path)


def views_of(path: str, records: RecordTables, parts: Sequence[Document]) -> Iterator[ModelView]:
    """Yield the views inside the model at `path`, or since version 264 the views among its `parts`."""
    if not records.generation.nested:
        for number, row in enumerate(records.tables["views"][:VIEWS]):
            prefix = f"views[{number}]."
            yield ModelView(path, f"view {number}", prefix, records, row, view_of(records, row))
        return
    for each in parts:
        if each.format != VIEW:
            continue
        try:
            own = skin_records(each.data, records.generation, Report())
        except FormatError:
            continue
        yield ModelView(each.path, as_path(each.path).name, "", own, own.header, view_of(own, own.header))
