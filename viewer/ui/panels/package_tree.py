"""The files of a package as a tree of folders, with the sums of each folder."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from viewer.arrays import Array
from viewer.scene.package import UNCHECKED, WRONG, Package
from viewer.ui.kit.folder_tree import Folder, folder_tree
from viewer.ui.kit.tree_rows import Branch


class PackageFolder(Folder):
    """A folder of a package."""

    def __init__(self, package: Package, path: str, numbers: Sequence[int], reverse: bool = False) -> None:
        super().__init__(package.names, path, numbers, reverse)
        self.package = package
        self._array: Array | None = None
        self._totals: tuple[int, int] | None = None
        self._verdict = (-1, UNCHECKED)

    def folder(self, path: str, numbers: Sequence[int]) -> PackageFolder:
        """A folder in this one."""
        return PackageFolder(self.package, path, numbers, self._reverse)

    @property
    def totals(self) -> tuple[int, int]:
        """The sizes of all files together: unpacked and packed."""
        if self._totals is None:
            package, numbers = self.package, self._indices
            self._totals = int(package.sizes[numbers].sum()), int(package.packed[numbers].sum())
        return self._totals

    @property
    def verdict(self) -> int:
        """The worst verdict of the files; UNCHECKED if some are not checked yet."""
        known = int(self.package.verdicts.sum())
        if self._verdict[0] != known:
            verdicts = self.package.verdicts[self._indices]
            worst = int(verdicts.max(initial=UNCHECKED))
            self._verdict = known, worst if worst >= WRONG else int(verdicts.min(initial=worst))
        return self._verdict[1]

    @property
    def _indices(self) -> Array:
        """[N] the numbers as an array."""
        if self._array is None:
            self._array = np.asarray(self.numbers, np.int64)
        return self._array


PackageNode = PackageFolder | int
"""A row: a folder, or the number of a file."""


def package_tree(
    package: Package, numbers: Sequence[int], reverse: bool = False, opened: bool = False
) -> Branch[PackageNode]:
    """The tree of these files; folders begin opened as in `folder_tree`."""
    return folder_tree(PackageFolder(package, "", numbers, reverse), opened)
