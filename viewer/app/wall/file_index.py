"""The index of the listed folder or package. Tasks update and search it."""

from __future__ import annotations

import sqlite3
import threading
import time
from functools import partial

import numpy as np
from msgspec import Struct

from viewer.app.tasks import Task, Tasks
from viewer.arrays import Array
from viewer.errors import ViewerError
from viewer.library.file_sources import SourceFile
from viewer.library.index.index import Index
from viewer.library.index.query import parse, plain_words
from viewer.library.index.query_terms import QueryError
from viewer.library.workers.batches import LocalRunner
from viewer.scene.reading_context import DEFAULT, ReadingContext
from viewer.session.file_columns import COUNTED
from viewer.session.file_list import QueryResult
from viewer.session.file_table import FactColumns, FileTable

INSIDE = ("bone", "material", "texture", "clip")
"""The fields with the names inside files in which the words of a query are also searched."""
NICE = 10
"""The niceness of the processes that read files."""
LEAST, SHARE = 1.0, 10.0
"""LEAST is the shortest time in seconds between two updates of the table. After a slow update the time is
longer: SHARE times the duration of the update.
"""


class Indexed(Struct, frozen=True, eq=False):
    """The facts that the index has about the files of a `table`.

    `ids` [K] are the files' ids in the index, in ascending order; `rows` [K] are their rows in the table.
    """

    table: FileTable
    facts: FactColumns
    ids: Array
    rows: Array

    def found(self, ids: Array) -> Array:
        """Return the rows [R] of the files with these ids; files that are not in the table are skipped."""
        at = np.minimum(np.searchsorted(self.ids, ids), max(len(self.ids) - 1, 0))
        return self.rows[at[self.ids[at] == ids]] if len(self.ids) else np.empty(0, np.intp)


class FileIndex:
    """Updates and searches the index in the background.

    `update` reads changed files in `jobs` processes; `news` returns new facts. `progress` describes the
    running work. `problem` says why the index cannot be used; empty if it works.
    """

    def __init__(self, jobs: int, tasks: Tasks) -> None:
        self._jobs, self._tasks = jobs, tasks
        self._lock = threading.Lock()
        self._task: Task | None = None
        self._index: Index | None = None
        self._news: Indexed | None = None
        self._known: Indexed | None = None
        self._table: FileTable | None = None
        self._noted: dict[str, str] = {}
        self.problem = ""
        self._context = DEFAULT

    def use(self, context: ReadingContext) -> None:
        """Read files in another context, which has its own index. A running update begins anew."""
        if context == self._context:
            return
        with self._lock:
            before, self._index = self._index, None
            self._context, self._known, self._news, self._noted = context, None, None, {}
        if before is not None:
            before.close()
        if self._table is not None:
            self.update(self._table)

    def update(self, table: FileTable) -> None:
        """Read the new and changed files of a table; this cancels an earlier update."""
        self._table = table
        self._task = self._tasks.submit("index", partial(self._run, table), self._finish)

    @property
    def progress(self) -> str:
        """A description of the running work; empty if none is running."""
        return self._task.progress[0] if self._task is not None else ""

    def news(self) -> Indexed | None:
        """Return the facts that are new since the last call; None if there are none."""
        news, self._news = self._news, None
        return news

    def lists(self, table: FileTable) -> bool:
        """Whether the index has all files of a table."""
        return self._known is not None and self._known.table is table

    def find(self, query: str, table: FileTable) -> QueryResult:
        """Find the files that match a query, and count the files that also match its plain words inside. This
        takes some 30 ms: call it in a thread.
        """
        known = self._known
        if known is None or known.table is not table:
            return QueryResult(query)
        try:
            rows = known.found(self._open().query(query, [table.root]).ids)
            wider = " ".join(map(_anywhere, plain_words(query) or ()))
            more = len(known.found(self._open().query(wider, [table.root]).ids)) - len(rows) if wider else 0
        except QueryError as error:
            return QueryResult(query, table, None, error.why, error.at)
        return QueryResult(query, table, rows, wider=wider, more=more)

    def note_thumbnail(self, path: str, error: str) -> None:
        """Store the reason why a file has no thumbnail; an empty reason means that it has one.

        The reason is cleared when a changed file is read again, and has to be noted again. Call this method
        in a thread, because it writes to the disk.
        """
        if error:
            self._noted[path] = error
        elif self._noted.pop(path, None) is None:
            return
        try:
            self._open().set_thumbnail_errors({path: error})
        except (ViewerError, sqlite3.Error) as problem:
            self.problem = str(problem)

    def _open(self) -> Index:
        with self._lock:
            if self._index is None:
                self._index = Index(say=self._say, context=self._context)
            return self._index

    def _say(self, line: str) -> None:
        self.problem = line

    def _run(self, table: FileTable, task: Task) -> None:
        """Update the index in its thread and publish its facts."""
        task.report("")
        index = self._open()
        self._publish(index, table, task, listed=False)
        runner, due = LocalRunner(self._jobs, nice=NICE, stopped=lambda: task.cancelled), 0.0
        files = (source_file(table, row) for row in range(len(table)))
        for done, total in index.update(files, [table.root], runner):
            task.report(f"reading {done:,} of {total:,}")
            if time.monotonic() >= due:
                begun = time.monotonic()
                self._publish(index, table, task)
                due = time.monotonic() + max(LEAST, SHARE * (time.monotonic() - begun))
        index.set_thumbnail_errors(dict(self._noted))
        self._publish(index, table, task)

    def _finish(self, task: Task) -> None:
        self._task = None
        self.problem = task.error or self.problem

    def _publish(self, index: Index, table: FileTable, task: Task, listed: bool = True) -> None:
        """Publish the facts that the index has for the table.

        `listed` means that the index has all files of the table.
        """
        known = [each for each in index.counts([table.root], COUNTED) if table.row(each.path) is not None]
        ids = np.array([each.id for each in known], np.int64)
        facts = FactColumns.of(table, (each[1:] for each in known))
        order = np.argsort(ids)
        if not task.cancelled:
            self._news = Indexed(table, facts, ids[order], facts.rows[order])
            self._known = self._news if listed else None


def _anywhere(word: str) -> str:
    """Return the part of a query that finds a word in paths and in the names inside files."""
    return f"({' or '.join((word, *(f'{field}:{word}' for field in INSIDE)))})"


def query_error(query: str) -> tuple[str, int] | None:
    """The error of a query and the index of its character; None if the query is valid."""
    try:
        parse(query)
    except QueryError as error:
        return error.why, error.at
    return None


def source_file(table: FileTable, row: int) -> SourceFile:
    """Return a row of the table as a source file."""
    size, modified = int(table.sizes[row]), int(table.modified[row])
    return SourceFile(table.path(row), table.names[row], table.root, size, modified)
