"""The tables of the index, and connections to it."""

from __future__ import annotations

import os
import sqlite3
import sys
from functools import partial
from hashlib import blake2b
from pathlib import Path

from viewer.library.cache_folder import cache_folder
from viewer.scene.file_entry import COUNTS
from viewer.storage.reading import chosen_limit
from viewer.storage.resource_folders import given_resources

VERSION = 3
"""Increased when the tables or the facts change: the index is then made again."""
PATIENCE = 30.0
"""Seconds to wait for another program that writes."""
PRIVATE_FOLDER = 0o700
"""Permissions of a new cache folder: the index names files of the user."""
PAGES = 64 << 10
"""Kibibytes of the file that a connection keeps in memory."""

NUMBERS = ("size", "modified", *COUNTS, "length", "missing", "warnings", "errors")
WORDS = ("format", "version", "kind")
LISTS = (
    "clip_names",
    "material_names",
    "texture_names",
    "missing_kinds",
    "missing_names",
    "warning_texts",
    "error_texts",
    "bone_names",
)
"""Columns of texts, each text between line ends, see `index_rows.joined`."""

PATH_TEXT = partial(str, encoding="utf-8", errors=sys.getfilesystemencodeerrors())
"""Decodes texts, among them paths that are not UTF-8."""
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
"""`files` has a row for each file. A file is `current` if it was read, and nothing that it depends on has
changed since. `sorting` is the sort key of the path, `title_key` the offset in it of the name without its
folders.

`facts` has the numbers and words that queries compare, NULL for a file that was not read yet. `folded` is the
path without differences of case, `title` the offset in it of the name without folders.

`companions` are the files and folders that facts depend on, with the version that they had; NULL: there was
no such path.
`changes` counts the transactions that wrote.
"""


def default_path() -> Path:
    """The index of this user. Resource folders and a limit of sizes change facts, so they have one of their
    own.
    """
    given = *map(os.path.abspath, given_resources()), chosen_limit()
    name = f"index-{VERSION}"
    if given != (None,):
        name += f"-{blake2b(repr(given).encode('utf-8', 'replace'), digest_size=8).hexdigest()}"
    return cache_folder() / f"{name}.sqlite"


def connect(path: Path | None) -> sqlite3.Connection:
    """A connection to the index in this file, which is made if it does not exist; None: in memory.

    sqlite3.Error if it cannot be opened or is damaged.
    """
    connection = sqlite3.connect(
        ":memory:" if path is None else os.fspath(path),
        timeout=PATIENCE,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        connection.text_factory = PATH_TEXT
        connection.execute(f"PRAGMA cache_size = -{PAGES}")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA temp_store = MEMORY")
        if _version(connection) != VERSION:
            connection.execute("PRAGMA journal_mode = WAL")
            _make(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _make(connection: sqlite3.Connection) -> None:
    """Make the tables, unless another program did so in the meantime."""
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


def make_folder(path: Path) -> None:
    """Make the folder of the index, for this user only; OSError if that is not possible."""
    path.parent.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)
