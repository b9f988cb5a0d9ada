"""A tree of folders from file names with `/`. The contents of a folder are computed when it is opened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, Generic, Protocol, Self, TypeVar, overload

from viewer.ui.kit.tree_rows import Branch

SEPARATOR = "/"
LEVELS = 32
"""The largest depth of folders. A deeper file is listed in the last folder, with the rest of its path as its
name.
"""
MANY = 200
"""Up to this number of files, all folders are open at first."""


class Named(Protocol):
    """What has files with paths."""

    @property
    def names(self) -> Sequence[str]:
        """The paths of the files, with `/`."""


Source = TypeVar("Source", bound=Named)


class FolderNode(Generic[Source]):
    """A folder of a package or table.

    `name` is its last path component; `path` ends with the separator. `numbers` are the indices in the
    `names` of the `source` of all files in the folder and in its subfolders, in list order. With `reverse`,
    folders are sorted from Z to A.
    """

    def __init__(self, source: Source, path: str, numbers: Sequence[int], reverse: bool = False) -> None:
        self.source, self.path, self.numbers, self._reverse = source, path, numbers, reverse
        self.name = path[:-1].rpartition(SEPARATOR)[2] or SEPARATOR

    @cached_property
    def below(self) -> Sequence[Self | int]:
        """The folders and files directly in this folder, computed at first use."""
        return _Children(self)

    def __len__(self) -> int:
        return len(self.numbers)

    def folder(self, path: str, numbers: Sequence[int]) -> Self:
        """Make the object for a subfolder. `path` is its path; `numbers` are the indices of its files."""
        return type(self)(self.source, path, numbers, self._reverse)

    def divide(self) -> list[Self | int]:
        """Return the folders directly in this folder, sorted by name, then the files directly in it."""
        start, folders, files = len(self.path), dict[str, list[int]](), list[Self | int]()
        deep, names = self.path.count(SEPARATOR) >= LEVELS, self.source.names
        for number in self.numbers:
            name = names[number]
            end = -1 if deep else name.find(SEPARATOR, start)
            if end < 0:
                files.append(number)
            else:
                folders.setdefault(name[: end + 1], []).append(number)
        paths = sorted(folders, key=str.casefold, reverse=self._reverse)
        return [*(self.folder(path, folders[path]) for path in paths), *files]

    def end_of_chain(self) -> Self:
        """Follow the chain of folders whose only entry is another folder; return the last folder. If this
        folder has other entries, return this folder.

        The name of the result is the path of the chain: `models/creatures/bear`.
        """
        start, end = len(self.path), self.path
        while end.count(SEPARATOR) < LEVELS:
            names = (self.source.names[number] for number in self.numbers)
            first = next(names, "")
            at = first.find(SEPARATOR, len(end))
            if at < 0 or not all(name.startswith(first[: at + 1]) for name in names):
                break
            end = first[: at + 1]
        if len(end) == start:
            return self
        found = self.folder(end, self.numbers)
        found.name = f"{self.name}{SEPARATOR}{end[start:-1]}"
        return found


F = TypeVar("F", bound=FolderNode[Any])


class _Children(Sequence[F | int], Generic[F]):
    """The folders and files directly in a folder, computed at first use. Never empty."""

    def __init__(self, folder: F) -> None:
        self._folder = folder
        self._nodes: list[F | int] | None = None

    def _known(self) -> list[F | int]:
        if self._nodes is None:
            self._nodes = self._folder.divide()
        return self._nodes

    def __bool__(self) -> bool:
        return True

    def __len__(self) -> int:
        return len(self._known())

    @overload
    def __getitem__(self, index: int) -> F | int: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[F | int]: ...
    def __getitem__(self, index: int | slice) -> F | int | Sequence[F | int]:
        return self._known()[index]

    def __iter__(self) -> Iterator[F | int]:
        return iter(self._known())


def children(node: F | int) -> Sequence[F | int]:
    """The contents of a folder; empty for a file."""
    return () if isinstance(node, int) else node.below


def folder_tree(top: F, opened: bool = False) -> Branch[F | int]:
    """Build the tree of a folder.

    With `opened`, or with at most MANY files, all folders are open. Otherwise, a folder is open if it is the
    only entry of its parent, and if the same is true for all folders above it.
    """
    tree = Branch[F | int](top.divide(), children)
    if len(top) <= MANY or opened:
        return tree.open_all()
    branch = tree
    while len(branch.nodes) == 1 and not isinstance(branch.nodes[0], int):
        branch = branch.open(0)
    return tree
