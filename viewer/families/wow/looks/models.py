"""Finds the model that a row of a game's table is about."""

from __future__ import annotations

import os

from viewer.errors import ResourceError
from viewer.families.wow.looks.displays import DISPLAYS, MODELS
from viewer.families.wow.looks.tables import SUFFIX, TableLog, TablePlace
from viewer.scene.document import Document
from viewer.scene.names import JOINT
from viewer.scene.reading_context import ReadingContext
from viewer.scene.table import Table
from viewer.storage.package_path import folder_of
from viewer.storage.search import FoundResource, SearchPath


def model_of_row(document: Document, table: Table, row: int) -> str:
    """The path that opens the model of a row. For a row of CreatureDisplayInfo the path opens the model in
    this display.

    `document` is the table. The model is searched in the folders above the table, in its archive and
    in the user's resource folders. ResourceError if the row names no model, or the file is missing.
    """
    path, context, suffix = document.path, document.context, ""
    if table.name == DISPLAYS:
        suffix = f"{JOINT}{table.value(row, 0)}"
        name = _model_of_display(path, table, row, context)
    else:
        column = table.column("model")
        name = "" if column is None else str(table.value(row, column))
    if not name:
        raise ResourceError(f"row {table.value(row, 0)} of {table.name} names no model")
    file = os.path.splitext(name.replace("\\", "/"))[0] + ".m2"
    found = SearchPath.around(path, context).find(file, sole=True)
    if not isinstance(found, FoundResource):
        raise ResourceError(f"{file} is missing: add the folder of the game as a resource folder")
    return found.path + suffix


def _model_of_display(path: str, table: Table, row: int, context: ReadingContext) -> str:
    """The model that a display names, from the table of models beside the table of displays."""
    number, log = table.column("model"), TableLog(context)
    models = TablePlace(folder_of(path, context), log).table(MODELS, "id", "model")
    if models is None or number is None:
        raise ResourceError(
            next(iter(log.problems), f"{MODELS}{SUFFIX} is missing beside {os.path.basename(path)}")
        )
    found = models.row_of(int(table.records[table.columns[number].name][row]))
    return "" if found is None else str(models.value(found, models.column("model") or 0))
