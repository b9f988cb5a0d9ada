"""The folders of large projects and the words in their files, as the cache folder keeps them.

To list and scan a project of 16,000 files takes a quarter of a second. Therefore the next program reads what
this program has found. It uses what has the same version on the disk, and makes the rest again.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Mapping
from itertools import chain

from msgspec import Struct

from viewer.storage.contents import Contents
from viewer.storage.kept_files import keep_value, kept_value
from viewer.storage.project_folders import END, ProjectFolder
from viewer.storage.versions import Version

FOLDER = "projects"
"""The folder in the cache folder."""
MOST = 64 << 20
"""Largest size in bytes of all kept projects together."""
FEWEST = 500
"""A project is kept only if it has at least this many files. A smaller one is listed in a moment."""
LAYOUT = 3
"""The version of the layout. A file of another version counts as missing."""

NUMBER = "I"
"""The type of the numbers of files."""

Words = dict[tuple[str, str], Contents]
"""The words in the files of a project, by the archive with the files (empty: none) and the kind of
scanner.
"""


class StoredProject(Struct, frozen=True, array_like=True):
    """A kept project: its folders by their relative paths, and the words as in `Words`. The rest is made from
    the folders, and kept because to make it takes longer than to read it: the version of the list, and two
    tables of `SourceIndex`, of which `packed_order` has an u4 for each file.
    """

    layout: int = LAYOUT
    folders: dict[str, ProjectFolder] = {}
    words: list[tuple[str, str, Contents]] = []
    version: Version = Version(0, 0)
    packed_order: bytes = b""
    endings: list[tuple[tuple[str, ...], list[str]]] = []

    @property
    def fits(self) -> bool:
        """Whether the parts fit together, which they may not in a file that another program has written."""
        order, count = self.order, sum(each.count for each in self.folders.values())
        numbered = len(order) == count and max(order, default=0) < max(count, 1)
        inside = _are_inside(self.folders)
        return self.layout == LAYOUT and numbered and inside and all(each.fits for *_, each in self.words)

    @property
    def order(self) -> array[int]:
        """The numbers of the files in the order of their folded base names."""
        return array(NUMBER, self.packed_order[: len(self.packed_order) // 4 * 4])


def _are_inside(folders: Mapping[str, ProjectFolder]) -> bool:
    """Whether the paths of folders, and the names in them, lead to no other folder."""
    names = {*chain.from_iterable(path.split("/") for path in folders if path)}
    names.update(*(each.folders for each in folders.values()))
    joined, texts = "".join(names), "".join(each.text for each in folders.values())
    marked = END in joined or any(mark in joined or mark in texts for mark in ("/", os.sep))
    return not marked and names.isdisjoint(("", ".", ".."))


def stored_project(root: str, left_out: tuple[str, ...]) -> StoredProject:
    """Read a project; an empty one if it is not kept."""
    stored = kept_value(FOLDER, kept_name(root, left_out), StoredProject)
    return stored if stored is not None and stored.fits else StoredProject()


def keep_on_disk(root: str, left_out: tuple[str, ...], project: StoredProject) -> None:
    """Keep a project, unless it is small."""
    if len(project.order) >= FEWEST:
        keep_value(FOLDER, kept_name(root, left_out), project, MOST)


def kept_name(root: str, left_out: tuple[str, ...]) -> str:
    """The name under which a project is kept."""
    return "\0".join((os.path.realpath(root), *sorted(left_out)))
