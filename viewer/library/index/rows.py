"""The rows of the index: converts facts to columns and back, and reads files as a sequence."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from typing import Any, NamedTuple, overload

import numpy as np

from viewer.arrays import Array
from viewer.library.index.database import LISTS, NUMBERS, WORDS, IndexConnections
from viewer.library.index.ranges import PathRange, in_ranges, name_in, stored
from viewer.lru import RecentValues
from viewer.scene.files import COUNTS, UNMARKED, FileEntry, FileFacts, Mark
from viewer.scene.names import JOINT
from viewer.storage.listing import natural_parts

ENTRY = ", ".join(
    [
        "files.id",
        "files.path",
        "thumbnail_error",
        "bounds",
        *(f"facts.{each}" for each in (*NUMBERS, *WORDS)),
        *(f"names.{each}" for each in LISTS),
    ]
)
ENTRIES = f"SELECT {ENTRY} FROM files JOIN facts USING (id) LEFT JOIN names ON names.rowid = files.id"
"""The SQL that selects the rows for `entry`."""
COUNTED = (*COUNTS, "length")
"""The fields of `FileFacts` that are numbers."""
PAGE = 32
"""Number of rows that are read together."""
KEPT = 64
"""Number of pages in the cache of a table."""
STATEMENT_IDS = 500
"""Largest number of ids in a statement."""
CHUNK = 2000
"""Number of rows that are read before other threads run."""
FILE_COUNTS = """
    SELECT files.id, files.path, facts.kind, names.error_texts, facts.called, files.hash{}
    FROM files JOIN facts USING (id) LEFT JOIN names ON names.rowid = files.id AND facts.errors > 0"""


def title_offset(folded_path: bytes) -> int:
    """Return the offset, counted from 1, at which the name without folders begins in a folded path."""
    return folded_path.rfind(b"/") + 2


def sorting(path: str) -> tuple[bytes, int]:
    """Return the sort key of a path, and the offset, counted from 1, at which the key of its name begins."""
    front, own = map(stored, natural_parts(path.replace(os.sep, "/").replace(JOINT, "/")))
    return front + own, len(front) + 1


def texts_column(texts: Iterable[str]) -> str:
    """Join texts to a column that queries search.

    Each text has two newlines before it and one behind it, so that a query can match its beginning and its
    end.
    """
    return "".join(f"\n\n{' '.join(each.splitlines())}\n" for each in texts)


def column_texts(column: str | None) -> tuple[str, ...]:
    """Split a column into its texts."""
    return tuple(filter(None, (column or "").split("\n")))


def numbers_row(size: int, modified: int, facts: FileFacts | None) -> list[Any]:
    """Return the values of a file's columns NUMBERS and WORDS."""
    if facts is None:
        return [size, modified, *[None] * (len(NUMBERS) + len(WORDS) - 2)]
    found = len(facts.missing), len(facts.warnings), len(facts.errors)
    counts = [getattr(facts, each) for each in COUNTED]
    return [size, modified, *counts, *found, *(getattr(facts, each) for each in WORDS)]


def lists_row(facts: FileFacts) -> list[str]:
    """Return one text per column of LISTS."""
    kinds, names = ([pair[end] or "?" for pair in facts.missing] for end in (0, 1))
    columns = (
        facts.clip_names,
        facts.material_names,
        facts.texture_names,
        kinds,
        names,
        facts.warnings,
        facts.errors,
        facts.bone_names,
        facts.display_ids,
    )
    return list(map(texts_column, columns))


def bounds_row(facts: FileFacts) -> bytes | None:
    """Return the bounds of a file as bytes for the index."""
    return None if facts.bounds is None else struct.pack("<6d", *facts.bounds)


def entry(row: Sequence[Any], name: str, marks: Mapping[str, Mark]) -> FileEntry:
    """Convert a row of `ENTRIES` to an entry; `name` is relative to the listed folder or package, and `marks`
    are the marks of files by path.
    """
    _, path, thumbnail_error, bounds, *rest = row
    numbers = dict(zip(NUMBERS, rest, strict=False))
    facts = None
    if numbers["errors"] is not None:
        words = dict(zip(WORDS, rest[len(NUMBERS) :], strict=False))
        lists = dict(zip(LISTS, map(column_texts, rest[len(NUMBERS) + len(WORDS) :]), strict=True))
        facts = FileFacts(
            **words,
            **{each: numbers[each] for each in COUNTED},
            bounds=None if bounds is None else struct.unpack("<6d", bounds),
            bone_names=lists["bone_names"],
            clip_names=lists["clip_names"],
            material_names=lists["material_names"],
            texture_names=lists["texture_names"],
            display_ids=lists["display_ids"],
            missing=tuple(zip(lists["missing_kinds"], lists["missing_names"], strict=False)),
            warnings=lists["warning_texts"],
            errors=lists["error_texts"],
        )
    mark = marks.get(path, UNMARKED)
    return FileEntry(path, name, numbers["size"], numbers["modified"], facts, thumbnail_error, mark)


class EntryTable(Sequence[FileEntry]):
    """A list of files in a fixed order, whose rows are read when they are needed. All threads may use it.
    `marks` are the marks of files by path.

    A file that was removed from the index meanwhile has neither facts nor size.
    """

    def __init__(
        self,
        connections: IndexConnections,
        ids: Array,
        ranges: Sequence[PathRange],
        marks: Mapping[str, Mark],
    ) -> None:
        self._connections, self._ranges, self._marks = connections, ranges, marks
        self.ids = ids
        self._pages: RecentValues[int, list[FileEntry]] = RecentValues(KEPT)

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, index: int) -> FileEntry: ...
    @overload
    def __getitem__(self, index: slice) -> list[FileEntry]: ...
    def __getitem__(self, index: int | slice) -> FileEntry | list[FileEntry]:
        if isinstance(index, slice):
            return [self[row] for row in range(*index.indices(len(self)))]
        row = index + len(self) if index < 0 else index
        if not 0 <= row < len(self):
            raise IndexError(index)
        page = self._pages.get(row // PAGE, lambda: self._read(row // PAGE), lambda _: 1)
        return page[row % PAGE]

    def row_of(self, path: str) -> int | None:
        """Return the row of a file; None for a file outside the table."""
        with self._connections.use() as connection:
            found = connection.execute(
                "SELECT id FROM files WHERE path = CAST(? AS TEXT)", [stored(path)]
            ).fetchone()
        rows = np.flatnonzero(self.ids == (found[0] if found else -1))
        return int(rows[0]) if len(rows) else None

    def paths(self) -> Iterator[str]:
        """Yield the paths of all files in order, faster than whole entries."""
        for first in range(0, len(self), STATEMENT_IDS):
            ids = self.ids[first : first + STATEMENT_IDS].tolist()
            with self._connections.use() as connection:
                rows = connection.execute(
                    f"SELECT id, path FROM files WHERE id IN ({marks(ids)})", ids
                ).fetchall()
            found = dict(rows)
            yield from (found[each] for each in ids if each in found)

    def _read(self, page: int) -> list[FileEntry]:
        ids = self.ids[page * PAGE : (page + 1) * PAGE].tolist()
        with self._connections.use() as connection:
            rows = connection.execute(f"{ENTRIES} WHERE files.id IN ({marks(ids)})", ids).fetchall()
        found = {row[0]: entry(row, name_in(self._ranges, row[1]), self._marks) for row in rows}
        return [found.get(each) or FileEntry("", "", 0, 0) for each in ids]


def marks(values: Sized) -> str:
    """Return a `?` for each value, as an SQL list."""
    return ", ".join("?" * len(values))


class FileCounts(NamedTuple):
    """The `counts` of a file by name, its first `error`, the name by which the game's tables call it, and the
    hash of its bytes. An unread file has no kind and no hash, and its counts are None.
    """

    id: int
    path: str
    kind: str
    counts: Mapping[str, int | None]
    error: str
    called: str = ""
    hash: bytes | None = None


def file_counts(
    connections: IndexConnections, ranges: list[PathRange], names: Sequence[str]
) -> Iterator[FileCounts]:
    """Yield the counts called `names`, each one of COUNTS, of the files of some ranges."""
    with connections.use() as connection:
        where, parameters = in_ranges(connection, ranges)
        query = FILE_COUNTS.format("".join(f", facts.{name}" for name in names))
        cursor = connection.execute(f"{query} WHERE {where}", parameters)
        while rows := cursor.fetchmany(CHUNK):
            for id, path, kind, errors, called, hash, *values in rows:
                error = next(iter(column_texts(errors)), "")
                counts = dict(zip(names, values, strict=True))
                yield FileCounts(id, path, kind or "", counts, error, called or "", hash)
