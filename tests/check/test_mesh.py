"""Each rule for meshes fires on a mesh made to break it, and on no sound one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.checked import chain, findings, skinned, texts
from tests.synthetic import QUAD, QUAD_INDICES, model_of, vertex_buffer
from viewer.check.limits import Limits
from viewer.check.mesh import RULES
from viewer.dataclass import replace
from viewer.scene.items import GeometryItem, VertexItem
from viewer.scene.model import Lod, Model, Primitive

NORMALS = np.tile(np.array((0, 0, 1), np.float32), (4, 1))
BOUNDS = np.array(((-1, -1, 0), (1, 1, 0)), np.float32)


def square(**changed: Any) -> Model:
    """A square with one array of its vertices changed, or its indices or bounds."""
    columns = {"position": QUAD, "normal": NORMALS}
    given = {name: changed.pop(name) for name in list(changed) if name in columns}
    return model_of(vertex_buffer(**(columns | given)), **({"bounds": BOUNDS} | changed))


def with_row(column: Any, row: int, *values: float) -> Any:
    """A copy of a column with another row."""
    changed = column.copy()
    changed[row] = values
    return changed


@pytest.mark.parametrize("rule", [rule.id for rule in RULES])
def test_a_sound_mesh_has_no_findings(rule: str) -> None:
    assert texts(rule, square()) == []


def test_numbers_that_are_not_finite_are_told() -> None:
    (found,) = findings("mesh/not-finite", square(position=with_row(QUAD, 2, np.nan, 0, 1)))
    assert found.text == "1 vertex of only with a position that is not finite (first #2: nan, 0, 1)"
    assert found.items == (VertexItem(0, 2), GeometryItem(0))


def test_large_numbers_are_finite() -> None:
    assert texts("mesh/not-finite", square(position=with_row(QUAD, 2, 3e38, 3e38, 3e38))) == []


def test_triangles_with_one_position_twice_are_told() -> None:
    twice = np.array((0, 1, 2, 0, 2, 2), np.uint16)
    text = "only: 1 of 2 triangles with one position twice"
    assert texts("mesh/degenerate-triangle", square(indices=twice)) == [text]
    assert texts("mesh/degenerate-triangle", square(position=with_row(QUAD, 3, *QUAD[2]))) == [text]


def test_a_mesh_without_any_area_is_told_elsewhere() -> None:
    assert texts("mesh/degenerate-triangle", square(position=np.zeros_like(QUAD))) == []


def test_more_triangles_than_the_limit_are_told() -> None:
    rule, model = "mesh/too-many-triangles", square()
    assert texts(rule, model) == texts(rule, model, limits=Limits(triangles=2)) == []
    assert texts(rule, model, limits=Limits(triangles=1)) == ["the model has 2 triangles; the limit is 1"]
    (only,) = model.geometries
    half = replace(only.lods[0], count=3)
    model = replace(
        model, geometries=(replace(only, name="", lods=(half,)), replace(only, lods=(*only.lods, half)))
    )
    (found,) = findings(rule, model, limits=Limits(triangles=2))
    assert found.text == "the model has 3 triangles; the limit is 2; only has the most, 2"
    assert found.items == (GeometryItem(1),)


def test_a_level_with_more_triangles_than_the_finer_one_is_told() -> None:
    def levels(*counts: int) -> list[str]:
        lods = tuple(Lod(far, (0,), 0, 0, count, Primitive.TRIANGLES) for far, count in enumerate(counts))
        return texts("mesh/level-order", square(geometry={"lods": lods}))

    assert levels(6, 6, 3) == []
    assert levels(6, 3, 6) == ["only: level 2 has 2 triangles, level 1 1"]


def test_vertices_that_are_not_drawn_are_told() -> None:
    text = "1 of 4 vertices of buffer 0 are not drawn (first #3)"
    assert texts("mesh/unused-vertex", square(indices=QUAD_INDICES[:3])) == [text]


def test_two_streams_of_the_same_vertices_are_told_once() -> None:
    streams = vertex_buffer(position=QUAD), vertex_buffer(normal=NORMALS)
    assert len(texts("mesh/unused-vertex", model_of(*streams, indices=QUAD_INDICES[:3]))) == 1


def test_normals_without_a_length_are_told() -> None:
    text = "1 of 4 vertices of only have a normal of length 0 (first #1)"
    assert texts("mesh/zero-normal", square(normal=with_row(NORMALS, 1, 0, 0, 0))) == [text]


def test_vertices_outside_the_bounds_are_told() -> None:
    text = "vertices of only are up to 1 outside the bounds, 70.71 % of their diagonal"
    smaller = np.array(((-1, -1, 0), (0, 0, 0)), np.float32)
    assert texts("mesh/stale-bounds", square(bounds=smaller)) == [text]


def test_bounds_may_be_those_of_the_rest_pose() -> None:
    raised = chain("a", "b", positions=np.array(((0, 5, 0), (0, 0, 0)), np.float32))
    weights = ((1.0, 0, 0, 0),) * 4
    for height in (0, 5):
        bounds = BOUNDS + np.array((0, height, 0), np.float32)
        assert texts("mesh/stale-bounds", skinned(weights, skeleton=raised, bounds=bounds)) == []
    bounds = BOUNDS + np.array((0, 9, 0), np.float32)
    assert len(texts("mesh/stale-bounds", skinned(weights, skeleton=raised, bounds=bounds))) == 1
