"""The walk through the files below a folder or in a package: their order, and their list as it is now."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

from viewer.app.folders import natural
from viewer.dataclass import dataclass
from viewer.formats import suffixes
from viewer.storage.source import Source, entries_of
from viewer.storage.versions import folder_version

MOST_FOLDERS = 2_000
MOST_ENTRIES = 200_000
"""The largest numbers of folders, and of their entries, that one walk visits."""
RECENT = 2_000_000_000
"""Nanoseconds: a folder that changed so recently may change again without another time stamp."""


def files_below(top: str, wanted: tuple[str, ...]) -> Iterator[str]:
    """The files below a folder whose names end with one of `wanted`, in the order of `order`.

    Hidden and linked folders are not entered. The walk is bounded.
    """
    return (path for _, paths in folders_below(top, wanted) for path in paths)


def folders_below(top: str, wanted: tuple[str, ...]) -> Iterator[tuple[str, list[str]]]:
    """A folder and the folders below it, each with its own files, see `files_below`."""
    waiting, folders, entries = [os.path.abspath(top)], 0, 0
    while waiting and folders < MOST_FOLDERS and entries < MOST_ENTRIES:
        folder = waiting.pop()
        listed = entries_of(folder)
        folders, entries = folders + 1, entries + len(listed)
        files = [each for each in listed if each.name.lower().endswith(wanted) and _is_file(each)]
        inner = [each for each in listed if not each.name.startswith(".") and _is_folder(each)]
        yield folder, [each.path for each in sorted(files, key=lambda each: order(each.name))]
        waiting += [each.path for each in sorted(inner, key=lambda each: natural(each.name), reverse=True)]


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:
        return False


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def order(name: str) -> list[tuple[int, list[tuple[int, int, str]], str]]:
    """The sort key of a name with `/`: files of a folder come before its subfolders, numbers by value, and
    `Cat.m2` before `Cat00.skin`.
    """
    *folders, file = name.split("/")
    stem, suffix = os.path.splitext(file)
    return [*((1, natural(folder), "") for folder in folders), (0, natural(stem), suffix.casefold())]


@dataclass(frozen=True, slots=True)
class _Listing:
    """The files of a folder by names with `/`, and the time stamp of each visited folder; of a package the
    `source` stands for its time.
    """

    top: str
    names: tuple[str, ...]
    stamps: tuple[tuple[str, int], ...] = ()
    source: Source | None = None


class FolderWalk:
    """The files of the folder or package that was walked last. They are listed again only when it changed:
    a step through a folder of any size takes the same time.
    """

    def __init__(self) -> None:
        self._known = _Listing("", ())

    def below(self, top: str) -> tuple[str, ...]:
        """The names of all files below a folder that can be opened, in order, with `/`."""
        known = self._known
        if known.top == top and known.stamps and all(folder_version(path) == at for path, at in known.stamps):
            return known.names
        begin, front = time.time_ns(), len(os.path.join(os.path.abspath(top), ""))
        visited = list(folders_below(top, suffixes()))
        names = tuple(path[front:].replace(os.sep, "/") for _, paths in visited for path in paths)
        stamps = tuple((folder, folder_version(folder)) for folder, _ in visited)
        settled = all(0 < at < begin - RECENT for _, at in stamps)
        self._known = _Listing(top, names, stamps if settled else ())
        return names

    def within(self, source: Source) -> tuple[str, ...]:
        """The names of all files of a package that can be opened, in order."""
        known = self._known
        if known.source is not source:
            wanted = suffixes()
            names = (name for name in source.names(deep=True) if name.lower().endswith(wanted))
            known = self._known = _Listing("", tuple(sorted(names, key=order)), source=source)
        return known.names
