"""The texts of a file in the file list and the wall: icon, cells and tooltip."""

from __future__ import annotations

import time
from functools import lru_cache

from viewer.errors import counted, printable
from viewer.scene.files import UNMARKED, Mark
from viewer.session.file_list import FileList
from viewer.session.file_table import UNKNOWN, FileTable
from viewer.ui.files.package_files import sources_text
from viewer.ui.kit.texts import label_text, size_text

BROKEN, STAR, HEART = "\uf071", "\uf005", "\uf004"


def icon(table: FileTable, row: int) -> str:
    """The icon of a file."""
    return table.kind(row).icon


def title(table: FileTable, row: int) -> str:
    """The name of a file without its folders."""
    return label_text(table.names[row].rpartition("/")[2])


def cell(table: FileTable, row: int, column: str) -> str:
    """The text of a cell in one of the columns `FILE_SORTS`; empty for an unknown count."""
    if column == "kind":
        return table.kind(row).name
    if column == "size":
        return size_text(int(table.sizes[row]))
    if column == "rating":
        return mark_text(table.marks.get(row, UNMARKED))
    if column == "date":
        return date_text(int(table.modified[row]) // 60_000_000_000)
    values = table.column(column)
    value = UNKNOWN if values is None else int(values[row])
    return f"{value:,}" if value != UNKNOWN else ""


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


def problem(files: FileList, table: FileTable, row: int) -> str:
    """The reason why a file could not be read or drawn; empty if there is none."""
    path = table.path(row)
    found = files.picture(path)
    reason = table.errors.get(row) or (found if isinstance(found, str) else "")
    return reason.removeprefix(f"{path}: ")


def details(files: FileList, table: FileTable, row: int) -> str:
    """The tooltip of a file: its whole name, all known facts, and the game's archives that have it."""
    cells = {name: cell(table, row, name) for name in ("kind", "size", "date", "bones", "triangles")}
    counts = [f"{cells[name]} {name}" for name in ("triangles", "bones") if cells[name]]
    lines = (
        printable(table.names[row]),
        printable(table.called.get(row, "")),
        ", ".join(filter(None, (cells["kind"], cells["size"], *counts))),
        cells["date"],
        sources_text(files.sources(table.path(row))),
        cell(table, row, "rating"),
        problem(files, table, row),
    )
    return "\n".join(filter(None, lines))


def folder_details(path: str, count: int) -> str:
    """The tooltip of a folder."""
    return f"{printable(path)}\n{counted(count, 'file')}"
