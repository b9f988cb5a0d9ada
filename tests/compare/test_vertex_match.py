"""The vertices of two models that belong together."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from tests.synthetic import model_of, vertex_buffer
from viewer.arrays import Array
from viewer.compare.axes_change import axes_change
from viewer.compare.geometry_pairs import geometry_pairs
from viewer.compare.vertex_match import VertexMatch, by_position, match_geometry
from viewer.scene.model import Geometry, IndexBuffer, Lod, Model, Primitive

RANDOM = np.random.default_rng(3)
PLACES = RANDOM.random((60, 3)).astype(np.float32)


def model(positions: Array, uv: Array | None = None, indices: Array | None = None) -> Model:
    """Triangles of all positions [V, 3] in order, or of some of them."""
    columns = {"position": positions.astype(np.float32)}
    if uv is not None:
        columns["uv0"] = uv.astype(np.float32)
    numbers = np.arange(len(positions)) if indices is None else indices
    lod = Lod(0.0, (0,), 0, 0, len(numbers), Primitive.TRIANGLES)
    return Model(
        "",
        vertex_buffers=(vertex_buffer(**columns),),
        index_buffers=(IndexBuffer(numbers.astype(np.uint32)),),
        geometries=(Geometry("cloth", (lod,)),),
    )


def moved(one: Model, other: Model) -> list[VertexMatch]:
    """The matches of all geometries of the first model, without those that have none."""
    axes = axes_change(one, other)
    matches = [
        match_geometry(one, number, other, partner, axes) for number, partner in geometry_pairs(one, other)
    ]
    return [match for match in matches if match is not None]


def test_vertices_in_the_same_order_belong_together() -> None:
    changed = PLACES.copy()
    changed[7] += (0, 0.25, 0)
    (match,) = moved(model(PLACES), model(changed))
    assert not match.by_position
    assert match.rows.tolist() == match.other_rows.tolist() == list(range(60))
    assert np.flatnonzero(match.distances).tolist() == [7]
    assert match.distances[7] == pytest.approx(0.25)


def test_a_model_whose_vertices_all_moved_keeps_their_order() -> None:
    (match,) = moved(model(PLACES), model(PLACES + 0.01))
    assert not match.by_position
    np.testing.assert_allclose(match.distances, 0.01 * np.sqrt(3), rtol=1e-3)


def stretched() -> Array:
    """The places, so much higher that other vertices are nearer than those of the same number."""
    return PLACES * np.array((1, 3, 1), np.float32)


def test_equal_texture_coordinates_tell_that_the_order_is_the_same() -> None:
    uv = RANDOM.random((60, 2))
    assert moved(model(PLACES), model(stretched()))[0].by_position
    assert not moved(model(PLACES, uv), model(stretched(), uv))[0].by_position
    none = np.zeros((60, 2))
    assert moved(model(PLACES, none), model(stretched(), none))[0].by_position


def test_equal_triangles_tell_that_the_order_is_the_same() -> None:
    shared = np.array([(n, n + 1, n + 2) for n in range(58)]).ravel()
    assert not moved(model(PLACES, indices=shared), model(stretched(), indices=shared))[0].by_position
    turned = shared.reshape(-1, 3)[:, ::-1].ravel()
    assert moved(model(PLACES, indices=shared), model(stretched(), indices=turned))[0].by_position


def test_vertices_in_another_order_belong_together_by_position() -> None:
    order = RANDOM.permutation(60)
    changed = PLACES[order]
    changed[4] += (0.01, 0, 0)
    (match,) = moved(model(PLACES), model(changed))
    assert match.by_position
    assert match.other_rows.tolist() == np.argsort(order).tolist()
    assert np.flatnonzero(match.distances).tolist() == [order[4]]
    assert match.distances.max() == pytest.approx(0.01, rel=1e-3)


def test_vertices_at_the_same_place_are_told_apart_by_their_texture_coordinates() -> None:
    places = np.repeat(PLACES[:20], 3, axis=0)
    uv = RANDOM.random((60, 2))
    order = RANDOM.permutation(60)
    (match,) = moved(model(places, uv), model(places[order], uv[order]))
    assert match.other_rows.tolist() == np.argsort(order).tolist()


def test_more_vertices_belong_to_the_nearest() -> None:
    (match,) = moved(model(np.concatenate((PLACES, PLACES[:5] + 1e-3))), model(PLACES))
    assert match.by_position and match.other_rows[:60].tolist() == list(range(60))
    assert match.other_rows[60:].tolist() == list(range(5))
    np.testing.assert_allclose(match.distances[60:], 1e-3 * np.sqrt(3), rtol=1e-3)


def test_vertices_that_are_not_drawn_do_not_count() -> None:
    spare = np.concatenate((PLACES + 100, PLACES))
    (match,) = moved(model(PLACES), model(spare, indices=np.arange(60, 120)))
    assert not match.by_position and not match.distances.any()
    assert match.other_rows.tolist() == list(range(60, 120))


@pytest.mark.usefixtures("any_numbers")
def test_equal_positions_that_are_not_finite_did_not_move() -> None:
    changed = PLACES.copy()
    changed[3] = np.nan, np.inf, 0
    assert not moved(model(changed), model(changed))[0].distances.any()
    assert np.flatnonzero(np.isinf(moved(model(PLACES), model(changed))[0].distances)).tolist() == [3]


def test_geometries_of_another_name_belong_together_by_their_order() -> None:
    other = model(PLACES)
    other = replace(other, geometries=(replace(other.geometries[0], name="cape"),))
    assert [(match.geometry, match.other) for match in moved(model(PLACES), other)] == [(0, 0)]


def test_a_geometry_without_vertices_has_no_match() -> None:
    assert moved(model(PLACES), model(PLACES[:0])) == []
    assert moved(model(PLACES), model_of(vertex_buffer(normal=PLACES))) == []


def test_many_vertices_in_another_order_belong_together() -> None:
    places = RANDOM.random((200_000, 3)).astype(np.float32)
    order = RANDOM.permutation(len(places))
    numbers, distances = by_position(places, places[order])
    assert not distances.any() and (order[numbers] == np.arange(len(places))).all()


def test_most_vertices_at_the_place_of_another_have_another_order() -> None:
    places = PLACES.copy()
    places[:40] *= 1e-3
    changed = places + np.array((1, 0, 0), np.float32)
    changed[:40] = places[:40][::-1]
    (match,) = moved(model(places), model(changed))
    assert match.by_position and match.other_rows[:40].tolist() == list(range(40))[::-1]
