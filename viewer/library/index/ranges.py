"""Folders and packages as ranges of sorted paths: the path of each file begins with the path of its folder or
package.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from viewer.family.registry import kind_of
from viewer.scene.names import JOINT
from viewer.storage.place import is_game

IN_RANGE = "(path >= CAST(? AS TEXT) AND path < CAST(? AS TEXT) OR path = CAST(? AS TEXT))"
"""SQL expression for the files of a range, with the parameters `PathRange.bounds`."""
IN_ROOTS = """id IN (
    SELECT inside.id FROM roots JOIN files AS inside ON inside.path >= low AND inside.path < high
    UNION SELECT inside.id FROM roots JOIN files AS inside ON inside.path = alone)"""
"""SQL expression for the files of the ranges in the table `roots`."""
FEW = 8
"""Largest number of ranges in an SQL expression."""


def stored(text: str) -> bytes:
    """Encode a path for `CAST(? AS TEXT)`, which accepts names that are not UTF-8."""
    return os.fsencode(text)


def folded(path: str) -> bytes:
    """Return the case-folded path with `/`, which queries search."""
    return stored(path.replace(os.sep, "/").replace(JOINT, "/").casefold())


class PathRange(NamedTuple):
    """The paths of the files below a folder or in a package, or the path of a single file.

    A path is in the range if it begins with `front` or equals `alone`. If it begins with `front`, the name of
    the file begins after the first `cut` characters of the path. All paths in the range begin with `known`;
    queries search words only in the rest of each path.
    """

    front: str
    alone: str
    cut: int
    known: str

    def name(self, path: str) -> str | None:
        """Return the name of a file of this range, with `/`; None for a file outside."""
        if path.startswith(self.front):
            return path[self.cut :].replace(os.sep, "/")
        return os.path.basename(path) if path == self.alone else None

    @property
    def bounds(self) -> tuple[bytes, bytes, bytes]:
        """The parameters of `IN_RANGE`."""
        front = stored(self.front)
        return front, front[:-1] + bytes([front[-1] + 1]), stored(self.alone)


def path_range(root: str) -> PathRange:
    """Return the range of `root`: a file, a folder, a package, a game, or a folder in a package. The path is
    made absolute.
    """
    path = os.path.abspath(root)
    if os.path.isdir(path) and not is_game(path):
        front = os.path.join(path, "")
        return PathRange(front, front, len(front), front)
    package, joint, inside = path.partition(JOINT)
    if joint and inside and not os.path.exists(path):
        front = package + JOINT
        return PathRange(f"{path}/", path, len(front), front)
    package = package if joint and not os.path.exists(path) else path
    front = f"{package}{JOINT}"
    kind = kind_of(package)
    if kind is not None and kind.role != "package":
        return PathRange(front, package, len(front), package.removesuffix(os.path.basename(package)))
    return PathRange(front, package, len(front), front)


def in_ranges(connection: sqlite3.Connection, ranges: Sequence[PathRange]) -> tuple[str, list[bytes]]:
    """Return an SQL expression and its parameters. The expression is true for the rows of the table `files`
    that are in one of the ranges.

    More than FEW ranges go into a temporary table.
    """
    if len(ranges) <= FEW:
        return " OR ".join([IN_RANGE] * len(ranges)) or "0", [each for one in ranges for each in one.bounds]
    connection.execute("CREATE TEMP TABLE IF NOT EXISTS roots (low, high, alone)")
    connection.execute("DELETE FROM roots")
    connection.executemany(
        "INSERT INTO roots VALUES (CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT))",
        [each.bounds for each in ranges],
    )
    return IN_ROOTS, []


def search_groups(ranges: Sequence[PathRange]) -> dict[int, list[PathRange]]:
    """Group the ranges by the offset, counted from 1, at which names begin in folded paths.

    If there are many ranges, all of them use the offset of their common folder.
    """
    folders: dict[str, list[PathRange]] = {}
    for each in ranges:
        folders.setdefault(each.known, []).append(each)
    if len(folders) > FEW:
        folders = {_shared_folder(folders): list(ranges)}
    groups: dict[int, list[PathRange]] = {}
    for folder, some in folders.items():
        groups.setdefault(len(folded(folder)) + 1, []).extend(some)
    return groups


def _shared_folder(folders: Iterable[str]) -> str:
    """Return the common folder; empty for folders on several drives."""
    try:
        return os.path.join(os.path.commonpath(folders), "")
    except ValueError:
        return ""


def name_in(ranges: Iterable[PathRange], path: str) -> str:
    """Return the name of a file in the first range that contains it, else its path."""
    return next((name for each in ranges if (name := each.name(path)) is not None), path)
