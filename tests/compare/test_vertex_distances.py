"""How far the vertices of two models are from each other."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from tests.compare.test_vertex_match import PLACES, model
from tests.synthetic import write_pair
from viewer.arrays import Array
from viewer.compare.vertex_distances import vertex_distances
from viewer.scene.model import Model
from viewer.storage.documents import open_document


def test_a_file_compared_with_itself_has_no_distances(tmp_path: Path) -> None:
    post = open_document(str(write_pair(tmp_path))).model
    assert post is not None
    found = vertex_distances(post, post)
    assert found.text == "all vertices are at equal positions" and found.models[0].vertices == 20


def test_distances_are_shares_of_the_largest_one() -> None:
    changed = PLACES.copy()
    changed[7, 1] += 0.25
    changed[9, 1] += 0.125
    found = vertex_distances(model(PLACES), model(changed))
    assert found.largest == pytest.approx(0.25)
    for each in found.models:
        shares = each.shares[0]
        assert shares is not None and shares[[7, 9, 0]] == pytest.approx([1.0, 0.5, 0.0])
        assert each.text == "2 of 60 vertices moved"
    assert found.text == "the largest distance is 0.25 units"


def test_rounding_is_no_distance() -> None:
    found = vertex_distances(model(PLACES), model(PLACES * np.float32(1 + 1e-7)))
    assert found.largest == 0 and found.text == "all vertices are at equal positions"
    assert found.models[0].text == "none of 60 vertices moved"


def test_the_distances_of_both_are_in_units_of_the_first() -> None:
    changed = PLACES * 100
    changed[7, 1] += 25
    other = replace(model(changed), to_world=np.diag((0.01, 0.01, 0.01, 1.0)))
    found = vertex_distances(model(PLACES), other)
    assert found.largest == pytest.approx(0.25, rel=1e-4)
    assert [each.moved for each in found.models] == [1, 1]
    shares = found.models[1].shares[0]
    assert shares is not None and shares[7] == pytest.approx(1.0, rel=1e-4)


def test_geometries_that_only_one_model_has_are_without_counterpart() -> None:
    one, other = model(PLACES), model(PLACES)
    more = replace(
        other,
        vertex_buffers=other.vertex_buffers * 2,
        geometries=(
            *other.geometries,
            replace(other.geometries[0], name="hat", lods=(_on_second_buffer(other),)),
        ),
    )
    found = vertex_distances(one, more)
    assert [each.unmatched for each in found.models] == [0, 60]
    assert found.models[1].text == "none of 120 vertices moved, 60 have no counterpart"
    assert found.models[1].shares[1] is None


def _on_second_buffer(other: Model) -> object:
    return replace(other.geometries[0].lods[0], streams=(1,))


def test_distances_lie_at_the_vertices_of_the_buffer() -> None:
    one = model(np.concatenate((PLACES, PLACES)), indices=np.arange(60, 120))
    shares = vertex_distances(one, model(PLACES)).models[0].shares[0]
    assert shares is not None and np.isnan(shares[:60]).all() and not shares[60:].any()


def levels(first: Array, second: Array) -> Model:
    """A model whose second level draws from a vertex buffer of its own."""
    made = model(first)
    coarse = model(second)
    lods = (made.geometries[0].lods[0], replace(coarse.geometries[0].lods[0], distance=9.0, streams=(1,)))
    geometry = replace(made.geometries[0], lods=lods)
    return replace(
        made, vertex_buffers=(*made.vertex_buffers, *coarse.vertex_buffers), geometries=(geometry,)
    )


def test_the_vertices_of_coarser_levels_have_distances_too() -> None:
    changed = PLACES.copy()
    changed[7, 1] += 0.25
    found = vertex_distances(levels(PLACES, PLACES), levels(PLACES, changed))
    for each in found.models:
        first, second = each.shares
        assert first is not None and not first.any()
        assert second is not None and np.flatnonzero(second).tolist() == [7]
        assert each.text == "none of 60 vertices moved", "those of the first level are counted"
    assert found.largest == pytest.approx(0.25)


def test_an_infinite_distance_is_not_the_largest() -> None:
    changed = PLACES.copy()
    changed[7, 1] = np.inf
    changed[9, 1] += 0.25
    found = vertex_distances(model(PLACES), model(changed))
    assert found.largest == pytest.approx(0.25) and found.models[0].moved == 2


def test_models_without_vertices_have_none_to_compare() -> None:
    found = vertex_distances(Model(""), Model(""))
    assert found.text == "no vertices to compare" and found.models[0].text == "no vertices"
