"""Numbers as glTF takes them."""

from __future__ import annotations

import json

import numpy as np
import pytest

from viewer.export.gltf.numbers import decomposed, finite, inverted, plain, quaternions, unit_rotations
from viewer.scene.maths import rotation_matrix, trs_matrix


@pytest.mark.usefixtures("any_numbers")
def test_numbers_that_are_not_finite_become_zero() -> None:
    assert finite(np.array([np.nan, np.inf, 1e300, 2.0])).tolist() == [0, 0, 0, 2]


def test_json_numbers_are_short_and_the_same_f32() -> None:
    (number,) = plain([np.float32(0.1)])
    assert json.dumps(number) == "0.100000001" and np.float32(number) == np.float32(0.1)


def test_rotations_have_length_1_even_without_one() -> None:
    found = unit_rotations(np.array([[0, 0, 0, 0], [0, 0, 2, 0], [np.nan, 0, 0, 1]], float))
    assert found.tolist() == [[0, 0, 0, 1], [0, 0, 1, 0], [0, 0, 0, 1]]


def test_quaternions_of_any_turn() -> None:
    random = np.random.default_rng(3)
    turns = unit_rotations(random.normal(size=(200, 4)))
    turns[:4] = np.eye(4)
    found = quaternions(rotation_matrix(turns))
    assert np.abs(np.abs(np.sum(found * turns, axis=1)) - 1).max() < 1e-12


def test_matrices_are_taken_apart_mirrored_ones_too() -> None:
    random = np.random.default_rng(4)
    rotations = unit_rotations(random.normal(size=(50, 4)))
    positions = random.normal(size=(50, 3))
    scales = random.uniform(0.5, 2, (50, 3)) * (1, 1, -1)
    matrices = trs_matrix(positions, rotations, scales)
    assert np.allclose(trs_matrix(*decomposed(matrices)), matrices)


def test_flat_matrices_have_the_nearest_inverse() -> None:
    matrices = np.zeros((2, 3, 4))
    matrices[:, :, :3], matrices[:, :, 3] = np.diag((2.0, 1.0, 1.0)), (2.0, 0.0, 0.0)
    matrices[1, 2, 2] = 0
    found = inverted(matrices)
    assert np.allclose(found[0] @ (2, 0, 0, 1), 0) and np.allclose(found[1][:2] @ (2, 0, 5, 1), 0)


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf, 3e38])
def test_a_flat_matrix_beside_one_without_numbers_is_inverted(number: float) -> None:
    matrices = np.zeros((2, 3, 4))
    matrices[0] = number
    assert np.isfinite(inverted(matrices)).all()
