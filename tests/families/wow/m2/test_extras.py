"""Keys that are shown as numbers, and the collision mesh: their bounds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.m2_files import CLASSIC, WRATH
from viewer.binary import Fixed
from viewer.binary.tables import REF, RecordTables, RowRecord
from viewer.errors import Report
from viewer.families.wow.m2.effects.extras import collision_of, parameters_of
from viewer.families.wow.m2.layout.fields import F32, I16, TrackField, vector
from viewer.families.wow.m2.layout.header import HEADER

LAYOUT = RowRecord(
    "made",
    Fixed("drag", F32),
    TrackField("speed", F32),
    TrackField("alpha", I16),
    TrackField("color", vector(3)),
)
BASE = 8


def records(data: bytes, nested: bool = False, **tables: Any) -> RecordTables:
    """The block behind the first eight bytes."""
    traits = WRATH if nested else CLASSIC
    made = RecordTables(data, BASE, len(data) - BASE, Report(), traits, HEADER, None)
    made.tables.update(tables)
    return made


def rows(nested: bool, name: str, count: int, offset: int) -> Any:
    """One record whose track `name` has its values there."""
    made = np.zeros(1, LAYOUT.dtype(WRATH if nested else CLASSIC))
    made["drag"] = 0.5
    made[name]["values"] = count, offset
    return made


def shown(data: bytes, made: Any, nested: bool = False) -> dict[str, tuple[float, ...]]:
    (found,) = parameters_of(records(data, nested), LAYOUT, made)
    return found


def test_a_constant_number_is_its_own_first_and_last() -> None:
    assert shown(bytes(BASE), rows(False, "speed", 0, 0)) == {"drag": (0.5, 0.5)}


def test_the_first_and_last_of_keys_that_may_end_with_the_file_and_not_behind_it() -> None:
    data = bytes(BASE) + np.array([1, 2, 3], "<f4").tobytes()
    assert shown(data, rows(False, "speed", 3, 0))["speed"] == (1, 3)
    assert "speed" not in shown(data[:-1], rows(False, "speed", 3, 0))


def test_whole_numbers_are_shares() -> None:
    data = bytes(BASE) + np.array([0, 32767], "<i2").tobytes()
    assert shown(data, rows(False, "alpha", 2, 0))["alpha"] == (0, 1)


def test_a_nested_track_shows_the_keys_of_its_first_sequence() -> None:
    inner = np.array([(2, 16), (1, 24)], REF).tobytes()
    data = bytes(BASE) + inner + np.array([1, 2, 3], "<f4").tobytes()
    assert shown(data, rows(True, "speed", 2, 0), nested=True)["speed"] == (1, 2)


def test_the_table_of_a_nested_track_may_end_with_the_file_and_not_behind_it() -> None:
    data = bytes(BASE) + np.array([4], "<f4").tobytes() + np.array([(1, 0)], REF).tobytes()
    assert shown(data, rows(True, "speed", 1, 4), nested=True)["speed"] == (4, 4)
    assert "speed" not in shown(data[:-1], rows(True, "speed", 1, 4), nested=True)


def test_the_last_vertex_belongs_to_the_collision_mesh_and_none_behind_it() -> None:
    vertices = np.zeros((3, 3), "<f4")
    made = records(bytes(BASE), collision_vertices=vertices, collision_indices=np.array([0, 1, 2, 0, 1, 3]))
    found = collision_of(made)
    assert found is not None and found.triangles.tolist() == [[0, 1, 2]]
    assert made.report.warnings == ["1 triangles of the collision mesh use unknown vertices"]


@pytest.mark.parametrize("indices", [[], [0, 1], [0, 1, 3]])
def test_without_a_triangle_there_is_no_collision_mesh(indices: list[int]) -> None:
    vertices, numbers = np.zeros((3, 3), "<f4"), np.array(indices, "<u2")
    assert collision_of(records(bytes(BASE), collision_vertices=vertices, collision_indices=numbers)) is None
