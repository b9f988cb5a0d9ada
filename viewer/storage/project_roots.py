"""The roots of projects: folders above a file that have a marker."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice

from viewer.budget import BUDGET
from viewer.storage.listing import DiskEntry, entries_of, is_folder, listed_entries, present
from viewer.storage.resource_folders import ROOTS

REPOSITORIES = (".git", ".hg", ".svn")
"""Markers of a repository; no project reaches beyond a repository. The markers may be empty folders, or
files.
"""
FILES = ("resources.cfg", "resources_d.cfg", "resources2.cfg", "plugins.cfg", "rigscope.toml")
"""The names of marker files; upper and lower case count as equal."""
OUTWARD = 32
"""How many folders above a file are examined for markers."""


def marked_roots(own: str) -> Iterator[str]:
    """Yield the folders at and above `own` with a marker, the nearest first, up to the repository. A folder
    farther out that holds other projects is a root only if it is a repository.
    """
    for number, folder in enumerate(above(own)):
        found = _markers(folder)
        repository = any(name in REPOSITORIES for name in found)
        if repository or (found and (number == 0 or not _is_collection(folder))):
            yield folder
        if repository:
            return


def above(folder: str) -> Iterator[str]:
    """Yield a folder and the folders above it, except the home folder, the folder of all homes, and `/`."""
    home = os.path.expanduser("~")
    for _ in range(OUTWARD):
        parent = os.path.dirname(folder)
        if parent == folder or folder in (home, os.path.dirname(home)):
            return
        yield folder
        folder = parent


def is_repository(folder: str) -> bool:
    """Whether a folder is the root of a repository."""
    return bool(present(folder, REPOSITORIES))


def _markers(folder: str) -> list[str]:
    entries = listed_entries(folder, BUDGET.upper_entries)
    if entries is None:
        return [*present(folder, (*REPOSITORIES, *FILES, *ROOTS))]
    return [each.name for each in entries if is_marker(each)]


def is_marker(entry: DiskEntry) -> bool:
    """Whether an entry of a folder makes the folder the root of a project."""
    name = entry.name
    return name in REPOSITORIES or name.casefold() in FILES or (name in ROOTS and is_folder(entry))


def _is_collection(folder: str) -> bool:
    """Whether a folder is a collection of projects: at least two of its subfolders have markers."""
    inner = [each.path for each in entries_of(folder) if is_folder(each)]
    marked = (each for each in inner[: BUDGET.neighbour_projects] if _markers(each))
    return len(tuple(islice(marked, 2))) > 1
