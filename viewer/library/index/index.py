"""The index of files: kept between runs, brought up to date, listed and searched."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from viewer.arrays import Array
from viewer.library.file_sources import SourceFile
from viewer.library.index.database import NUMBERS, WORDS, IndexConnections, default_path
from viewer.library.index.query import EVERY, parse
from viewer.library.index.query_terms import Condition
from viewer.library.index.ranges import PlaceRange, in_ranges, place_range, search_groups, stored
from viewer.library.index.rows import EntryTable, FileCounts, file_counts
from viewer.library.index.update import IndexProgress, updated
from viewer.library.workers.batches import Runner
from viewer.lru import RecentValues

SORTS = {
    "path": "sorting",
    "name": "substr(sorting, title_key)",
    **{each: f"facts.{each}" for each in (*NUMBERS, *WORDS)},
}
"""The orders of files by name, each with an SQL expression."""
ORDERS = 8 << 20
"""Bytes of kept orders: eight of 100 000 files."""


class Index:
    """The index in the file `path`, by default in the user's cache folder. All threads may use it.

    If the file cannot be used, the index is in memory; `say` receives a line about that. Every method raises
    DamagedIndexError if the file is damaged; the index is then empty and usable.
    """

    def __init__(self, path: Path | None = None, say: Callable[[str], None] = lambda line: None) -> None:
        self._connections = IndexConnections(path or default_path(), say)
        self._orders: RecentValues[object, Array] = RecentValues(ORDERS)

    @property
    def in_memory(self) -> bool:
        """Whether the index is not kept in its file."""
        return self._connections.in_memory

    def update(
        self,
        files: Iterable[SourceFile],
        places: Sequence[str],
        runner: Runner,
    ) -> Generator[IndexProgress, None, None]:
        """Update the index with the `files` of the `places`, whose paths are absolute.

        The first step follows the listing of new files; then the runner reads files, which are stored every
        half a second. The next update continues an interrupted one. Files missing in `files` are removed,
        unless the place itself is missing. Errors as for `Runner.run`.
        """
        return updated(self._connections, files, places, runner)

    def entries(self, places: Sequence[str], sort: str = "path", descending: bool = False) -> EntryTable:
        """The files of some places, in one of the orders SORTS.

        The first call after each change of the index takes 0.2 s for 100 000 files.
        """
        ranges = [place_range(each) for each in places]
        return EntryTable(self._connections, self._order(ranges, sort, descending), ranges)

    def query(
        self, text: str, places: Sequence[str], sort: str = "path", descending: bool = False
    ) -> EntryTable:
        """The files of some places that a query finds; QueryError for a wrong query."""
        condition = parse(text)
        ranges = [place_range(each) for each in places]
        ids = self._order(ranges, sort, descending)
        if condition != EVERY and len(ids):
            with self._connections.use() as connection:
                ids = ids[np.isin(ids, matching_ids(connection, condition, ranges))]
        return EntryTable(self._connections, ids, ranges)

    def counts(self, places: Sequence[str]) -> Iterator[FileCounts]:
        """The counts of the files of some places, by which lists sort and mark them."""
        return file_counts(self._connections, [place_range(each) for each in places])

    def set_thumbnail_errors(self, errors: Mapping[str, str]) -> None:
        """Store the errors of thumbnails by path; an empty text for none."""
        rows = [(text, stored(path)) for path, text in errors.items()]
        with self._connections.write() as connection:
            connection.executemany("UPDATE files SET thumbnail_error = ? WHERE path = CAST(? AS TEXT)", rows)

    @property
    def revision(self) -> tuple[int, ...]:
        """A value that changes with the index."""
        with self._connections.use() as connection:
            (changes,) = connection.execute("SELECT number FROM changes").fetchone()
        return self._connections.files, self._connections.in_memory, changes

    def close(self) -> None:
        """Close the index for all threads."""
        self._connections.close()

    def _order(self, ranges: Sequence[PlaceRange], sort: str, descending: bool) -> Array:
        """The ids of the files in order, [N] i8."""
        key = self.revision, tuple(ranges), sort, descending
        return self._orders.get(key, lambda: self._sorted(ranges, sort, descending), lambda ids: ids.nbytes)

    def _sorted(self, ranges: Sequence[PlaceRange], sort: str, descending: bool) -> Array:
        order = f"{SORTS[sort]}{' DESC' if descending else ''}, sorting"
        facts = "JOIN facts USING (id)" if "facts." in order else ""
        with self._connections.use() as connection:
            where, parameters = in_ranges(connection, ranges)
            rows = f"SELECT id FROM files {facts} WHERE {where} ORDER BY {order}"
            return ids_of(connection, f"SELECT group_concat(id) FROM ({rows})", parameters)


def matching_ids(connection: sqlite3.Connection, condition: Condition, ranges: Sequence[PlaceRange]) -> Array:
    """The ids [N] i8 of the files for which a condition holds, possibly including files outside `ranges`.

    A condition reads names from an offset in the path: ranges with different offsets need a statement each.
    """
    groups, ids = search_groups(ranges), list[Array]()
    for offset, some in groups.items():
        rows, bounds = f"SELECT *, {offset} AS at FROM facts", list[bytes]()
        if len(groups) > 1:
            where, bounds = in_ranges(connection, some)
            rows = f"{rows} WHERE id IN (SELECT id FROM files WHERE {where})"
        select = f"SELECT group_concat(id) FROM ({rows}) WHERE {condition.sql}"
        ids.append(ids_of(connection, select, [*bounds, *condition.parameters]))
    return np.concatenate(ids)


def ids_of(connection: sqlite3.Connection, select: str, parameters: Sequence[object]) -> Array:
    """The ids [N] i8 that a statement joins with commas: five times as fast as a row for each."""
    text = connection.execute(select, parameters).fetchone()[0]
    return np.fromstring(text, np.int64, sep=",") if text else np.empty(0, np.int64)
