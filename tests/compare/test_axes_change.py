"""The change of axes from one model to another."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from tests.synthetic import model_of, vertex_buffer
from viewer.arrays import Array
from viewer.compare.axes_change import alignment_of, axes_change
from viewer.scene.model import Model

PLACES = (np.random.default_rng(3).random((90, 3)) * (1, 2, 3)).astype(np.float32)
LEFT_HANDED = np.diag((-1.0, 1.0, 1.0, 1.0))


def model(positions: Array, to_world: Array | None = None) -> Model:
    """Triangles of some positions [V, 3]."""
    made = model_of(vertex_buffer(position=positions.astype(np.float32)), indices=np.arange(90))
    return made if to_world is None else replace(made, to_world=to_world)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ((1, 1, 1), ""),
        ((1, 1, -1), "the Z axis is mirrored"),
        ((-1, 1, 1), "the X axis is mirrored"),
        ((0.01, 0.01, -0.01), "the Z axis is mirrored, the unit is 100 times as large"),
        ((4, 4, 4), "the unit is 0.25 times as large"),
    ],
)
def test_the_change_between_engines_is_found(change: tuple[float, ...], text: str) -> None:
    found = axes_change(model(PLACES), model(PLACES * change, LEFT_HANDED))
    assert found.text == text
    np.testing.assert_allclose(np.diag(found.matrix)[:3], 1 / np.array(change))


def test_the_way_over_viewer_space_is_one_of_the_choices() -> None:
    turned = np.array([[0.0, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 0], [0, 0, 0, 1]])
    found = axes_change(model(PLACES), model(PLACES @ turned[:3, :3], turned))
    assert found.text and np.array_equal(found.matrix, turned)


def test_models_of_one_engine_have_no_change() -> None:
    assert not axes_change(model(PLACES), model(PLACES * (1, 1, -1))).text


def test_numbers_that_are_not_finite_do_not_count() -> None:
    places = PLACES.copy()
    places[5] = np.nan, np.inf, 3e38
    assert axes_change(model(places), model(PLACES * (1, 1, -1), LEFT_HANDED)).text
    assert axes_change(model(PLACES * np.float32("nan")), model(PLACES, LEFT_HANDED)).text


def test_one_model_of_two_engines_is_aligned() -> None:
    found = alignment_of(model(PLACES), model(PLACES * (0.01, 0.01, -0.01), LEFT_HANDED))
    assert found is not None
    np.testing.assert_allclose(found.points(PLACES * (0.01, 0.01, -0.01)), PLACES, atol=1e-5)


def test_the_same_numbers_in_two_engines_are_aligned_without_a_change() -> None:
    found = alignment_of(model(PLACES), model(PLACES, LEFT_HANDED))
    assert found is not None and not found.text


def test_models_of_one_engine_and_different_models_are_not_aligned() -> None:
    assert alignment_of(model(PLACES), model(PLACES * 100)) is None
    other = np.random.default_rng(9).random((90, 3)) + 5
    assert alignment_of(model(PLACES), model(other, LEFT_HANDED)) is None
