"""The table of the files in one folder or package.

It is stored by columns, because a hundred thousand files then take only a few megabytes.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

import numpy as np
from msgspec import Struct

from viewer.arrays import Array, ranks
from viewer.scene.files import KINDS, MODEL, UNMARKED, FileKind, Mark
from viewer.scene.names import JOINT, short_names
from viewer.storage.listing import natural_key

UNKNOWN = -1
"""Stands for an unknown count: the file is not indexed yet, or it has no bones or triangles."""


class FactColumns(Struct, frozen=True, eq=False):
    """The known facts of K files of a table.

    `rows` [K] are their rows. `kinds` [K] are indices into KINDS, -1 for an unknown kind. `counts` has an
    array [K] of each count by its name. Two dictionaries have rows as keys: `errors` has the first error of
    each damaged file, and `called` the names of models in the game's tables. `copies` are groups of files
    with the same bytes.
    """

    rows: Array
    kinds: Array
    counts: Mapping[str, Array]
    errors: Mapping[int, str]
    called: Mapping[int, str]
    copies: Sequence[Sequence[int]] = ()

    @classmethod
    def of(
        cls,
        table: FileTable,
        known: Iterable[tuple[str, str, Mapping[str, int | None], str, str, bytes | None]],
    ) -> FactColumns:
        """Make the columns from tuples (path, kind, counts by name, first error, names in the game, hash of
        the bytes). All tuples have the same counts. Paths outside the table are skipped.
        """
        kinds = {kind.name: number for number, kind in enumerate(KINDS)}
        rows, kind_numbers, counts = list[int](), list[int](), dict[str, list[int]]()
        errors, names = dict[int, str](), dict[int, str]()
        equal = dict[bytes, list[int]]()
        for path, kind, numbers, error, called, digest in known:
            row = table.row(path)
            if row is None:
                continue
            lacking = 0 if kind == MODEL.name else UNKNOWN
            rows.append(row)
            kind_numbers.append(kinds.get(kind, -1))
            for name, number in numbers.items():
                counts.setdefault(name, []).append(number or lacking)
            if error:
                errors[row] = error
            if called:
                names[row] = called
            if digest is not None:
                equal.setdefault(digest, []).append(row)
        copies = [sorted(each) for each in equal.values() if len(each) > 1]
        columns = {name: np.array(values, np.int64) for name, values in counts.items()}
        return cls(np.array(rows, np.intp), np.array(kind_numbers, np.int64), columns, errors, names, copies)


class FileTable:
    """N files of the folder or package `root`, in natural order.

    `names` are relative paths with `/`. `sizes` (bytes) and `modified` (ns) are arrays [N] i8. `kinds` [N] u1
    are indices into KINDS. `counts` has an array [N] i8 of each count that was learned, by its name, with
    UNKNOWN for files without it. Three dictionaries have rows as keys: `errors` has the reason why a file
    could not be read, `called` the names of a model in the game's tables, and `marks` the user's marks.
    `copies` has the rows of all files with the same bytes for each file that has a copy. `version` counts the
    changes. `noun` is the word for a row: file or display.
    """

    def __init__(
        self,
        root: str,
        package: bool,
        names: Sequence[str],
        sizes: Sequence[int],
        modified: Sequence[int],
        kinds: Sequence[int],
        noun: str = "file",
    ) -> None:
        order = sorted(range(len(names)), key=[natural_key(name) for name in names].__getitem__)
        self.root, self.noun, self.version = root, noun, 0
        self._front = root + JOINT if package else os.path.join(root, "")
        self._separator = "/" if package else os.sep
        self.names = [names[row] for row in order]
        taken = np.asarray(order, np.intp)
        self.sizes = np.asarray(sizes, np.int64)[taken]
        self.modified = np.asarray(modified, np.int64)[taken]
        self.kinds = np.asarray(kinds, np.uint8)[taken]
        self.counts: dict[str, Array] = {}
        self.errors: dict[int, str] = {}
        self.called: dict[int, str] = {}
        self.copies: dict[int, Sequence[int]] = {}
        self.marks: dict[int, Mark] = {}
        self._rows = {name: row for row, name in enumerate(self.names)}

    def __len__(self) -> int:
        return len(self.names)

    def path(self, row: int) -> str:
        """The path of a file."""
        return self._front + self.names[row].replace("/", self._separator)

    def row(self, path: str) -> int | None:
        """The row of a path; None if it is not in the table."""
        if not path.startswith(self._front):
            return None
        return self._rows.get(path[len(self._front) :].replace(self._separator, "/"))

    def name_of(self, path: str) -> str:
        """The name of a file relative to `root`; the path itself if it is not in the table."""
        row = self.row(path)
        return path if row is None else self.names[row]

    def rows_of(self, paths: Iterable[str]) -> Array:
        """Return the rows [R] of the given paths; paths outside the table are skipped."""
        found = (self.row(path) for path in paths)
        return np.array([row for row in found if row is not None], np.intp)

    def learn(self, facts: FactColumns) -> None:
        """Store the facts that the index has about the files."""
        known = facts.kinds >= 0
        self.kinds[facts.rows[known]] = facts.kinds[known]
        for name, values in facts.counts.items():
            self.count(name)[facts.rows] = values
        self.errors, self.called = dict(facts.errors), dict(facts.called)
        self.copies = {row: group for group in facts.copies for row in group}
        self.version += 1

    def mark(self, marks: Mapping[str, Mark]) -> None:
        """Store the user's marks of files by path. Paths outside the table are skipped."""
        for path, mark in marks.items():
            row = self.row(path)
            if row is not None:
                self.marks[row] = mark
        self.version += 1

    def mark_of(self, path: str) -> Mark:
        """The user's mark of a file."""
        row = self.row(path)
        return UNMARKED if row is None else self.mark_at(row)

    def mark_at(self, row: int) -> Mark:
        """The user's mark of the file in a row."""
        return self.marks.get(row, UNMARKED)

    def remember(self, other: FileTable) -> None:
        """Copy facts from an older table of the same folder or package, for each file whose name, size and
        modification time are the same.
        """
        rows = np.array([other.row(self.path(row)) or 0 for row in range(len(self))], np.intp)
        if not len(other) or not len(self):
            return
        same = np.array([other.names[old] == name for old, name in zip(rows, self.names, strict=True)])
        same &= (other.sizes[rows] == self.sizes) & (other.modified[rows] == self.modified)
        mine, old = np.flatnonzero(same), rows[same]
        self.kinds[mine] = other.kinds[old]
        for name, values in other.counts.items():
            self.count(name)[mine] = values[old]
        by_row = dict(zip(old.tolist(), mine.tolist(), strict=True))
        self.errors = {by_row[row]: error for row, error in other.errors.items() if row in by_row}
        self.called = {by_row[row]: called for row, called in other.called.items() if row in by_row}

    def count(self, name: str) -> Array:
        """The counts [N] i8 of a name; UNKNOWN for files whose count is not known."""
        if name not in self.counts:
            self.counts[name] = np.full(len(self), UNKNOWN, np.int64)
        return self.counts[name]

    @property
    def stars(self) -> Array:
        """The ratings [N] i8; UNKNOWN for files without stars."""
        stars = np.full(len(self), UNKNOWN, np.int64)
        for row, mark in self.marks.items():
            stars[row] = mark.rating or UNKNOWN
        return stars

    @cached_property
    def by_name(self) -> Array:
        """The ranks [N] of the files in the natural order of their names without folders."""
        return ranks([natural_key(name.rpartition("/")[2]) for name in self.names])

    @cached_property
    def labels(self) -> dict[int, str]:
        """The names with folders, as many as distinguish them, of files whose name without folders is not
        unique, by row.
        """
        names = [name.rpartition("/")[2] for name in self.names]
        counts = Counter(names)
        rows = [row for row, name in enumerate(names) if counts[name] > 1]
        return dict(zip(rows, short_names([self.names[row] for row in rows]), strict=True))

    def is_pictured(self, row: int) -> bool:
        """Whether the wall shows the file by a picture; it shows any other file by an icon."""
        return self.kind(row).pictured

    def kind(self, row: int) -> FileKind:
        """The kind of a file."""
        return KINDS[self.kinds[row]]
