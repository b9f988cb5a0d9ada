"""The database of the index: its tables, connections for all threads, and the repair of a damaged file."""

from __future__ import annotations

import os
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from hashlib import blake2b
from pathlib import Path

from viewer.errors import ViewerError
from viewer.family.registry import plugin_versions
from viewer.library.index.query_terms import FUNCTIONS, WORDS
from viewer.scene.files import COUNTS
from viewer.scene.reading_context import DEFAULT, ReadingContext
from viewer.storage.cache_folder import cache_folder
from viewer.storage.kept_files import used
from viewer.storage.listing import list_folder
from viewer.storage.versions import path_version
from viewer.storage.writing import BROKEN, rename_file

VERSION = 5
"""Version of the tables and the facts; the index is rebuilt when it changes."""
WRITE_TIMEOUT = 30.0
"""Seconds to wait while another program writes."""
PRIVATE_FOLDER = 0o700
"""Permissions of a new cache folder; private, because the index has names of the user's files."""
PAGES = 64 << 10
"""Kibibytes of the database that a connection caches."""

NUMBERS = ("size", "modified", *COUNTS, "length", "missing", "warnings", "errors")
LISTS = (
    "clip_names",
    "material_names",
    "texture_names",
    "missing_kinds",
    "missing_names",
    "warning_texts",
    "error_texts",
    "bone_names",
    "display_ids",
)
"""Columns with lists of texts, separated by newlines; see `rows.texts_column`."""

PATH_TEXT = partial(str, encoding="utf-8", errors=sys.getfilesystemencodeerrors())
"""Decodes texts of the database, also paths that are not UTF-8."""
TABLES = f"""
CREATE TABLE files (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    size INTEGER NOT NULL,
    modified INTEGER NOT NULL,
    current INTEGER NOT NULL DEFAULT 0,
    title_key INTEGER NOT NULL,
    sorting BLOB NOT NULL,
    hash BLOB,
    bounds BLOB,
    thumbnail_error TEXT NOT NULL DEFAULT ''
);
CREATE TABLE facts (
    id INTEGER PRIMARY KEY,
    title INTEGER NOT NULL,
    folded BLOB NOT NULL,
    {", ".join((*NUMBERS, *WORDS))}
);
CREATE VIRTUAL TABLE names USING fts5({", ".join(LISTS)}, tokenize = 'trigram');
CREATE TABLE companions (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    modified INTEGER,
    size INTEGER
);
CREATE TABLE uses (
    file INTEGER NOT NULL,
    companion INTEGER NOT NULL,
    PRIMARY KEY (file, companion)
) WITHOUT ROWID;
CREATE INDEX users ON uses (companion);
CREATE TABLE changes (number INTEGER NOT NULL);
INSERT INTO changes VALUES (0);
PRAGMA user_version = {VERSION};
"""
"""The SQL of the tables.

`files` has a row for each file. A file is `current` if it was read and none of its dependencies has changed
since. `sorting` is the sort key of the path; the sort key of the name without folders begins at offset
`title_key` of `sorting`.

`facts` has the numbers and words that queries compare; NULL for an unread file. `folded` is the case-folded
path; the name without folders begins at offset `title` of `folded`.

`companions` are the files and folders that facts depend on, with modification time and size; NULL if the path
did not exist.

`changes` counts the writing transactions.
"""

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
"""Suffixes of the files that SQLite writes for one database."""
NAME, SUFFIX = "index-", ".sqlite"
"""The first and the last letters of the file of an index."""
MOST, UNUSED = 8, 24 * 3600.0
"""The number of kept indexes. When an index is created, the least used indexes are deleted, unless they were
used in the last `UNUSED` seconds.
"""


class DamagedIndexError(ViewerError):
    """The index was damaged: its file was renamed, and an empty index replaces it."""


class UnusableIndexError(ViewerError):
    """The index cannot be used. If `unwritable`, its file cannot be written, but an index in memory may
    work.
    """

    def __init__(self, why: str, unwritable: bool) -> None:
        super().__init__(why)
        self.unwritable = unwritable


class IndexConnections:
    """A pool of connections to the index.

    If the file cannot be used, a single connection to an index in memory replaces it, and `say` receives a
    message.
    """

    def __init__(self, path: Path, say: Callable[[str], None]) -> None:
        self._path, self._say = path, say
        self._lock = threading.RLock()
        self._memory: sqlite3.Connection | None = None
        self._files = 0
        self._free: list[sqlite3.Connection] = []

    @property
    def in_memory(self) -> bool:
        """Whether the index is in memory, so that it is lost at the end of the program."""
        return self._memory is not None

    @property
    def files(self) -> int:
        """The number of damaged files that were renamed."""
        return self._files

    @contextmanager
    def use(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection. Raises DamagedIndexError or UnusableIndexError if SQLite fails."""
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
            raise DamagedIndexError(f"{self._path}: the index was damaged and is rebuilt") from error

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection inside a transaction, which is committed at the end."""
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
        """Copy the index into memory, and use it there from now on."""
        with self._lock:
            if self._memory is not None:
                return
            memory = prepared(connect(None))
            for file in self._free[:1]:
                with suppress(sqlite3.Error):
                    file.backup(memory)
            self._memory = memory
        self._say(f"{self._path}: the index cannot be written and is kept in memory: {why}")

    def close(self) -> None:
        """Close unused connections now, and connections in use after their use."""
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
            self._path.parent.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)
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
        """Rename the damaged file. Do nothing if the number of renamed files is no longer `files`, because
        then another thread has renamed it.
        """
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
    """Register the functions that queries call on a connection, and return the connection."""
    for name, (arguments, function) in FUNCTIONS.items():
        connection.create_function(name, arguments, function, deterministic=True)
    return connection


def code_of(error: sqlite3.Error) -> int:
    """Return the primary result code of an error; 0 if it does not come from SQLite."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def default_path(context: ReadingContext = DEFAULT) -> Path:
    """Return the path of this user's index; each context of reading has its own index, and so has each
    combination of installed families.
    """
    name = f"{NAME}{VERSION}"
    given = (context, *plugin_versions())
    if given != (DEFAULT,):
        name += f"-{blake2b(repr(given).encode('utf-8', 'replace'), digest_size=8).hexdigest()}"
    return cache_folder() / f"{name}{SUFFIX}"


def connect(path: Path | None) -> sqlite3.Connection:
    """Connect to the index in this file, which is created if it is missing; None is an index in memory.

    Raises sqlite3.Error if it cannot be opened or is damaged.
    """
    connection = sqlite3.connect(
        ":memory:" if path is None else os.fspath(path),
        timeout=WRITE_TIMEOUT,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        connection.text_factory = PATH_TEXT
        connection.execute(f"PRAGMA cache_size = -{PAGES}")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA temp_store = MEMORY")
        if path is not None:
            used(path, _last_use(os.fspath(path)))
        if _version(connection) != VERSION:
            connection.execute("PRAGMA journal_mode = WAL")
            _make(connection)
            if path is not None:
                _delete_least_used(path)
    except BaseException:
        connection.close()
        raise
    return connection


def _delete_least_used(created: Path) -> None:
    """Delete the indexes of contexts and of versions of the program that were not used for long."""
    with suppress(OSError):
        files = [each.path for each in list_folder(created.parent) if each.name.startswith(NAME)]
        indexes = [each for each in files if each.endswith(SUFFIX)]
        last = {each: max(_last_use(f"{each}{side}") for side in SIDES) for each in indexes}
        for path in sorted(indexes, key=last.__getitem__)[:-MOST]:
            for side in SIDES if time.time() - last[path] > UNUSED else ():
                with suppress(FileNotFoundError):
                    os.unlink(f"{path}{side}")


def _last_use(path: str) -> float:
    version = path_version(path)
    return version.modified / 1e9 if version is not None else 0.0


def _make(connection: sqlite3.Connection) -> None:
    """Create the tables, unless another program has created them meanwhile."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        if _version(connection) != VERSION:
            for statement in filter(str.strip, TABLES.split(";")):
                connection.execute(statement)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])
