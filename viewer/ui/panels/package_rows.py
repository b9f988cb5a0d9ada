"""Filters and sorts the files of a package."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from viewer.arrays import Array
from viewer.scene.package import Package

NAME, SIZE, PACKED, RATIO, CHECKSUM, STATE = range(6)
"""The columns."""

KEYS: dict[int, Callable[[Package], Array]] = {
    SIZE: lambda package: package.sizes,
    PACKED: lambda package: package.packed,
    RATIO: lambda package: package.packed / np.maximum(package.sizes, 1),
    CHECKSUM: lambda package: package.checksums.astype(np.int64),
    STATE: lambda package: package.verdicts,
}


class PackageRows:
    """The rows of one package. It keeps the sort and filter keys of the names.

    `version` counts the changes of the rows.
    """

    def __init__(self, package: Package) -> None:
        self.package = package
        self._folded: list[str] | None = None
        self._key: object = None
        self.version = 0
        self._rows: Array = np.arange(len(package))

    def rows(self, wanted: str, column: int | None, descending: bool) -> Array:
        """[R] the numbers of the files whose names contain `wanted`, ignoring case, sorted by a column.

        None: in package order.
        """
        known = int(self.package.verdicts.sum()) if column == STATE else 0
        key = wanted.casefold(), column, descending, known
        if key != self._key:
            self._key, self._rows = key, self._find(wanted.casefold(), column, descending)
            self.version += 1
        return self._rows

    def _find(self, wanted: str, column: int | None, descending: bool) -> Array:
        if self._folded is None:
            self._folded = [name.casefold() for name in self.package.names]
        folded = self._folded
        if wanted:
            numbers = np.array([n for n, name in enumerate(folded) if wanted in name], np.int64)
        else:
            numbers = np.arange(len(folded))
        if column is None:
            return numbers
        if column == NAME:
            ordered = np.array(sorted(numbers.tolist(), key=folded.__getitem__), np.int64)
            return ordered[::-1] if descending else ordered
        values = KEYS[column](self.package)[numbers].astype(np.float64)
        return np.asarray(numbers[np.argsort(-values if descending else values, kind="stable")])
