"""Ratings and favourite marks of files: kept in the user's data folder, not in the cache or in the files.

A mark belongs to the path of a file. If the file is moved, the mark goes with it: the first and the last
bytes of the file and its size identify its content. Several programs can use the ratings at once.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from viewer.errors import ResourceError, ViewerError
from viewer.library.file_sources import SourceFile
from viewer.library.index.database import DAMAGED, PATH_TEXT, PRIVATE_FOLDER, SIDES, code_of
from viewer.library.index.ranges import stored
from viewer.paths import user_folder
from viewer.scene.files import UNMARKED, Mark
from viewer.scene.reading_context import DEFAULT, ReadingContext
from viewer.storage.package_path import is_file, read_path, split
from viewer.storage.reading import open_regular
from viewer.storage.writing import put_aside

FOLDER_VARIABLE = "RIGSCOPE_DATA"
"""Environment variable that replaces the path of the data folder."""
VERSION = 1
"""Version of the table. The ratings of a newer version stay untouched."""
PART = 64 << 10
"""Number of bytes at the beginning and at the end of a file that identify its content."""
HASH = 16
"""Length of a hash in bytes."""
WRITE_TIMEOUT = 10.0
"""Seconds to wait while another program writes."""
TABLE = """
CREATE TABLE IF NOT EXISTS marks (
    path TEXT PRIMARY KEY,
    size INTEGER,
    hash BLOB,
    rating INTEGER NOT NULL,
    favourite INTEGER NOT NULL,
    changed INTEGER NOT NULL
)"""
PUT = """
INSERT INTO marks VALUES (CAST(? AS TEXT), ?, ?, ?, ?, ?) ON CONFLICT (path) DO UPDATE SET
size = excluded.size, hash = excluded.hash, rating = excluded.rating, favourite = excluded.favourite,
changed = excluded.changed"""


def data_folder() -> Path:
    """Return the path of this user's data folder, which may be missing or read-only."""
    return user_folder("data", FOLDER_VARIABLE)


class ContentKey(NamedTuple):
    """The identity of a file's content; None for a file that cannot be read."""

    size: int | None = None
    hash: bytes | None = None


class StoredMark(NamedTuple):
    """A row of the table: a mark and the content that the file had when the user set the mark."""

    mark: Mark
    content: ContentKey


class Ratings:
    """The marks in the file `path`, by default in the user's data folder. All threads may use it.

    If the marks cannot be read, `say` receives a message, and no file has a mark.
    """

    def __init__(
        self,
        path: Path | None = None,
        say: Callable[[str], None] = lambda line: None,
        context: ReadingContext = DEFAULT,
    ) -> None:
        self.path = path or data_folder() / "ratings.sqlite"
        self._say, self._context = say, context

    def all(self) -> dict[str, Mark]:
        """Return the marks of all files by absolute path."""
        return {path: each.mark for path, each in self._stored().items()}

    def follow(self, files: Iterable[SourceFile]) -> dict[str, Mark]:
        """Return all marks, after the marks of moved files are stored for their new paths.

        A file of `files` without a mark takes the mark of a missing file with the same content.
        """
        marks = self._stored()
        if not marks:
            return {}
        sizes = {each.content.size for each in marks.values()}
        new = [file for file in files if file.size in sizes and file.path not in marks]
        wanted = {file.size for file in new}
        lost = {
            each.content: each.mark
            for path, each in marks.items()
            if each.content.size in wanted and each.mark != UNMARKED and not is_file(path, self._context)
        }
        moved = {}
        for file in new if lost else ():
            content = content_of(file.path, self._context)
            if content in lost:
                moved[file.path] = StoredMark(lost[content], content)
        if moved:
            try:
                self._put(moved)
            except ViewerError as error:
                self._say(str(error))
        return {path: each.mark for path, each in (marks | moved).items()}

    def put(self, marks: Mapping[str, Mark]) -> None:
        """Store the marks of files by absolute path. ResourceError if they cannot be written."""
        self._put({path: StoredMark(mark, content_of(path, self._context)) for path, mark in marks.items()})

    def _put(self, marks: Mapping[str, StoredMark]) -> None:
        now = time.time_ns()
        rows = [(stored(path), *each.content, *each.mark, now) for path, each in marks.items()]
        try:
            self.path.parent.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)
            try:
                self._write(rows)
            except sqlite3.Error as error:
                if code_of(error) not in DAMAGED:
                    raise
                self._set_aside()
                self._write(rows)
        except (OSError, sqlite3.Error) as error:
            why = getattr(error, "strerror", None) or error
            raise ResourceError(f"ratings cannot be written: {self.path}: {why}") from error

    def _write(self, rows: Iterable[tuple[object, ...]]) -> None:
        with self._opened() as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(TABLE)
            connection.executemany(PUT, rows)
            connection.execute(f"PRAGMA user_version = {VERSION}")
            connection.execute("COMMIT")

    def _stored(self) -> dict[str, StoredMark]:
        """Return all rows by path, the oldest first. Report an error and return nothing if that fails."""
        if not self.path.exists():
            return {}
        select = "SELECT path, size, hash, rating, favourite FROM marks ORDER BY changed"
        try:
            with self._opened() as connection:
                if not connection.execute("SELECT 1 FROM sqlite_master").fetchone():
                    return {}
                rows = connection.execute(select).fetchall()
        except (OSError, sqlite3.Error) as error:
            if isinstance(error, sqlite3.Error) and code_of(error) in DAMAGED:
                self._set_aside()
            else:
                self._say(f"ratings cannot be read: {self.path}: {error}")
            return {}
        return {
            path: StoredMark(Mark(rating, bool(favourite)), ContentKey(size, hash))
            for path, size, hash, rating, favourite in rows
        }

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection. Its end rolls back an unfinished transaction."""
        with closing(sqlite3.connect(self.path, timeout=WRITE_TIMEOUT, isolation_level=None)) as connection:
            connection.text_factory = PATH_TEXT
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if version > VERSION:
                raise sqlite3.NotSupportedError("a newer version of Rigscope wrote them")
            yield connection

    def _set_aside(self) -> None:
        """Rename the damaged file, and report its new name."""
        try:
            aside = put_aside(self.path, SIDES[1:])
        except FileNotFoundError:
            return  # another program has renamed the damaged file
        except OSError as error:
            self._say(f"ratings are damaged and cannot be renamed: {self.path}: {error.strerror or error}")
            return
        self._say(f"ratings were damaged; the damaged file is now {aside}")


def content_of(path: str, context: ReadingContext) -> ContentKey:
    """Return the identity of a file's content."""
    try:
        if split(path) is None:
            with open_regular(path) as file:
                size = os.fstat(file.fileno()).st_size
                parts = [file.read(PART)]
                file.seek(max(size - PART, 0))
                parts.append(file.read(PART))
        else:
            data = read_path(path, context)[1]
            size, parts = len(data), [data[:PART], data[max(len(data) - PART, 0) :]]
    except (OSError, ViewerError):
        return ContentKey()
    return ContentKey(size, blake2b(b"".join(parts), digest_size=HASH).digest())
