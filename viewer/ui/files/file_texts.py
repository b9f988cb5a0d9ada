"""The texts of a file in the file list and the wall: icon, cells and tooltip."""

from __future__ import annotations

from viewer.errors import counted, printable
from viewer.session.file_columns import BY_NAME, COUNTED
from viewer.session.file_list import FileList
from viewer.session.file_table import FileTable
from viewer.ui.files.package_files import sources_text
from viewer.ui.kit.texts import label_text

BROKEN = "\uf071"
MOST_COPIES = 3
"""The largest number of copies of a file that its tooltip names."""


def icon(table: FileTable, row: int) -> str:
    """The icon of a file."""
    return table.kind(row).icon


def title(table: FileTable, row: int, distinct: bool = False) -> str:
    """The name of a file without its folders. If it must be `distinct`, files of equal names have folders."""
    name = BY_NAME["name"].text(table, row)
    return label_text(table.labels.get(row, name) if distinct else name)


def problem(files: FileList, table: FileTable, row: int) -> str:
    """The reason why a file could not be read or drawn; empty if there is none."""
    path = table.path(row)
    found = files.picture(path)
    reason = table.errors.get(row) or (found if isinstance(found, str) else "")
    return reason.removeprefix(f"{path}: ")


def details(files: FileList, table: FileTable, row: int, change: str = "") -> str:
    """The tooltip of a file: its whole name, all known facts, the game's archives that have it, and the
    `change` of an open file on the disk.
    """
    cells = {name: column.text(table, row) for name, column in BY_NAME.items()}
    counted = sorted(filter(cells.get, COUNTED), key=lambda name: BY_NAME[name].rank)
    counts = [f"{cells[name]} {name}" for name in counted]
    lines = (
        printable(table.names[row]),
        printable(table.called.get(row, "")),
        ", ".join(filter(None, (cells["kind"], cells["size"], *counts))),
        cells["date"],
        copies_text(table, row),
        sources_text(files.sources(table.path(row))),
        cells["rating"],
        problem(files, table, row),
        change,
    )
    return "\n".join(filter(None, lines))


def copies_text(table: FileTable, row: int) -> str:
    """The names of the files with the same bytes; empty if there are none."""
    others = [table.names[each] for each in table.copies.get(row, ()) if each != row]
    more = f" and {len(others) - MOST_COPIES:,} more" if len(others) > MOST_COPIES else ""
    return f"Same bytes as {printable(', '.join(others[:MOST_COPIES]))}{more}" if others else ""


def folder_details(path: str, count: int) -> str:
    """The tooltip of a folder."""
    return f"{printable(path)}\n{counted(count, 'file')}"
