"""Lengths in the unit of the file and in metres."""

from __future__ import annotations

import numpy as np

from tests.quads import quad
from viewer.scene.model import Model
from viewer.view.lengths import dimensions, metres_per_unit, true_bounds


def test_true_bounds_hold_the_used_vertices() -> None:
    assert np.allclose(true_bounds(quad(), None, {}), [[-1, -1, 0], [1, 1, 0]])


def test_dimensions_are_in_the_unit_of_the_file_and_in_metres() -> None:
    found = dimensions(quad(unit="yards", metres=0.5, to_world=np.diag((2.0, 2.0, 2.0, 1.0))))
    assert found is not None
    assert found.text == "2 × 2 × 0 yards" and found.metric == "2 × 2 × 0 m"


def test_a_mirrored_model_has_the_same_lengths() -> None:
    assert metres_per_unit(quad(to_world=np.diag((-1.0, 1.0, 1.0, 1.0)))) == 1.0


def test_a_model_without_vertices_has_no_dimensions() -> None:
    assert dimensions(Model("empty")) is None


def test_lengths_of_an_unknown_unit_are_not_converted() -> None:
    found = dimensions(quad())
    assert found is not None and found.name == "units" and found.metres == ()
