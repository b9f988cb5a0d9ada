"""Places as ranges of paths: paths of files begin with that of their folder or package."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from viewer.formats import suffixes
from viewer.scene.names import JOINT

IN_RANGE = "(path >= CAST(? AS TEXT) AND path < CAST(? AS TEXT) OR path = CAST(? AS TEXT))"
"""An SQL expression with the parameters `PlaceRange.bounds`."""
IN_PLACES = """id IN (
    SELECT inside.id FROM places JOIN files AS inside ON inside.path >= low AND inside.path < high
    UNION SELECT inside.id FROM places JOIN files AS inside ON inside.path = alone)"""
"""An SQL expression for the ranges in the table `places`."""
FEW = 8
"""How many ranges one expression names."""


def stored(text: str) -> bytes:
    """A path as stored: `CAST(? AS TEXT)` accepts names that are not UTF-8."""
    return os.fsencode(text)


def folded(path: str) -> bytes:
    """The case-folded path with `/`, in which words are searched."""
    return stored(path.replace(os.sep, "/").replace(JOINT, "/").casefold())


class PlaceRange(NamedTuple):
    """A place: the paths that begin with `front`, and the path `alone`.

    The names of files begin after `cut` characters of the paths with `front`. Words are searched after
    `known`, with which all paths begin.
    """

    front: str
    alone: str
    cut: int
    known: str

    def name(self, path: str) -> str | None:
        """The name of a file in this place, with `/`; None for a file outside."""
        if path.startswith(self.front):
            return path[self.cut :].replace(os.sep, "/")
        return os.path.basename(path) if path == self.alone else None

    @property
    def bounds(self) -> tuple[bytes, bytes, bytes]:
        """The parameters of IN_RANGE."""
        front = stored(self.front)
        return front, front[:-1] + bytes([front[-1] + 1]), stored(self.alone)


def place_range(place: str) -> PlaceRange:
    """The range of a folder, a package, a folder in a package or a file; the path is made absolute."""
    path = os.path.abspath(place)
    if os.path.isdir(path):
        front = os.path.join(path, "")
        return PlaceRange(front, front, len(front), front)
    package, joint, inside = path.partition(JOINT)
    if joint and inside and not os.path.exists(path):
        front = package + JOINT
        return PlaceRange(f"{path}/", path, len(front), front)
    package = package if joint and not os.path.exists(path) else path
    front = f"{package}{JOINT}"
    lower = package.lower()
    if lower.endswith(suffixes()) and not lower.endswith(suffixes("package")):
        return PlaceRange(front, package, len(front), package.removesuffix(os.path.basename(package)))
    return PlaceRange(front, package, len(front), front)


def in_ranges(connection: sqlite3.Connection, ranges: Sequence[PlaceRange]) -> tuple[str, list[bytes]]:
    """An SQL expression over the table `files` for the files of all ranges, and its parameters.

    More than FEW ranges go into a temporary table.
    """
    if len(ranges) <= FEW:
        return " OR ".join([IN_RANGE] * len(ranges)) or "0", [each for one in ranges for each in one.bounds]
    connection.execute("CREATE TEMP TABLE IF NOT EXISTS places (low, high, alone)")
    connection.execute("DELETE FROM places")
    connection.executemany(
        "INSERT INTO places VALUES (CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT))",
        [each.bounds for each in ranges],
    )
    return IN_PLACES, []


def search_groups(ranges: Sequence[PlaceRange]) -> dict[int, list[PlaceRange]]:
    """The ranges by the offset, counted from 1, at which names begin in folded paths.

    Many ranges have the offset of their common folder.
    """
    folders: dict[str, list[PlaceRange]] = {}
    for each in ranges:
        folders.setdefault(each.known, []).append(each)
    if len(folders) > FEW:
        folders = {_shared_folder(folders): list(ranges)}
    groups: dict[int, list[PlaceRange]] = {}
    for folder, some in folders.items():
        groups.setdefault(len(folded(folder)) + 1, []).extend(some)
    return groups


def _shared_folder(folders: Iterable[str]) -> str:
    """The common folder; empty for folders on several drives."""
    try:
        return os.path.join(os.path.commonpath(folders), "")
    except ValueError:
        return ""


def name_in(ranges: Iterable[PlaceRange], path: str) -> str:
    """The name of a file in the first place that contains it, else its path."""
    return next((name for each in ranges if (name := each.name(path)) is not None), path)
