"""Reads the displays of a creature's model from the game's tables.

Source: measured on tables of the clients 1.12.1 and 3.3.5a; re-implementations of the client (whoa, OpenWow)
for packed geosets and particle colours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from viewer.arrays import Array
from viewer.families.wow.looks.tables import TableLog, TablePlace, places, rows_naming
from viewer.families.wow.m2.mesh.textures import MONSTER
from viewer.scene.looks import Display, Displays, distinct_displays
from viewer.scene.model import GROUP
from viewer.scene.table import CellValue, Table

MODELS, DISPLAYS, COLORS = "CreatureModelData", "CreatureDisplayInfo", "ParticleColor"
TEXTURES = tuple(f"texture_{number}" for number in range(1, len(MONSTER) + 1))
NIBBLES = 8
"""The number of geoset groups in a packed value, 4 bits each."""
TIMES = ("start", "middle", "end")
SLOTS = 3
CHANNEL = 255.0

Exists = Callable[[str], bool]
"""A function that returns whether the file of a texture name exists."""


class ModelRows(NamedTuple):
    """What the tables in `place` know about a model: its `rows` [N] in the table of models, and its `folder`
    in the game.
    """

    place: TablePlace
    models: Table
    rows: Array
    folder: str


def rows_of(path: str, log: TableLog) -> ModelRows | None:
    """Find the nearest tables with rows for the path of a model; None if no tables have any."""
    for place in places(path, MODELS, log):
        models = place.table(MODELS, "id", "model")
        if models is None:
            continue
        rows = rows_naming(models, "model", path)
        if len(rows):
            stored = str(models.value(int(rows[0]), models.column("model") or 0))
            return ModelRows(place, models, rows, stored.replace("\\", "/").rpartition("/")[0])
    return None


def read_displays(found: ModelRows, kinds: Iterable[int | None], exists: Exists) -> Displays:
    """Read all displays of a model. `kinds` are the texture types of the model.

    A display is complete if it names a texture for at least one monster skin of the model, and if the files
    of all these textures exist. If the model names all its textures itself, every display is complete.
    """
    left = {each for each in kinds if each}
    used = [number for number, kind in enumerate(MONSTER) if kind in left]
    table = found.place.table(DISPLAYS, "id", "model", *TEXTURES)
    if table is None:
        return Displays()
    ids = _column(found.models, "id", found.rows)
    model_scales = dict(zip(ids, _column(found.models, "scale", found.rows, 1.0), strict=True))
    rows = _rows_with(table, "model", ids)
    displays = tuple(
        Display(
            id=int(id),
            textures=(str(first), str(second), str(third)),
            scale=_scale(scale) * _scale(model_scales.get(model, 1.0)),
            alpha=max(0, min(int(alpha), 255)),
            geosets=tuple(geosets_of(int(geosets))) if geosets else (),
            colors=int(colors),
            extra=int(extra),
            complete=not left or _complete((str(first), str(second), str(third)), used, exists),
        )
        for id, model, scale, alpha, first, second, third, geosets, colors, extra in zip(
            _column(table, "id", rows),
            _column(table, "model", rows),
            _column(table, "scale", rows, 1.0),
            _column(table, "alpha", rows, 255),
            *(_column(table, each, rows) for each in TEXTURES),
            _column(table, "geosets", rows, 0),
            _column(table, "particle_color", rows, 0),
            _column(table, "extra", rows, 0),
            strict=True,
        )
    )
    return Displays(displays, None, (), distinct_displays(displays))


def _rows_with(table: Table, column: str, values: Iterable[CellValue]) -> Array:
    """The numbers of the rows whose `column` has one of `values`, ordered by id. Of several rows with one id
    the last counts.
    """
    rows = np.flatnonzero(np.isin(table.records[column], np.array([*values], np.int64)))[::-1]
    _, first = np.unique(table.records["id"][rows], return_index=True)
    return rows[first]


def _column(table: Table, name: str, rows: Array, default: CellValue = 0) -> list[CellValue]:
    """The values of a column in some rows; `default` if the table of this client has no such column."""
    number = table.column(name)
    return [default] * len(rows) if number is None else table.values(number, rows)


def _scale(value: CellValue) -> float:
    """A factor of the size; 1 for a number that no size can have."""
    scale = float(value)
    return scale if 1e-3 < scale < 1e3 else 1.0


def _complete(names: Sequence[str], used: Sequence[int], exists: Exists) -> bool:
    named = [names[number] for number in used if names[number]]
    return bool(named) and all(map(exists, named))


def geosets_of(packed: int) -> Iterator[int]:
    """Yield the geosets of a packed value, which has a variant of 4 bits for each of the groups 1 to 8. A
    group with variant 0 is left out.
    """
    for group in range(1, NIBBLES + 1):
        variant = packed >> 4 * (group - 1) & 0xF
        if variant:
            yield GROUP * group + variant


def particle_colors(place: TablePlace, id: int) -> Array | None:
    """The particle colours [slot, time, 3] of a row, rgb 0..1, at the start, middle and end of a particle's
    life. None if there is no such row.
    """
    names = [f"{time}_{slot + 1}" for slot in range(SLOTS) for time in TIMES]
    table = place.table(COLORS, "id", *names)
    row = table.row_of(id) if table is not None else None
    if table is None or row is None:
        return None
    words = np.array([int(table.records[name][row]) for name in names], np.uint32)
    channels = np.stack([words >> shift & 0xFF for shift in (16, 8, 0)], axis=-1) / CHANNEL
    return np.asarray(channels.reshape(SLOTS, len(TIMES), 3))
