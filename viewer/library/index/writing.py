"""The SQL of an index update, one function per step."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from viewer.library.file_sources import SourceFile
from viewer.library.index.database import LISTS, NUMBERS, WORDS
from viewer.library.index.facts import IndexedFile
from viewer.library.index.ranges import PathRange, folded, in_ranges, stored
from viewer.library.index.rows import (
    bounds_row,
    lists_row,
    numbers_row,
    sorting,
    title_offset,
)
from viewer.storage.versions import Version, path_version

LATEST = (1 << 63) - 1
"""Largest integer that SQLite stores."""
FACTS = (*NUMBERS, *WORDS)
SET_FACTS = f"UPDATE facts SET {', '.join(f'{each} = ?' for each in FACTS)} WHERE id = ?"
PUT_NAMES = f"INSERT INTO names (rowid, {', '.join(LISTS)}) VALUES (?{', ?' * len(LISTS)})"
PUT_COMPANION = "INSERT INTO companions (path, modified, size) VALUES (CAST(? AS TEXT), ?, ?) RETURNING id"
BY_PATH = "SELECT id FROM files WHERE path = CAST(? AS TEXT)"
OUTDATE = "UPDATE files SET current = 0 WHERE id IN (SELECT file FROM uses WHERE companion = ?)"
USED = """SELECT id, path, modified, size FROM companions WHERE id IN
    (SELECT companion FROM uses WHERE file IN (SELECT id FROM files WHERE {}))"""
MODELS = """SELECT id, path, files.size, files.modified FROM files JOIN facts USING (id)
    WHERE kind = 'model' AND path >= CAST(? AS TEXT) AND path < CAST(? AS TEXT)"""
KNOWN = "SELECT path, id, size, modified, current FROM files WHERE {}"


KnownFile = tuple[str, int, int, int, int]
"""A file in the index: path, id, size in bytes, time in nanoseconds, and 1 if it is current."""


def known_files(connection: sqlite3.Connection, ranges: Sequence[PathRange]) -> dict[str, KnownFile]:
    """Return the indexed files of some ranges by path."""
    where, parameters = in_ranges(connection, ranges)
    return {row[0]: row for row in connection.execute(KNOWN.format(where), parameters)}


def known_hash(connection: sqlite3.Connection, id: int) -> bytes | None:
    """Return the stored hash of an indexed file; None if no hash is stored."""
    found = connection.execute("SELECT hash FROM files WHERE id = ?", [id]).fetchone()
    return found[0] if found else None


def changed_companions(
    connection: sqlite3.Connection, ranges: Sequence[PathRange]
) -> list[tuple[int, Version | None]]:
    """Find files and folders that changed after the files that depend on them were read.

    Returns their ids and current versions.
    """
    where, parameters = in_ranges(connection, ranges)
    used = connection.execute(USED.format(where), parameters).fetchall()
    versions = ((id, known, path_version(path)) for id, path, *known in used)
    return [(id, now) for id, known, now in versions if _columns(now) != tuple(known)]


def set_outdated(connection: sqlite3.Connection, changed: Iterable[tuple[int, Version | None]]) -> None:
    """Mark the files that depend on these files and folders as not current."""
    for companion, now in changed:
        connection.execute(OUTDATE, [companion])
        values = [*_columns(now), companion]
        connection.execute("UPDATE companions SET modified = ?, size = ? WHERE id = ?", values)


def outdated_models(connection: sqlite3.Connection, fronts: Iterable[str]) -> list[SourceFile]:
    """Mark the models directly in the folders `fronts`, not in their subfolders, as not current. Return these
    models.
    """
    models = []
    for front in fronts:
        beginning = stored(front)
        found = connection.execute(
            MODELS, [beginning, beginning[:-1] + bytes([beginning[-1] + 1])]
        ).fetchall()
        inside = [row for row in found if "/" not in row[1][len(front) :]]
        connection.executemany("UPDATE files SET current = 0 WHERE id = ?", [row[:1] for row in inside])
        models += [SourceFile(path, "", "", size, modified) for _, path, size, modified in inside]
    return models


def put_listing(connection: sqlite3.Connection, new: Iterable[SourceFile]) -> None:
    """List new files without facts; skip a file that another program has listed meanwhile."""
    for file in new:
        key, title_key = sorting(file.path)
        row = connection.execute(
            """INSERT INTO files (path, size, modified, title_key, sorting)
            VALUES (CAST(? AS TEXT), ?, ?, ?, ?) ON CONFLICT (path) DO NOTHING""",
            [stored(file.path), file.size, time_of(file), title_key, key],
        )
        if row.rowcount < 1:
            continue
        name = folded(file.path)
        connection.execute(
            "INSERT INTO facts (id, title, folded, size, modified) VALUES (?, ?, ?, ?, ?)",
            [row.lastrowid, title_offset(name), name, file.size, time_of(file)],
        )


def change_listing(
    connection: sqlite3.Connection,
    same: Iterable[SourceFile],
    unread: Iterable[SourceFile],
    gone: Sequence[int],
) -> None:
    """Store the new times of files with unchanged bytes, the new times and sizes of the `unread` files, which
    are marked as not current, and remove the files `gone`.
    """
    values = [(file.size, time_of(file), stored(file.path)) for file in (*same, *unread)]
    for table in ("files", "facts"):
        connection.executemany(f"UPDATE {table} SET size = ?, modified = ? WHERE id = ({BY_PATH})", values)
    outdated = [(stored(file.path),) for file in unread]
    connection.executemany(f"UPDATE files SET current = 0 WHERE id = ({BY_PATH})", outdated)
    remove(connection, gone)


def put_facts(connection: sqlite3.Connection, file: SourceFile, read: IndexedFile) -> None:
    """Store the facts of a listed file. If its bytes changed, the error of its thumbnail is cleared."""
    found = connection.execute(BY_PATH, [stored(file.path)]).fetchone()
    if found is None:
        return  # another program has removed the file
    (id,) = found
    connection.execute(
        """UPDATE files SET thumbnail_error = CASE WHEN hash IS ?1 THEN thumbnail_error ELSE '' END,
        hash = ?1, bounds = ?2, size = ?3, modified = ?4, current = 1 WHERE id = ?5""",
        [read.hash, bounds_row(read.facts), file.size, time_of(file), id],
    )
    connection.execute(SET_FACTS, [*numbers_row(file.size, time_of(file), read.facts), id])
    connection.execute("DELETE FROM names WHERE rowid = ?", [id])
    connection.execute(PUT_NAMES, [id, *lists_row(read.facts)])
    connection.execute("DELETE FROM uses WHERE file = ?", [id])
    for path, now in (read.companions or {}).items():
        _use(connection, id, path, now)


def _use(connection: sqlite3.Connection, file: int, path: str, now: Version | None) -> None:
    """Store that a file depends on another file or a folder.

    If the other file or the folder has changed, all other files that depend on it are marked as not current.
    """
    known = connection.execute(
        "SELECT id, modified, size FROM companions WHERE path = CAST(? AS TEXT)", [stored(path)]
    ).fetchone()
    if known is not None and known[1:] != _columns(now):
        set_outdated(connection, [(known[0], now)])
    companion = known or connection.execute(PUT_COMPANION, [stored(path), *_columns(now)]).fetchone()
    connection.execute("INSERT INTO uses VALUES (?, ?)", [file, companion[0]])


def remove_path(connection: sqlite3.Connection, path: str) -> None:
    """Remove the file with this path."""
    remove(connection, [each[0] for each in connection.execute(BY_PATH, [stored(path)])])


def remove(connection: sqlite3.Connection, ids: Sequence[int]) -> None:
    """Remove files, and the companions that no other file depends on."""
    if not ids:
        return
    rows = [(each,) for each in ids]
    for table, column in (("files", "id"), ("facts", "id"), ("names", "rowid"), ("uses", "file")):
        connection.executemany(f"DELETE FROM {table} WHERE {column} = ?", rows)
    connection.execute("DELETE FROM companions WHERE id NOT IN (SELECT companion FROM uses)")


def time_of(file: SourceFile) -> int:
    """Return the modification time of a file within the range that SQLite stores."""
    return _stored_time(file.modified)


def _columns(version: Version | None) -> tuple[int | None, int | None]:
    """Return the values of the columns `modified` and `size` for this version of a companion. Both are None
    if the companion does not exist.
    """
    return (None, None) if version is None else (_stored_time(version.modified), version.size)


def _stored_time(nanoseconds: int) -> int:
    return max(min(nanoseconds, LATEST), -LATEST)
