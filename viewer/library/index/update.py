"""Updates the index: finds changes by size and time, then by hash."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Container, Generator, Iterable, Sequence
from functools import partial
from typing import NamedTuple

from viewer.family.registry import has_role
from viewer.library.file_sources import SourceFile
from viewer.library.index import writing as rows
from viewer.library.index.database import IndexConnections, UnusableIndexError
from viewer.library.index.facts import IndexedFile, hash_file, index_file, text
from viewer.library.index.ranges import path_range
from viewer.library.outcome import Outcome
from viewer.library.workers.batches import Runner, run_batch
from viewer.scene.files import FileFacts
from viewer.scene.names import JOINT
from viewer.scene.reading_context import ReadingContext
from viewer.storage.package_path import on_disk

FLUSH = 0.5
"""Seconds between two transactions; an interrupted update loses at most this much work."""
TOGETHER = 5000
"""Largest number of new files in one transaction. The number is limited, because other programs wait until a
transaction ends.
"""


class IndexProgress(NamedTuple):
    """Progress of an update: `done` of `total` changed files are read."""

    done: int
    total: int


def updated(
    connections: IndexConnections,
    files: Iterable[SourceFile],
    roots: Sequence[str],
    runner: Runner,
    context: ReadingContext,
    read: Container[str] | None = None,
) -> Generator[IndexProgress, None, None]:
    """Implement `Index.update`."""
    update = IndexUpdate(connections, roots)
    update.compare(files, read)
    waiting = list(update.waiting)
    if not waiting:
        return
    yield IndexProgress(0, len(waiting))
    finished: list[Outcome] = []
    stored_at = time.monotonic()
    outcomes = run_batch(partial(index_file, context=context), waiting, runner)
    try:
        for done, outcome in enumerate(outcomes, 1):
            finished.append(outcome)
            if time.monotonic() - stored_at > FLUSH:
                update.store(finished)
                finished.clear()
                stored_at = time.monotonic()
            yield IndexProgress(done, len(waiting))
    finally:
        update.store(finished)


class IndexUpdate:
    """One update of the index. `waiting` are the files to read, by path."""

    def __init__(self, connections: IndexConnections, roots: Sequence[str]) -> None:
        self._connections = connections
        present = [each for each in roots if os.path.lexists(on_disk(each))]
        self._ranges = [path_range(each) for each in present]
        self.waiting: dict[str, SourceFile] = {}

    def compare(self, files: Iterable[SourceFile], read: Container[str] | None = None) -> None:
        """Find new, changed and removed files; list the new files without facts. See `Index.update` for
        `read`.
        """
        if read != ():
            with self._connections.use() as connection:
                changed = rows.changed_companions(connection, self._ranges)
            if changed:
                self._write(lambda connection: rows.set_outdated(connection, changed))
        with self._connections.use() as connection:
            known = rows.known_files(connection, self._ranges)
        new: list[SourceFile] = []
        same: list[SourceFile] = []
        unread: list[SourceFile] = []
        for file in files:
            old = known.pop(file.path, None)
            if old is None:
                new.append(file)
            elif old[2:] == (file.size, rows.time_of(file), 1):
                continue
            elif read is not None and file.path not in read:
                unread.append(file)
                continue
            elif self._has_known_hash(old, file):
                same.append(file)
                continue
            if read is None or file.path in read:
                self.waiting[file.path] = file
        gone = [old[1] for old in known.values()]
        for first in range(0, len(new), TOGETHER):
            self._write(partial(rows.put_listing, new=new[first : first + TOGETHER]))
        if same or unread or gone:
            self._write(lambda connection: rows.change_listing(connection, same, unread, gone))
        fronts = {front_of(path) for path in (*known, *(each.path for each in new)) if has_clips(path)}
        if fronts:
            self._read_models_of(fronts, read)

    def _read_models_of(self, fronts: Iterable[str], read: Container[str] | None) -> None:
        """Queue the models of some folders to be read again, because models play the animations in their own
        folder. Models that are not in `read` are only marked.
        """

        def outdate(connection: sqlite3.Connection) -> None:
            """Mark the models as outdated and queue them."""
            for file in rows.outdated_models(connection, fronts):
                if read is None or file.path in read:
                    self.waiting.setdefault(file.path, file)

        self._write(outdate)

    def _has_known_hash(self, old: rows.KnownFile, file: SourceFile) -> bool:
        """Return whether only the time of a file changed."""
        if not old[4] or old[2] != file.size:
            return False
        with self._connections.use() as connection:
            known = rows.known_hash(connection, old[1])
        return known is not None and hash_file(file.path) == known

    def store(self, outcomes: Sequence[Outcome]) -> None:
        """Store the facts of read files; a file that was removed meanwhile is removed from the index."""
        if not outcomes:
            return

        def put(connection: sqlite3.Connection) -> None:
            """Store the outcomes."""
            for each in outcomes:
                read = each.value or IndexedFile(FileFacts(errors=(text(each.why),)))
                if read.hash is None and not os.path.lexists(on_disk(each.path)):
                    rows.remove_path(connection, each.path)
                else:
                    rows.put_facts(connection, self.waiting[each.path], read)

        self._write(put)

    def _write(self, change: Callable[[sqlite3.Connection], None]) -> None:
        """Make a change in one transaction. If the file of the index is no longer writable, copy the index
        into memory and change it there.
        """
        try:
            with self._connections.write() as connection:
                change(connection)
        except UnusableIndexError as error:
            if self._connections.in_memory or not error.unwritable:
                raise
            self._connections.leave_file(str(error))
            with self._connections.write() as connection:
                change(connection)


def front_of(path: str) -> str:
    """Return the folder of a file with a separator at its end; `PACKAGE::` for a file that is in no folder of
    its package.
    """
    return path[: max(path.rfind(os.sep), path.rfind("/"), path.rfind(JOINT) + len(JOINT) - 1) + 1]


def has_clips(path: str) -> bool:
    """Return whether models of the same folder play the file as an animation."""
    return has_role(path, "animation")
