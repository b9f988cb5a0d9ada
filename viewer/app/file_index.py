"""The index of the listed place: brought up to date and searched in threads, while the window goes on."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable

import numpy as np
from msgspec import Struct

from viewer.arrays import Array
from viewer.errors import ViewerError
from viewer.library.batches import LocalRunner
from viewer.library.index.index import Index
from viewer.library.index.query import parse
from viewer.library.index.query_terms import QueryError
from viewer.library.places import SourceFile
from viewer.session.file_list import QueryResult
from viewer.session.file_table import FactColumns, FileTable

NICE = 10
"""The priority of the processes that read files."""
LEAST, SHARE = 1.0, 10.0
"""Seconds between two looks at what is new, at least, and in multiples of the time that a look takes."""


class Indexed(Struct, frozen=True, eq=False):
    """What the index knows of a `table`. `ids` [K], ascending, are its files in the index, `rows` [K] their
    rows in the table.
    """

    table: FileTable
    facts: FactColumns
    ids: Array
    rows: Array

    def found(self, ids: Array) -> Array:
        """[R] the rows of those files of the index that are in the table."""
        at = np.minimum(np.searchsorted(self.ids, ids), max(len(self.ids) - 1, 0))
        return self.rows[at[self.ids[at] == ids]] if len(self.ids) else np.empty(0, np.intp)


class FileIndex:
    """`update` reads what changed, in `jobs` processes; `news` has what is known since. Nothing waits.

    `wake` is called from the thread when there is something new. `progress` says what is being done,
    `problem` why the index cannot be used.
    """

    def __init__(self, jobs: int, wake: Callable[[], None]) -> None:
        self._jobs, self._wake = jobs, wake
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._index: Index | None = None
        self._news: Indexed | None = None
        self._known: Indexed | None = None
        self._noted: dict[str, str] = {}
        self.progress = self.problem = ""

    def update(self, table: FileTable) -> None:
        """Read the files of a table that are new or have changed; an update of another table ends."""
        self._stop.set()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(table, self._stop), name="index", daemon=True)
        self._thread.start()

    @property
    def busy(self) -> bool:
        """Whether files are being read."""
        return self._thread is not None and self._thread.is_alive()

    def news(self) -> Indexed | None:
        """What is known now, once after each change."""
        news, self._news = self._news, None
        return news

    def lists(self, table: FileTable) -> bool:
        """Whether the index has the files of a table."""
        return self._known is not None and self._known.table is table

    def find(self, query: str, table: FileTable) -> QueryResult:
        """The files that a query finds. Takes some 30 ms: call it in a thread."""
        known = self._known
        if known is None or known.table is not table:
            return QueryResult(query)
        try:
            found = self._open().query(query, [table.place])
        except QueryError as error:
            return QueryResult(query, table, None, error.why, error.at)
        return QueryResult(query, table, known.found(found.ids))

    def note_thumbnail(self, path: str, error: str) -> None:
        """Store why a file has no thumbnail, and again when the file is read; empty: it has one now. It
        writes: call it in a thread.
        """
        if error:
            self._noted[path] = error
        elif self._noted.pop(path, None) is None:
            return
        try:
            self._open().set_thumbnail_errors({path: error})
        except (ViewerError, sqlite3.Error) as problem:
            self.problem = str(problem)

    def close(self) -> None:
        """End the update; the threads and processes end by themselves."""
        self._stop.set()

    def _open(self) -> Index:
        with self._lock:
            if self._index is None:
                self._index = Index(say=self._say)
            return self._index

    def _say(self, line: str) -> None:
        self.problem = line

    def _run(self, table: FileTable, stop: threading.Event) -> None:
        """In the thread: bring the index up to date, and publish what it knows."""
        try:
            index = self._open()
            self._publish(index, table, stop, listed=False)
            runner, due = LocalRunner(self._jobs, nice=NICE, stopped=stop.is_set), 0.0
            files = (source_file(table, row) for row in range(len(table)))
            for done, total in index.update(files, [table.place], runner):
                if stop.is_set():
                    return
                self.progress = f"reading {done:,} of {total:,}"
                if time.monotonic() >= due:
                    begun = time.monotonic()
                    self._publish(index, table, stop)
                    due = time.monotonic() + max(LEAST, SHARE * (time.monotonic() - begun))
            index.set_thumbnail_errors(dict(self._noted))
            self._publish(index, table, stop)
        except ViewerError as error:
            self.problem = str(error)
        finally:
            if not stop.is_set():
                self.progress = ""
                self._wake()

    def _publish(self, index: Index, table: FileTable, stop: threading.Event, listed: bool = True) -> None:
        """Publish what the index knows of the table. `listed`: it has all its files."""
        known = [each for each in index.counts([table.place]) if table.row(each.path) is not None]
        ids = np.array([each.id for each in known], np.int64)
        facts = FactColumns.of(table, (each[1:] for each in known))
        order = np.argsort(ids)
        if not stop.is_set():
            self._news = Indexed(table, facts, ids[order], facts.rows[order])
            self._known = self._news if listed else None
            self._wake()


def query_error(query: str) -> tuple[str, int] | None:
    """What is wrong with a query, and at which letter; None if nothing is."""
    try:
        parse(query)
    except QueryError as error:
        return error.why, error.at
    return None


def source_file(table: FileTable, row: int) -> SourceFile:
    """A row of a table."""
    size, modified = int(table.sizes[row]), int(table.modified[row])
    return SourceFile(table.path(row), table.names[row], table.place, size, modified)
