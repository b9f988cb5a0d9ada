"""The files of a package as rows: filtered and sorted, or in folders with sums.

This module also makes the texts of the rows.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from viewer.arrays import Array
from viewer.errors import counted, printable
from viewer.scene.files import FileKind
from viewer.scene.package import GOOD, UNCHECKED, VERDICTS, WRONG, Package, ratio
from viewer.ui.files.folder_tree import SEPARATOR, FolderNode, folder_tree
from viewer.ui.kit.texts import label_text, size_text
from viewer.ui.kit.tree_rows import Branch

NAME, SIZE, PACKED, RATIO, CHECKSUM, STATE, ARCHIVE = range(7)
"""The columns of the table of a package's files, by number."""

KEYS: dict[int, Callable[[Package], Array]] = {
    SIZE: lambda package: package.sizes,
    PACKED: lambda package: package.packed,
    RATIO: lambda package: package.packed / np.maximum(package.sizes, 1),
    CHECKSUM: lambda package: package.checksums.astype(np.int64),
    STATE: lambda package: package.verdicts,
    ARCHIVE: lambda package: np.zeros(len(package)) if package.provided_by is None else package.provided_by,
}


class PackageRows:
    """The rows of one package. Case-folded names are cached for sorting and filtering.

    `version` increases whenever the rows change.
    """

    def __init__(self, package: Package) -> None:
        self.package = package
        self._folded: list[str] | None = None
        self._key: object = None
        self.version = 0
        self._rows: Array = np.arange(len(package))

    def rows(self, wanted: str, column: int | None, descending: bool) -> Array:
        """Return the indices [R] of the files whose names contain `wanted`, ignoring case.

        The files are sorted by `column`. If `column` is None, the files keep their order in the package.
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


class PackageFolder(FolderNode):
    """A folder of a package."""

    def __init__(self, package: Package, path: str, numbers: Sequence[int], reverse: bool = False) -> None:
        super().__init__(package.names, path, numbers, reverse)
        self.package = package
        self._array: Array | None = None
        self._totals: tuple[int, int] | None = None
        self._verdict = (-1, UNCHECKED)

    def folder(self, path: str, numbers: Sequence[int]) -> PackageFolder:
        """Make the object for a subfolder. `path` is its path; `numbers` are the indices of its files."""
        return PackageFolder(self.package, path, numbers, self._reverse)

    @property
    def totals(self) -> tuple[int, int]:
        """The sums of the unpacked and of the packed sizes in bytes."""
        if self._totals is None:
            package, numbers = self.package, self._indices
            self._totals = int(package.sizes[numbers].sum()), int(package.packed[numbers].sum())
        return self._totals

    @property
    def verdict(self) -> int:
        """The worst checksum verdict of the files.

        If no file is damaged, the verdict is UNCHECKED until all files are checked.
        """
        known = int(self.package.verdicts.sum())
        if self._verdict[0] != known:
            verdicts = self.package.verdicts[self._indices]
            worst = int(verdicts.max(initial=UNCHECKED))
            self._verdict = known, worst if worst >= WRONG else int(verdicts.min(initial=worst))
        return self._verdict[1]

    @property
    def _indices(self) -> Array:
        """The indices of the files as an array [N]."""
        if self._array is None:
            self._array = np.asarray(self.numbers, np.int64)
        return self._array


PackageNode = PackageFolder | int
"""A row: a folder, or the index of a file."""


def package_tree(
    package: Package, numbers: Sequence[int], reverse: bool = False, opened: bool = False
) -> Branch[PackageNode]:
    """Build the tree of the files with these indices.

    `folder_tree` decides which folders are open at first.
    """
    return folder_tree(PackageFolder(package, "", numbers, reverse), opened)


FILE, FOLDER = "\uf15b", "\uf07b"


def path_of(package: Package, node: PackageNode) -> str:
    """The path of a file or folder inside the package."""
    return node.path if isinstance(node, PackageFolder) else package.names[node]


def icon(package: Package, node: PackageNode, kinds: Mapping[str, FileKind]) -> str:
    """The icon of a row. `kinds` are the kinds of files by lower-case suffix."""
    if isinstance(node, PackageFolder):
        return FOLDER
    kind = kinds.get(os.path.splitext(package.names[node])[1].lower())
    return FILE if kind is None else kind.icon


def label(package: Package, node: PackageNode, depth: int) -> str:
    """The label of a row: the path of a file without its first `depth` folders, or the name of a folder and
    its number of files.
    """
    if isinstance(node, PackageFolder):
        return folder_label(node)
    name = package.names[node]
    return label_text(name.split(SEPARATOR, depth)[-1] or name)


def folder_label(folder: FolderNode) -> str:
    """The name of a folder and the number of its files."""
    return f"{label_text(folder.name)}   {len(folder):,}"


def verdict(package: Package, node: PackageNode) -> int:
    """The checksum verdict of a row."""
    return node.verdict if isinstance(node, PackageFolder) else int(package.verdicts[node])


def cells(package: Package, node: PackageNode) -> tuple[str, ...]:
    """The texts of a row by column; the text for the name column is empty.

    A folder has the sums of its files.
    """
    size, packed = _sizes(package, node)
    checksum = "" if isinstance(node, PackageFolder) else package.checksum_text(node)
    sources = () if isinstance(node, PackageFolder) else package.providers_of(node)
    archive = printable(sources[0].name) if sources else ""
    if len(sources) > 1:
        archive += f", hides {len(sources) - 1}"
    share = f"{ratio(packed, size):.0%}"
    state = VERDICTS[verdict(package, node)]
    return ("", size_text(size), size_text(packed), share, checksum, state, archive)


def details(package: Package, node: PackageNode) -> str:
    """The tooltip of a row: its path, its sizes, and its offset or, in a game, the archives that have it."""
    size, packed = _sizes(package, node)
    name = printable(path_of(package, node))
    if isinstance(node, PackageFolder):
        return f"{name}\n{counted(len(node), 'file')}, {size:,} bytes; {packed:,} bytes in the package"
    sources = [each.name for each in package.providers_of(node)]
    if sources:
        return f"{name}\n{size:,} bytes\n{sources_text(sources)}"
    return f"{name}\n{size:,} bytes; at 0x{package.offsets[node]:X}, {packed:,} bytes stored"


def sources_text(names: Sequence[str]) -> str:
    """The text about the game's archives that have a file. The file is read from the first archive."""
    if not names:
        return ""
    hidden = ", ".join(map(printable, names[1:]))
    return f"From {printable(names[0])}" + (f"; hides the file in {hidden}" if hidden else "")


def _sizes(package: Package, node: PackageNode) -> tuple[int, int]:
    if isinstance(node, PackageFolder):
        return node.totals
    return int(package.sizes[node]), int(package.packed[node])


def summary(package: Package, shown: int) -> str:
    """Summarize a package: `28 files, 174 KB, packed 98 KB (56%), checksums ok`."""
    size, packed = int(package.sizes.sum()), int(package.packed.sum())
    count = f"{shown:,} of {len(package):,} files" if shown < len(package) else f"{len(package):,} files"
    taken = f", packed {size_text(packed)} ({ratio(packed, size):.0%})" if package.compressed else ""
    checked = int((package.verdicts != UNCHECKED).sum())
    wrong = int((package.verdicts > GOOD).sum())
    state = f"{wrong:,} wrong or broken" if wrong else "checksums ok" if checked else ""
    if package.providers is not None:  # only the archives of a game have checksums
        state = ""
    elif checked < len(package):
        state = f"{checked:,} checked" + (f", {state}" if wrong else "")
    return f"{count}, {size_text(size)}{taken}" + (f", {state}" if state else "")
