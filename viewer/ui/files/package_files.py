"""The files of a package as rows: their columns, their folders with sums, and their texts."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from viewer.arrays import Array, ranks
from viewer.errors import counted, printable
from viewer.scene.files import FileKind
from viewer.scene.package import GOOD, UNCHECKED, VERDICTS, WRONG, Package, ratio
from viewer.session.file_columns import size_text
from viewer.ui.files.folder_tree import SEPARATOR, FolderNode, folder_tree
from viewer.ui.kit.texts import label_text
from viewer.ui.kit.tree_rows import Branch
from viewer.ui.kit.tree_table import Column


class PackageFolder(FolderNode[Package]):
    """A folder of a package."""

    _verdict = -1, UNCHECKED

    @cached_property
    def totals(self) -> tuple[int, int]:
        """The sums of the unpacked and of the packed sizes in bytes."""
        package, numbers = self.source, self._indices
        return int(package.sizes[numbers].sum()), int(package.packed[numbers].sum())

    @property
    def verdict(self) -> int:
        """The worst checksum verdict of the files.

        If no file is damaged, the verdict is UNCHECKED until all files are checked.
        """
        known = int(self.source.verdicts.sum())
        if self._verdict[0] != known:
            verdicts = self.source.verdicts[self._indices]
            worst = int(verdicts.max(initial=UNCHECKED))
            self._verdict = known, worst if worst >= WRONG else int(verdicts.min(initial=worst))
        return self._verdict[1]

    @cached_property
    def _indices(self) -> Array:
        """The indices of the files as an array [N]."""
        return np.asarray(self.numbers, np.int64)


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
COUNT = "   "
"""Stands between the name of a folder and the number of its files."""


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


def folder_label(folder: FolderNode[Any]) -> str:
    """The name of a folder and the number of its files."""
    return f"{label_text(folder.name)}{COUNT}{len(folder):,}"


def verdict(package: Package, node: PackageNode) -> int:
    """The checksum verdict of a row."""
    return node.verdict if isinstance(node, PackageFolder) else int(package.verdicts[node])


def package_columns(package: Package) -> tuple[Column[PackageNode], ...]:
    """The columns of a package's files. A folder has the sums of its files."""

    def checksum(node: PackageNode) -> str:
        """The checksum of a file."""
        return "" if isinstance(node, PackageFolder) else package.checksum_text(node)

    def share(node: PackageNode) -> str:
        """The packed size in percent of the unpacked size."""
        size, packed = _sizes(package, node)
        return f"{ratio(packed, size):.0%}"

    def archive(node: PackageNode) -> str:
        """The archive of a game that has a file, and the number of the archives whose file it hides."""
        sources = () if isinstance(node, PackageFolder) else package.providers_of(node)
        more = f", hides {len(sources) - 1}" if len(sources) > 1 else ""
        return printable(sources[0].name) + more if sources else ""

    def archives() -> Array:
        """The numbers of the files' archives."""
        return np.zeros(len(package)) if package.provided_by is None else package.provided_by

    return (
        Column("name", keys=lambda: ranks([name.casefold() for name in package.names])),
        Column(
            "size",
            5.0,
            mono=True,
            right=True,
            text=lambda node: size_text(_sizes(package, node)[0]),
            keys=lambda: package.sizes,
        ),
        Column(
            "packed",
            5.0,
            mono=True,
            right=True,
            text=lambda node: size_text(_sizes(package, node)[1]),
            keys=lambda: package.packed,
        ),
        Column(
            "ratio",
            3.5,
            mono=True,
            right=True,
            text=share,
            keys=lambda: package.packed / np.maximum(package.sizes, 1),
        ),
        Column("checksum", 5.5, mono=True, text=checksum, keys=lambda: package.checksums.astype(np.int64)),
        Column(
            "state",
            6.0,
            mono=True,
            text=lambda node: VERDICTS[verdict(package, node)],
            keys=lambda: package.verdicts,
        ),
        Column("archive", 12.0, cut=True, text=archive, keys=archives),
    )


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
