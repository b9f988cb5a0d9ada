"""The texts of a package's rows, folders and files: names, cells, tooltips; and the summary."""

from __future__ import annotations

import os

from viewer.errors import counted, printable
from viewer.scene.package import GOOD, UNCHECKED, VERDICTS, Package, ratio
from viewer.ui.kit.folder_tree import SEPARATOR, Folder
from viewer.ui.kit.visible import label_text
from viewer.ui.panels.package_tree import PackageFolder, PackageNode
from viewer.ui.value_text import size_text

FILE, MODEL, ANIMATION, FOLDER = "\uf15b", "\uf1b2", "\uf008", "\uf07b"
ICONS = {".mdl": MODEL, ".mesh": MODEL, ".m2": MODEL, ".ani": ANIMATION, ".skeleton": ANIMATION}


def path_of(package: Package, node: PackageNode) -> str:
    """The whole name of a file or folder in the package."""
    return node.path if isinstance(node, PackageFolder) else package.names[node]


def icon(package: Package, node: PackageNode) -> str:
    """The icon of a row."""
    if isinstance(node, PackageFolder):
        return FOLDER
    return ICONS.get(os.path.splitext(package.names[node])[1].lower(), FILE)


def label(package: Package, node: PackageNode, depth: int) -> str:
    """The name of a row below `depth` folders, whose names it leaves out; a folder has its count too."""
    if isinstance(node, PackageFolder):
        return folder_label(node)
    name = package.names[node]
    return label_text(name.split(SEPARATOR, depth)[-1] or name)


def folder_label(folder: Folder) -> str:
    """The name of a folder and the number of its files."""
    return f"{label_text(folder.name)}   {len(folder):,}"


def verdict(package: Package, node: PackageNode) -> int:
    """The verdict on the checksums."""
    return node.verdict if isinstance(node, PackageFolder) else int(package.verdicts[node])


def cells(package: Package, node: PackageNode) -> tuple[str, ...]:
    """The cells by column; of a folder the sums of its files."""
    size, packed = _sizes(package, node)
    checksum = "" if isinstance(node, PackageFolder) else f"{package.checksums[node]:08X}"
    share = f"{ratio(packed, size):.0%}"
    return ("", size_text(size), size_text(packed), share, checksum, VERDICTS[verdict(package, node)])


def details(package: Package, node: PackageNode) -> str:
    """The tooltip: the whole name and the exact numbers."""
    size, packed = _sizes(package, node)
    name = printable(path_of(package, node))
    if isinstance(node, PackageFolder):
        return f"{name}\n{counted(len(node), 'file')}, {size:,} bytes; {packed:,} bytes in the package"
    return f"{name}\n{size:,} bytes; at 0x{package.offsets[node]:X}, {packed:,} bytes there"


def _sizes(package: Package, node: PackageNode) -> tuple[int, int]:
    if isinstance(node, PackageFolder):
        return node.totals
    return int(package.sizes[node]), int(package.packed[node])


def summary(package: Package, shown: int) -> str:
    """`28 files, 174 KB, packed 98 KB (56 %), all checked`."""
    size, packed = int(package.sizes.sum()), int(package.packed.sum())
    count = f"{shown:,} of {len(package):,} files" if shown < len(package) else f"{len(package):,} files"
    taken = f", packed {size_text(packed)} ({ratio(packed, size):.0%})" if package.compressed else ""
    checked = int((package.verdicts != UNCHECKED).sum())
    wrong = int((package.verdicts > GOOD).sum())
    state = f"{wrong:,} wrong or broken" if wrong else "checksums ok" if checked else ""
    if checked < len(package):
        state = f"{checked:,} checked" + (f", {state}" if wrong else "")
    return f"{count}, {size_text(size)}{taken}" + (f", {state}" if state else "")
