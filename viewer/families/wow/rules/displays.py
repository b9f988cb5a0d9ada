"""The pictures that displays of creatures and items name in the game's tables, and that are missing.

A row counts only if its model is in the place: most copies of a game's tables name thousands of models that a
project does not have. The check of a table and that of a model give equal findings, so that the check of a
whole place lists each name once.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from viewer.arrays import Array
from viewer.check.check_context import CheckContext
from viewer.check.rule import Found
from viewer.families.wow.looks.characters import ITEMS
from viewer.families.wow.looks.displays import DISPLAYS, MODELS, TEXTURES, rows_of
from viewer.families.wow.looks.dressing import FORBIDDEN, SkinFiles
from viewer.families.wow.looks.items import OBJECT_FOLDERS
from viewer.families.wow.looks.tables import SUFFIX, TableLog, TablePlace, places, rows_naming
from viewer.families.wow.m2.mesh.textures import SUFFIX as PICTURE
from viewer.scene.table import Table
from viewer.storage.package_path import folder_of, open_package, split
from viewer.storage.source import FolderSource, Source

MODEL = ".m2"
OBJECTS = "Item/ObjectComponents"
ITEM_FOLDERS = ("Weapon", *dict.fromkeys(each for names in OBJECT_FOLDERS.values() for each in names))
"""The folders of the models of items. Models in `Head` have the race in their names, and are left out."""

Exists = Callable[[str], bool]
"""Whether the place has a file with this path in the game."""
Named = tuple[int, str, str]
"""The id of a row, the folder of its model in the game, and the name of a picture."""


def missing_pictures(context: CheckContext) -> Iterator[Found]:
    """Report pictures that rows of a table name for a model in the place, if they are missing."""
    document = context.document
    log = TableLog(document.context)
    if isinstance(document.content, Table):
        place = TablePlace(folder_of(document.path, document.context), log)
        game = _game(document.path, context)
        exists: Exists = lambda name: game is not None and game.find(name) is not None  # noqa: E731
        if document.content.name == DISPLAYS:
            yield from _found(DISPLAYS, _creatures(place, exists), exists, document.path)
        elif document.content.name == ITEMS:
            yield from _found(ITEMS, _items(document.content, exists), exists, document.path)
    elif context.model is not None:
        yield from _of_model(context, log)


def _of_model(context: CheckContext, log: TableLog) -> Iterator[Found]:
    """The findings about the rows that name the checked model."""
    document = context.document
    rows = rows_of(document.path, log) if document.displays.listed else None
    if rows is not None:
        listed = document.displays.listed
        files = SkinFiles(document, rows.folder)
        skin: Exists = lambda name: files.find(name.rpartition("/")[2].removesuffix(PICTURE)) is not None  # noqa: E731
        named = ((each.id, rows.folder, name) for each in listed for name in each.textures)
        path = rows.place.source.where(f"{DISPLAYS}{SUFFIX}")
        yield from _found(DISPLAYS, named, skin, path)
    folder = os.path.dirname(document.path).replace("\\", "/")
    inner = next((each for each in ITEM_FOLDERS if folder.lower().endswith(f"{OBJECTS}/{each}".lower())), "")
    place = next(places(document.path, ITEMS, log), None) if inner else None
    table = place.table(ITEMS, "id", "model_1", "model_2") if place is not None else None
    if place is not None and table is not None:
        own = folder_of(document.path, document.context)
        stem = os.path.basename(document.path)
        items = (
            each
            for side in (1, 2)
            for each in _items_in(table, rows_naming(table, f"model_{side}", stem), side, lambda _: True)
            if each[1].endswith(f"/{inner}")
        )
        path = place.source.where(f"{ITEMS}{SUFFIX}")
        yield from _found(ITEMS, items, lambda name: own.find(name.rpartition("/")[2]) is not None, path)


def _game(path: str, context: CheckContext) -> Source | None:
    """The game to which a table belongs: its archive or place, or the folder above the folder of tables."""
    inside = split(path)
    if inside is not None:
        return open_package(inside[0], context.document.context)
    return FolderSource(os.path.dirname(os.path.dirname(os.path.abspath(path))))


def _creatures(place: TablePlace, exists: Exists) -> Iterator[Named]:
    """Yield the pictures of the displays whose model exists."""
    models, displays = place.table(MODELS, "id", "model"), place.table(DISPLAYS, "id", "model", *TEXTURES)
    if models is None or displays is None:
        return
    stems = (os.path.splitext(str(each).replace("\\", "/"))[0] for each in _column(models, "model"))
    there = {id: stem for id, stem in zip(_column(models, "id"), stems, strict=True) if exists(stem + MODEL)}
    rows = np.flatnonzero(np.isin(displays.records["model"], np.array([*there], np.int64)))
    columns = [_column(displays, name, rows) for name in ("id", "model", *TEXTURES)]
    for id, model, *names in zip(*columns, strict=True):
        yield from ((int(id), there[model].rpartition("/")[0], str(name)) for name in names)


def _items(table: Table, exists: Exists) -> Iterator[Named]:
    """Yield the pictures of the models of all items, if the model exists."""
    for side in (1, 2):
        yield from _items_in(table, np.arange(len(table)), side, exists)


def _items_in(table: Table, rows: Array, side: int, exists: Exists) -> Iterator[Named]:
    """Yield the pictures of one of the two models of some items, in each folder in which the model exists."""
    columns = ("id", f"model_{side}", f"model_texture_{side}")
    if any(table.column(each) is None for each in columns):
        return
    known: dict[str, tuple[str, ...]] = {}
    for id, model, name in zip(*(_column(table, each, rows) for each in columns), strict=True):
        stem = os.path.splitext(str(model))[0]
        if not stem or not name:
            continue
        if stem not in known:
            folders = (f"{OBJECTS}/{each}" for each in ITEM_FOLDERS if each != "Head")
            known[stem] = tuple(each for each in folders if exists(f"{each}/{stem}{MODEL}"))
        yield from ((int(id), folder, str(name)) for folder in known[stem])


def _found(table: str, named: Iterable[Named], exists: Exists, path: str) -> Iterator[Found]:
    """Yield a finding for each missing picture. It says which row names the picture first."""
    first: dict[tuple[str, str], tuple[int, str]] = {}
    for id, folder, name in named:
        key = folder.casefold(), name.casefold()
        if name and not any(letter in name for letter in FORBIDDEN):
            first[key] = min(first.get(key, (id, name)), (id, name))
    for (folder, _), (id, name) in first.items():
        if not exists(f"{folder}/{name}{PICTURE}"):
            yield Found(f"row {id} of {table} names {name}{PICTURE}, which is missing", file=path)


def _column(table: Table, name: str, rows: Array | slice = slice(None)) -> list[int | float | str]:
    number = table.column(name)
    return [] if number is None else table.values(number, rows)
