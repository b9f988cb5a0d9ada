"""The index of files: it is stored between runs, updated, listed and searched."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Container, Generator, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from viewer.arrays import Array
from viewer.library.file_sources import SourceFile
from viewer.library.index.database import NUMBERS, WORDS, IndexConnections, default_path
from viewer.library.index.query import EVERY, parse
from viewer.library.index.query_terms import MARKS, Condition
from viewer.library.index.ranges import PathRange, in_ranges, path_range, search_groups, stored
from viewer.library.index.ratings import Ratings
from viewer.library.index.rows import EntryTable, FileCounts, file_counts
from viewer.library.index.update import IndexProgress, updated
from viewer.library.workers.batches import Runner
from viewer.lru import RecentValues
from viewer.scene.files import Mark
from viewer.scene.reading_context import DEFAULT, ReadingContext

SORTS = {
    "path": "sorting",
    "name": "substr(sorting, title_key)",
    **{each: f"facts.{each}" for each in (*NUMBERS, *WORDS)},
}
"""The SQL expression of each order of files, by the name of the order."""
ORDERS = 8 << 20
"""Size in bytes of the cache of sorted file lists: enough for eight lists of 100 000 files."""


class Index:
    """The index in the file `path`, by default in the user's cache folder. All threads may use it. The marks
    of files come from `ratings`, by default from the user's ratings. Files are read in a `context`.

    If the file cannot be used, the index is in memory, and `say` receives a message. Every method raises
    DamagedIndexError if the file is damaged; afterwards the index is empty and usable.
    """

    def __init__(
        self,
        path: Path | None = None,
        say: Callable[[str], None] = lambda line: None,
        ratings: Ratings | None = None,
        context: ReadingContext = DEFAULT,
    ) -> None:
        self._ratings, self.context = ratings or Ratings(say=say, context=context), context
        self._connections = IndexConnections(path or default_path(context), say)
        self._orders: RecentValues[object, Array] = RecentValues(ORDERS)

    @property
    def in_memory(self) -> bool:
        """Whether the index is in memory instead of its file."""
        return self._connections.in_memory

    def update(
        self,
        files: Iterable[SourceFile],
        roots: Sequence[str],
        runner: Runner,
        read: Container[str] | None = None,
    ) -> Generator[IndexProgress, None, None]:
        """Update the index with the `files` below `roots`. All paths are absolute. `read` has the paths of
        the files to read; None for all. The others are listed with names, sizes and times, and are read by a
        later update.

        Yields the progress, first after the new files are listed, then after each file that `runner` reads.
        The facts of read files are stored every half second, so that the next update continues an interrupted
        update. Files that are not in `files` are removed from the index, unless their root is missing. Errors
        are those of `Runner.run`. Moved files keep their marks.
        """
        files = list(files)
        self._ratings.follow(files)
        return updated(self._connections, files, roots, runner, self.context, read)

    def entries(self, roots: Sequence[str], sort: str = "path", descending: bool = False) -> EntryTable:
        """Return the files below `roots`, sorted by one of the keys of SORTS.

        The first call after each change of the index takes 0.2 s for 100 000 files.
        """
        ranges = [path_range(each) for each in roots]
        return EntryTable(
            self._connections, self._order(ranges, sort, descending), ranges, self._ratings.all()
        )

    def query(
        self, text: str, roots: Sequence[str], sort: str = "path", descending: bool = False
    ) -> EntryTable:
        """Return the files below `roots` that match a query. Raises QueryError for an invalid query."""
        condition = parse(text)
        ranges = [path_range(each) for each in roots]
        ids, marks = self._order(ranges, sort, descending), self._ratings.all()
        if condition != EVERY and len(ids):
            with self._connections.use() as connection:
                if any(each in condition.sql for each in MARKS.values()):
                    put_marks(connection, marks)
                ids = ids[np.isin(ids, matching_ids(connection, condition, ranges))]
        return EntryTable(self._connections, ids, ranges, marks)

    def counts(self, roots: Sequence[str], names: Sequence[str]) -> Iterator[FileCounts]:
        """Yield the counts called `names` of each file below `roots`, by which lists sort and mark files."""
        return file_counts(self._connections, [path_range(each) for each in roots], names)

    def set_thumbnail_errors(self, errors: Mapping[str, str]) -> None:
        """Store the errors of thumbnails by path; an empty text means no error."""
        rows = [(text, stored(path)) for path, text in errors.items()]
        with self._connections.write() as connection:
            connection.executemany("UPDATE files SET thumbnail_error = ? WHERE path = CAST(? AS TEXT)", rows)

    @property
    def revision(self) -> tuple[int, ...]:
        """Value that differs after each change of the index."""
        with self._connections.use() as connection:
            (changes,) = connection.execute("SELECT number FROM changes").fetchone()
        return self._connections.files, self._connections.in_memory, changes

    def close(self) -> None:
        """Close the index for all threads."""
        self._connections.close()

    def _order(self, ranges: Sequence[PathRange], sort: str, descending: bool) -> Array:
        """Return the ids of the files in the wanted order, [N] i8."""
        key = self.revision, tuple(ranges), sort, descending
        return self._orders.get(key, lambda: self._sorted(ranges, sort, descending), lambda ids: ids.nbytes)

    def _sorted(self, ranges: Sequence[PathRange], sort: str, descending: bool) -> Array:
        order = f"{SORTS[sort]}{' DESC' if descending else ''}, sorting"
        facts = "JOIN facts USING (id)" if "facts." in order else ""
        with self._connections.use() as connection:
            where, parameters = in_ranges(connection, ranges)
            rows = f"SELECT id FROM files {facts} WHERE {where} ORDER BY {order}"
            return ids_of(connection, f"SELECT group_concat(id) FROM ({rows})", parameters)


def put_marks(connection: sqlite3.Connection, marks: Mapping[str, Mark]) -> None:
    """Store the marks of indexed files in the table `temp.marks` of a connection, for conditions."""
    connection.execute(
        "CREATE TEMP TABLE IF NOT EXISTS marks (file INTEGER PRIMARY KEY, rating INTEGER, favourite INTEGER)"
    )
    connection.execute("DELETE FROM temp.marks")
    connection.executemany(
        "INSERT INTO temp.marks SELECT id, ?, ? FROM files WHERE path = CAST(? AS TEXT)",
        [(*mark, stored(path)) for path, mark in marks.items()],
    )


def matching_ids(connection: sqlite3.Connection, condition: Condition, ranges: Sequence[PathRange]) -> Array:
    """Find the files that meet a condition; return their ids [N] i8.

    Files outside `ranges` may be included. In one statement, all names must begin at the same offset in their
    paths. Ranges with different offsets therefore need several statements.
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
    """Run a statement that returns all ids joined with commas, which is five times as fast as one row per id.
    Return the ids [N] i8.
    """
    text = connection.execute(select, parameters).fetchone()[0]
    return np.fromstring(text, np.int64, sep=",") if text else np.empty(0, np.int64)
