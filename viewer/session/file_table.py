"""The files below one folder or in one package, in columns: a hundred thousand take a few megabytes."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence

import numpy as np

from viewer.arrays import Array
from viewer.scene.file_entry import FileFacts
from viewer.scene.names import JOINT

UNKNOWN = -1
"""The count of a file that is not indexed yet, or has nothing to count."""
DIGITS = re.compile(r"\d+")
LONGEST_NUMBER = 12
"""Digits by which numbers in names are sorted; longer numbers are sorted as text."""
COUNTS = ("bones", "triangles")
MODEL, PART = "model", "part"


class FileTable:
    """N files of the folder or package `place`, in natural order.

    `names` are paths below the place with `/`. `sizes` (bytes) and `modified` (ns) [N] i8; `kinds` [N] u1 are
    indices into `kind_names`; `counts` has an array [N] i8 for each of COUNTS, with UNKNOWN where nothing is
    known. `errors` are the reasons why files could not be read, by row. `version` counts the changes.
    """

    def __init__(
        self,
        place: str,
        package: bool,
        names: Sequence[str],
        sizes: Sequence[int],
        modified: Sequence[int],
        kinds: Sequence[int],
        kind_names: Sequence[str],
    ) -> None:
        order = sorted(range(len(names)), key=[sort_text(name) for name in names].__getitem__)
        self.place, self.kind_names, self.version = place, tuple(kind_names), 0
        self._front = place + JOINT if package else os.path.join(place, "")
        self._separator = "/" if package else os.sep
        self.names = [names[row] for row in order]
        taken = np.asarray(order, np.intp)
        self.sizes = np.asarray(sizes, np.int64)[taken]
        self.modified = np.asarray(modified, np.int64)[taken]
        self.kinds = np.asarray(kinds, np.uint8)[taken]
        self.counts = {name: np.full(len(order), UNKNOWN, np.int64) for name in COUNTS}
        self.errors: dict[int, str] = {}
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

    def rows_of(self, paths: Iterable[str]) -> Array:
        """[R] the rows of the paths that are in the table."""
        found = (self.row(path) for path in paths)
        return np.array([row for row in found if row is not None], np.intp)

    def learn(self, known: Iterable[tuple[int, FileFacts]]) -> None:
        """Take over the facts of files by their rows."""
        for row, facts in known:
            if facts.kind in self.kind_names:
                self.kinds[row] = self.kind_names.index(facts.kind)
            for name in COUNTS:
                count = getattr(facts, name)
                self.counts[name][row] = count if count or facts.kind == MODEL else UNKNOWN
            if facts.errors:
                self.errors[row] = facts.errors[0]
            else:
                self.errors.pop(row, None)
        self.version += 1

    def column(self, name: str) -> Array | None:
        """[N] the values that files are sorted by; None for the name, the order that rows have."""
        columns: dict[str, Array] = {"kind": self.kinds, "size": self.sizes, "date": self.modified}
        return (columns | self.counts).get(name)

    def kind(self, row: int) -> str:
        """The kind of a file."""
        return self.kind_names[self.kinds[row]]


def sort_text(name: str) -> tuple[str, ...]:
    """A sort key: numbers by value, without regard to case, the files of a folder before its subfolders, and
    `Cat.m2` before `Cat00.skin`.
    """
    folder, slash, file = name.rpartition("/")
    stem, _, suffix = file.rpartition(".")
    parts = [f"1{part}" for part in _numbered(folder).split("/")] if slash else []
    return (*parts, f"0{_numbered(stem or file)}", suffix.casefold())


def _numbered(text: str) -> str:
    return DIGITS.sub(lambda found: found.group().lstrip("0").zfill(LONGEST_NUMBER), text.casefold())
