"""Looks of a family's models: displays and characters of a game's tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from viewer.scene.characters import CharacterLook
from viewer.scene.document import Document
from viewer.scene.table import Table


class Looks(Struct, frozen=True):
    """How the documents of a format are dressed.

    `dress` returns a newly opened document with its displays and choices, in its first look. `wear` returns
    it in another display, which a text chooses, or in another look. `files` returns the paths of the textures
    of all displays. `model_of_row` returns the path that opens the model of a row of a table; its arguments
    are the document of the table, the table and the row.

    Tables lie in the folder `table_folder` of a game, and have the suffix `table_suffix`. `model_folders` are
    the folded names of the folders of models beside it.
    """

    dress: Callable[[Document], Document]
    wear: Callable[[Document, str | CharacterLook], Document]
    files: Callable[[Document], set[str]]
    model_of_row: Callable[[Document, Table, int], str]
    table_folder: str
    table_suffix: str
    model_folders: Sequence[str]
