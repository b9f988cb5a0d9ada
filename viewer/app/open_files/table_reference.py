"""Shows the row of a table to which a row of another table refers."""

from __future__ import annotations

import os
import re

from viewer.errors import ResourceError
from viewer.scene.document import Document
from viewer.scene.items import RowItem
from viewer.scene.names import path_key
from viewer.scene.reading_context import ReadingContext
from viewer.scene.table import Table
from viewer.session.requests import OpenRow
from viewer.session.state import State
from viewer.storage.documents import open_document
from viewer.storage.package_path import folder_of

LAST_PART = re.compile(r"[^/\\:]*$")


def expected_path(wanted: OpenRow) -> str:
    """The path at which the referenced table is expected: beside the referring table, in the usual case of
    letters.
    """
    return LAST_PART.sub(f"{wanted.table}.dbc", wanted.path, count=1)


def opened_table(state: State, wanted: OpenRow) -> Document | None:
    """The referenced table, if it is open and lies beside the referring table."""
    path = path_key(expected_path(wanted)).casefold()
    return next((each for each in state.documents.opened if path_key(each.path).casefold() == path), None)


def open_beside(wanted: OpenRow, context: ReadingContext) -> Document:
    """Open the referenced table, whatever the case of its name. ResourceError if it does not exist."""
    folder, name = folder_of(wanted.path, context), f"{wanted.table}.dbc"
    stored = folder.find(name)
    if stored is None:
        raise ResourceError(f"{name} is missing beside {os.path.basename(wanted.path)}")
    return open_document(folder.where(stored), context)


def select_row(state: State, document: Document, wanted: OpenRow) -> None:
    """Select the wanted row of an open table; a message reports a row that the table lacks. If the request
    wants the rows that refer to a row of another table, filter the table instead.
    """
    table = document.content
    if wanted.referring:
        state.interface.table_filter = f"{wanted.referring}:{wanted.id}"
        return
    row = table.row_of(wanted.id) if isinstance(table, Table) else None
    if row is None:
        state.say(f"{os.path.basename(document.path)} has no row {wanted.id}", "warning")
        return
    state.documents.view_of(document).selection.pick(RowItem(row))
