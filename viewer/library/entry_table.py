"""The files of a place as a sequence whose rows are read when they are looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Sized
from typing import overload

import numpy as np

from viewer.arrays import Array
from viewer.library.index_connection import IndexConnections
from viewer.library.index_rows import ENTRIES, entry, stored
from viewer.library.place_ranges import PlaceRange, name_in
from viewer.lru import RecentValues
from viewer.scene.file_entry import FileEntry

PAGE = 32
"""Rows that are read together."""
KEPT = 64
"""Pages that are kept."""
MOST_PARAMETERS = 500
"""Ids in one statement."""


class EntryTable(Sequence[FileEntry]):
    """Files in a chosen order. The order is that of the time when the table was made; rows are read later, by
    any thread, and a file that is gone by then has no facts and no size.
    """

    def __init__(self, connections: IndexConnections, ids: Array, ranges: Sequence[PlaceRange]) -> None:
        self._connections, self._ranges = connections, ranges
        self.ids = ids
        self._pages: RecentValues[int, list[FileEntry]] = RecentValues(KEPT)

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, index: int) -> FileEntry: ...
    @overload
    def __getitem__(self, index: slice) -> list[FileEntry]: ...
    def __getitem__(self, index: int | slice) -> FileEntry | list[FileEntry]:
        if isinstance(index, slice):
            return [self[row] for row in range(*index.indices(len(self)))]
        row = index + len(self) if index < 0 else index
        if not 0 <= row < len(self):
            raise IndexError(index)
        page = self._pages.get(row // PAGE, lambda: self._read(row // PAGE), lambda _: 1)
        return page[row % PAGE]

    def row_of(self, path: str) -> int | None:
        """The row of a file; None if the table does not have it."""
        with self._connections.use() as connection:
            found = connection.execute(
                "SELECT id FROM files WHERE path = CAST(? AS TEXT)", [stored(path)]
            ).fetchone()
        rows = np.flatnonzero(self.ids == (found[0] if found else -1))
        return int(rows[0]) if len(rows) else None

    def paths(self) -> Iterator[str]:
        """The paths of all files, in order: faster than whole entries."""
        for first in range(0, len(self), MOST_PARAMETERS):
            ids = self.ids[first : first + MOST_PARAMETERS].tolist()
            with self._connections.use() as connection:
                rows = connection.execute(
                    f"SELECT id, path FROM files WHERE id IN ({marks(ids)})", ids
                ).fetchall()
            found = dict(rows)
            yield from (found[each] for each in ids if each in found)

    def _read(self, page: int) -> list[FileEntry]:
        ids = self.ids[page * PAGE : (page + 1) * PAGE].tolist()
        with self._connections.use() as connection:
            rows = connection.execute(f"{ENTRIES} WHERE files.id IN ({marks(ids)})", ids).fetchall()
        found = {row[0]: entry(row, name_in(self._ranges, row[1])) for row in rows}
        return [found.get(each) or FileEntry("", "", 0, 0) for each in ids]


def marks(values: Sized) -> str:
    """The marks of an SQL list of so many parameters."""
    return ", ".join("?" * len(values))
