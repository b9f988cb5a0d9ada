"""Connections to the index for all threads. What is wrong with its file is answered here."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

from viewer.errors import ViewerError
from viewer.library.index_schema import connect, make_folder
from viewer.library.query_sql import FUNCTIONS
from viewer.storage.writing import rename_file

DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
UNWRITABLE = (
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
)
SIDES = ("", "-wal", "-shm")
"""The ends of the names of the files that SQLite keeps."""
BROKEN = ".broken"


class DamagedIndexError(ViewerError):
    """The index was damaged: it was set aside, and an empty one takes its place."""


class UnusableIndexError(ViewerError):
    """The index cannot be used. `unwritable`: it cannot be written, but perhaps in memory."""

    def __init__(self, why: str, unwritable: bool) -> None:
        super().__init__(why)
        self.unwritable = unwritable


class IndexConnections:
    """Connections to the index, one for each that uses it at the same time, and kept for the next; or one in
    memory for all if the file cannot be used. `say` receives a line about that.
    """

    def __init__(self, path: Path, say: Callable[[str], None]) -> None:
        self._path, self._say = path, say
        self._lock = threading.RLock()
        self._memory: sqlite3.Connection | None = None
        self._files = 0
        self._free: list[sqlite3.Connection] = []

    @property
    def in_memory(self) -> bool:
        """Whether the index is lost at the end of the program."""
        return self._memory is not None

    @property
    def files(self) -> int:
        """The number of files that were set aside."""
        return self._files

    @contextmanager
    def use(self) -> Iterator[sqlite3.Connection]:
        """A connection. DamagedIndexError or UnusableIndexError if it fails."""
        files = self._files
        try:
            connection = self._take()
            try:
                with self._lock if connection is self._memory else nullcontext():
                    yield connection
            finally:
                self._give_back(connection, files)
        except sqlite3.Error as error:
            if code_of(error) not in DAMAGED:
                raise UnusableIndexError(f"the index: {error}", code_of(error) in UNWRITABLE) from error
            self._set_aside(files)
            raise DamagedIndexError(f"the index was damaged, and begins anew: {self._path}") from error

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """A connection inside a transaction."""
        with self.use() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("UPDATE changes SET number = number + 1")
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    with suppress(sqlite3.Error):
                        connection.execute("ROLLBACK")
                raise

    def leave_file(self, why: str) -> None:
        """Go on in memory, with all that the file holds."""
        with self._lock:
            if self._memory is not None:
                return
            memory = prepared(connect(None))
            for file in self._free[:1]:
                with suppress(sqlite3.Error):
                    file.backup(memory)
            self._memory = memory
        self._say(f"{self._path}: the index cannot be kept, and is made in memory: {why}")

    def close(self) -> None:
        """Close the connections that nobody uses; the others are closed when they are no longer used."""
        with self._lock:
            self._files += 1
            for connection in (*self._free, *((self._memory,) if self._memory else ())):
                connection.close()
            self._free.clear()

    def _take(self) -> sqlite3.Connection:
        with self._lock:
            if self._memory is not None:
                return self._memory
            if self._free:
                return self._free.pop()
        try:
            make_folder(self._path)
            return prepared(connect(self._path))
        except OSError as error:
            why = error.strerror or str(error)
        except sqlite3.DatabaseError as error:
            if code_of(error) not in UNWRITABLE:
                raise
            why = str(error)
        self.leave_file(why)
        return self._take()

    def _give_back(self, connection: sqlite3.Connection, files: int) -> None:
        with self._lock:
            if connection is self._memory:
                return
            if files == self._files:
                self._free.append(connection)
            else:
                connection.close()

    def _set_aside(self, files: int) -> None:
        """Rename the damaged file, unless that was done since there were so many `files` before."""
        with self._lock:
            if self._files != files:
                return
            self._files += 1
            for connection in self._free:
                connection.close()
            self._free.clear()
            for side in SIDES:
                with suppress(OSError):
                    rename_file(f"{self._path}{side}", f"{self._path}{BROKEN}{side}")
            if os.path.exists(self._path):
                self.leave_file("it is damaged")


def prepared(connection: sqlite3.Connection) -> sqlite3.Connection:
    """The connection with the functions that queries call."""
    for name, (arguments, function) in FUNCTIONS.items():
        connection.create_function(name, arguments, function, deterministic=True)
    return connection


def code_of(error: sqlite3.Error) -> int:
    """The primary result code of an error; 0 if it does not come from SQLite."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
