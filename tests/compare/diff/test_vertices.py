"""Vertices that moved or have other attributes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.compared_files import compared, lines
from tests.synthetic import ELEMENTS, model_bytes, post
from viewer.binary import Struct
from viewer.families.urho3d.elements import ELEMENT
from viewer.scene.items import GeometryItem, VertexItem

VERTICES, INDICES = post()


def with_vertices(vertices: Any = VERTICES, indices: Any = INDICES, **changes: Any) -> bytes:
    """The post with other vertices, without its morph."""
    buffer = Struct(
        vertex_count=len(vertices),
        elements=np.array(list(ELEMENTS), ELEMENT),
        morph_start=0,
        morph_count=0,
        vertices=vertices,
    )
    index_buffer = Struct(index_count=len(indices), index_size=2, indices=indices.astype("<u2"))
    return model_bytes(vertex_buffers=[buffer], index_buffers=[index_buffer], morphs=[], **changes)


def changed(change: Callable[[Any], object]) -> bytes:
    """The post after `change` of its vertices."""
    vertices = VERTICES.copy()
    change(vertices)
    return with_vertices(vertices)


def set_row(name: str, row: int, value: Any) -> Callable[[Any], object]:
    """A change of one attribute of one vertex."""

    def change(vertices: Any) -> None:
        vertices[name][row] = value

    return change


def test_a_vertex_moved(tmp_path: Path) -> None:
    moved = VERTICES["position"][3] + (0.25, 0, 0)
    found = compared(tmp_path, with_vertices(), changed(set_row("position", 3, moved)))
    assert lines(found) == [
        "vertices changed geometry 0: 1 of 20 vertices moved, at most 0.25 (vertex 3)"
    ]  # the coarser level draws some of these vertices: they are told once
    assert found.found[0].items == (VertexItem(0, 3), GeometryItem(0))
    assert found.found[0].amount == pytest.approx(0.25) and found.found[0].unit == "units"


def test_a_vertex_within_the_tolerance_did_not_move(tmp_path: Path) -> None:
    one, other = with_vertices(), changed(set_row("position", 3, VERTICES["position"][3] + 1e-6))
    assert compared(tmp_path, one, other).same
    assert compared(tmp_path, one, other, tolerance=0).found
    assert compared(tmp_path, one, other, tolerance=1e-7).found


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("normal", (0, 1, 0), "normals of 1 of 20 vertices differ, at most 90° (vertex 0)"),
        ("uv0", (0.5, 1), "uv0 of 1 of 20 vertices differ, at most 0.5 (vertex 0)"),
        ("weights", (0.75, 0.25, 0, 0), "weights of 1 of 20 vertices differ, at most 0.25 (vertex 0)"),
    ],
)
def test_an_attribute_differs(name: str, value: tuple[float, ...], told: str, tmp_path: Path) -> None:
    found = compared(tmp_path, with_vertices(), changed(set_row(name, 0, value)))
    assert f"vertices changed geometry 0: {told}" in lines(found)


def test_influences_in_another_order_are_the_same(tmp_path: Path) -> None:
    def swap(vertices: Any) -> None:
        vertices["weights"][:, :2] = vertices["weights"][:, 1::-1].copy()
        vertices["joints"][:, :2] = 1, 0

    assert compared(tmp_path, with_vertices(), changed(swap)).same


def test_bones_in_another_order_move_the_same_vertices(tmp_path: Path) -> None:
    bones = model_record_bones()
    turned = [bones[1], bones[0]]
    turned[0].parent, turned[1].parent = 1, 1

    def swap(vertices: Any) -> None:
        vertices["joints"][:, :2] = 1, 0

    vertices = VERTICES.copy()
    swap(vertices)
    assert compared(tmp_path, with_vertices(), with_vertices(vertices, bones=turned)).same
    assert not compared(tmp_path, with_vertices(), with_vertices(VERTICES, bones=turned)).same


def model_record_bones() -> list[Any]:
    """The two bones of the post."""
    from tests.synthetic import bone

    return [bone("base", 0, 0, 0), bone("tip", 0, 0.5, 0.5)]


def test_vertices_in_another_order_are_told_once(tmp_path: Path) -> None:
    order = np.random.default_rng(1).permutation(len(VERTICES))
    place = np.argsort(order)
    found = compared(tmp_path, with_vertices(), with_vertices(VERTICES[order], place[INDICES]))
    assert lines(found) == [
        "vertices changed geometry 0: another order of the vertices, matched by position",
        "vertices changed geometry 0 level 1: another order of the vertices, matched by position",
    ]
    assert found.minor


def test_more_vertices_are_counted(tmp_path: Path) -> None:
    vertices, indices = post(6)
    found = compared(tmp_path, with_vertices(), with_vertices(vertices, indices))
    assert "vertices changed geometry 0: 20 → 24 vertices" not in lines(found)  # the level draws 96 indices
    assert not found.same


def test_an_attribute_is_missing(tmp_path: Path) -> None:
    elements = np.array(list(ELEMENTS), ELEMENT)[:3]
    kept = np.dtype([(name, VERTICES.dtype[name]) for name in ("position", "normal", "uv0")])
    vertices = np.zeros(len(VERTICES), kept)
    for name in kept.names or ():
        vertices[name] = VERTICES[name]
    buffer = Struct(
        vertex_count=len(vertices), elements=elements, morph_start=0, morph_count=0, vertices=vertices
    )
    found = compared(tmp_path, with_vertices(), model_bytes(vertex_buffers=[buffer], morphs=[]))
    assert "vertices changed geometry 0: attributes: weights, joints removed" in lines(found)


def test_numbers_that_are_not_finite_are_no_error(tmp_path: Path) -> None:
    def spoil(vertices: Any) -> None:
        vertices["position"][0] = np.nan
        vertices["normal"][1] = np.inf
        vertices["weights"][2] = np.nan

    assert len(lines(compared(tmp_path, with_vertices(), changed(spoil)))) >= 3
    assert compared(tmp_path, changed(spoil), changed(spoil)).same
