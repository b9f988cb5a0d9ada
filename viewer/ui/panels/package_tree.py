"""The files of a package as a tree of folders. Folders are divided when they are opened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

import numpy as np

from viewer.arrays import Array
from viewer.scene.package import UNCHECKED, WRONG, Package
from viewer.ui.kit.tree_rows import Branch

SEPARATOR = "/"
DEEPEST = 32
"""The levels of folders; below them, names keep the rest of their path."""
MANY = 200
"""The number of files up to which all folders begin opened."""


class PackageFolder:
    """A folder: `name` is its own name, `path` ends with the separator. `numbers` are the files in it and
    below it, in the order in which they are listed; with `reverse` the folders are listed from Z to A.
    """

    def __init__(self, package: Package, path: str, numbers: Sequence[int], reverse: bool = False) -> None:
        self.package, self.path, self.numbers, self._reverse = package, path, numbers, reverse
        self.name = path[:-1].rpartition(SEPARATOR)[2] or SEPARATOR
        self.below = _Children(self)
        self._array: Array | None = None
        self._totals: tuple[int, int] | None = None
        self._verdict = (-1, UNCHECKED)

    def __len__(self) -> int:
        return len(self.numbers)

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

    def divide(self) -> list[PackageNode]:
        """The folders directly in it, by name, then the files directly in it."""
        start, folders, files = len(self.path), dict[str, list[int]](), list[PackageNode]()
        deep = self.path.count(SEPARATOR) >= DEEPEST
        for number in self.numbers:
            name = self.package.names[number]
            end = -1 if deep else name.find(SEPARATOR, start)
            if end < 0:
                files.append(number)
            else:
                folders.setdefault(name[: end + 1], []).append(number)
        paths = sorted(folders, key=str.casefold, reverse=self._reverse)
        return [*(PackageFolder(self.package, path, folders[path], self._reverse) for path in paths), *files]


PackageNode = PackageFolder | int
"""A row: a folder, or the number of a file."""


class _Children(Sequence[PackageNode]):
    """What lies directly in a folder, divided at the first use. No folder is empty."""

    def __init__(self, folder: PackageFolder) -> None:
        self._folder = folder
        self._nodes: list[PackageNode] | None = None

    def _known(self) -> list[PackageNode]:
        if self._nodes is None:
            self._nodes = self._folder.divide()
        return self._nodes

    def __bool__(self) -> bool:
        return True

    def __len__(self) -> int:
        return len(self._known())

    @overload
    def __getitem__(self, index: int) -> PackageNode: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[PackageNode]: ...
    def __getitem__(self, index: int | slice) -> PackageNode | Sequence[PackageNode]:
        return self._known()[index]

    def __iter__(self) -> Iterator[PackageNode]:
        return iter(self._known())


def children(node: PackageNode) -> Sequence[PackageNode]:
    """What lies directly in a folder; nothing in a file."""
    return node.below if isinstance(node, PackageFolder) else ()


def package_tree(
    package: Package, numbers: Sequence[int], reverse: bool = False, opened: bool = False
) -> Branch[PackageNode]:
    """The tree of these files. A few files begin with all folders opened, and so do all with `opened`; of
    many files, folders begin opened as long as there is only one.
    """
    tree = Branch[PackageNode](PackageFolder(package, "", numbers, reverse).divide(), children)
    if len(numbers) <= MANY or opened:
        return tree.open_all()
    branch = tree
    while len(branch.nodes) == 1 and isinstance(branch.nodes[0], PackageFolder):
        branch = branch.open(0)
    return tree


def flat(numbers: Sequence[int]) -> Branch[PackageNode]:
    """The files as a list."""
    return Branch[PackageNode](numbers, children)
