"""The columns of the listed files, a row each: its texts, its order, and how much room it takes.

The Files panel, the tooltips, the choices and actions that sort, the settings and the facts that are read
from the index follow from these rows.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from viewer.arrays import Array
    from viewer.scene.files import Mark
    from viewer.session.file_table import FileTable

STAR, HEART = "\uf005", "\uf004"
UNITS = ("B", "KB", "MB", "GB", "TB")


class FileColumn(Struct, frozen=True):
    """A column.

    `text(table, row)` gives the text of a cell. `values(table)` gives the values [N] of all files by which
    they are sorted, None for the order of the table; a value less than 0 is unknown, and comes last. `orders`
    are the names of the ascending and of the descending order. The column is `width` line heights wide, 0 for
    the rest of the room. Columns with a lower `rank` get room first. The numbers of a `counted` column are
    counts of `FileFacts` with the same name.
    """

    name: str
    width: float
    text: Callable[[FileTable, int], str]
    values: Callable[[FileTable], Array | None]
    orders: tuple[str, str] = ("Smallest first", "Largest first")
    rank: int = 9
    right: bool = True
    counted: bool = False


def mark_text(mark: Mark) -> str:
    """Return a mark as icons: the stars, and a heart for a favourite."""
    return f"{STAR * mark.rating}{' ' * bool(mark.rating and mark.favourite)}{HEART * mark.favourite}"


@lru_cache(4096)
def date_text(minutes: int) -> str:
    """Format minutes since 1970 as local time: `2026-11-22 13:40`; empty if the time is out of range."""
    try:
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(minutes * 60))
    except (OverflowError, ValueError, OSError):
        return ""


def size_text(count: float) -> str:
    """Format a number of bytes with three digits: `12.3 MB`."""
    for unit in UNITS[:-1]:
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:.3g} {UNITS[-1]}"


def counts(name: str, width: float, rank: int = 9) -> FileColumn:
    """Make the column of a count in `FileFacts`, which has a text while it is known."""

    def text(table: FileTable, row: int) -> str:
        """The text of a cell."""
        value = int(table.count(name)[row])
        return f"{value:,}" if value >= 0 else ""

    return FileColumn(name, width, text, lambda table: table.count(name), rank=rank, counted=True)


FILE_COLUMNS = (
    FileColumn(
        "name",
        0.0,
        lambda table, row: table.names[row].rpartition("/")[2],
        lambda table: None,
        ("A to Z", "Z to A"),
        right=False,
    ),
    FileColumn(
        "kind",
        5.5,
        lambda table, row: table.kind(row).name,
        lambda table: table.kinds,
        ("Models first", "Models last"),
        rank=2,
        right=False,
    ),
    FileColumn(
        "size", 4.5, lambda table, row: size_text(int(table.sizes[row])), lambda table: table.sizes, rank=1
    ),
    FileColumn(
        "date",
        9.0,
        lambda table, row: date_text(int(table.modified[row]) // 60_000_000_000),
        lambda table: table.modified,
        ("Oldest first", "Newest first"),
        rank=5,
        right=False,
    ),
    counts("bones", 4.0, rank=4),
    counts("triangles", 5.0, rank=3),
    FileColumn(
        "rating",
        7.0,
        lambda table, row: mark_text(table.mark_at(row)),
        lambda table: table.stars,
        ("Fewest stars first", "Most stars first"),
        rank=6,
        right=False,
    ),
)
FILE_SORTS = tuple(each.name for each in FILE_COLUMNS)
"""The names of the columns, by which the Files panel and the wall can be sorted."""
COUNTED = tuple(each.name for each in FILE_COLUMNS if each.counted)
BY_NAME = {each.name: each for each in FILE_COLUMNS}
