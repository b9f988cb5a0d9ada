from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from viewer.arrays import Array
from viewer.scene import maths
from viewer.scene.maths import IDENTITY, scale_of

FACTORS = st.floats(-1, 2).map(lambda factor: np.array([factor]))


@st.composite
def rotations(draw: st.DrawFn) -> Array:
    """A unit quaternion."""
    random = np.random.default_rng(draw(st.integers(0, 9999))).normal(size=4)
    return np.asarray(random / np.linalg.norm(random))


@st.composite
def matrices(draw: st.DrawFn) -> Array:
    """[3, 4], well away from singular."""
    random = np.random.default_rng(draw(st.integers(0, 9999)))
    rotation = maths.rotation_matrix(draw(rotations()))
    return np.concatenate((rotation * random.uniform(0.5, 2, 3), random.normal(size=(3, 1))), axis=1)


def around(axis: int, degrees: float) -> Array:
    turn = np.zeros(4)
    turn[axis], turn[3] = np.sin(np.radians(degrees) / 2), np.cos(np.radians(degrees) / 2)
    return turn


@pytest.mark.parametrize(
    ("axis", "point", "moved"),
    [(0, (0, 1, 0), (0, 0, 1)), (1, (0, 0, 1), (1, 0, 0)), (2, (1, 0, 0), (0, 1, 0))],
)
def test_a_quarter_turn_goes_from_axis_to_axis(axis: int, point: Any, moved: Any) -> None:
    assert np.allclose(maths.rotation_matrix(around(axis, 90)) @ point, moved)


@given(rotations())
def test_a_rotation_matrix_is_orthonormal_and_right_handed(rotation: Array) -> None:
    matrix = maths.rotation_matrix(rotation)
    assert np.allclose(matrix @ matrix.T, np.eye(3))
    assert np.linalg.det(matrix) == pytest.approx(1)


@given(rotations(), rotations())
def test_a_product_of_quaternions_applies_the_second_first(first: Array, second: Array) -> None:
    product = maths.rotation_matrix(maths.quaternion_product(first, second))
    assert np.allclose(product, maths.rotation_matrix(first) @ maths.rotation_matrix(second))


def test_trs_scales_then_rotates_then_moves() -> None:
    matrix = maths.trs_matrix(np.array([10.0, 0, 0]), around(2, 90), np.array([2.0, 3, 4]))
    assert np.allclose(maths.transform(matrix, np.array([1.0, 0, 0])), (10, 2, 0))


@given(matrices(), matrices())
def test_compose_applies_the_second_first(first: Array, second: Array) -> None:
    point = np.array([1.0, 2, 3])
    one_by_one = maths.transform(first, maths.transform(second, point))
    assert np.allclose(maths.transform(maths.compose(first, second), point), one_by_one)


@given(matrices())
def test_a_matrix_and_its_inverse_cancel(matrix: Array) -> None:
    assert np.allclose(maths.compose(matrix, maths.invert(matrix)), IDENTITY, atol=1e-9)


def test_a_flat_matrix_has_no_inverse() -> None:
    with pytest.raises(np.linalg.LinAlgError):
        maths.invert(np.zeros((3, 4)))


@given(rotations(), st.floats(0.1, 10))
def test_a_quaternion_and_its_inverse_cancel(rotation: Array, length: float) -> None:
    scaled = rotation * length
    assert np.allclose(maths.quaternion_product(scaled, maths.quaternion_inverse(scaled)), (0, 0, 0, 1))


def test_the_inverse_of_no_rotation_at_all_is_the_identity() -> None:
    assert maths.quaternion_inverse(np.zeros((2, 4))).tolist() == [[0, 0, 0, 1]] * 2


def test_normalise_leaves_no_length_alone() -> None:
    assert maths.normalise(np.array([[3.0, 0, 4], [0, 0, 0]])).tolist() == [[0.6, 0, 0.8], [0, 0, 0]]


@pytest.mark.parametrize(("factor", "degrees"), [(0, 10), (0.25, 20), (1, 50), (-0.5, -10), (1.5, 70)])
def test_slerp_turns_evenly_also_past_its_ends(factor: float, degrees: float) -> None:
    made = maths.slerp(around(2, 10), around(2, 50), np.array([factor]))
    assert np.allclose(made, around(2, degrees))


@given(rotations(), rotations(), FACTORS)
def test_slerp_takes_the_shorter_way_whatever_the_sign(first: Array, second: Array, factor: Array) -> None:
    assert np.allclose(maths.slerp(first, second, factor), maths.slerp(first, -second, factor))


def test_slerp_of_almost_equal_rotations_is_linear() -> None:
    first, second = around(2, 10), around(2, 10.05)
    made = maths.slerp(first, second, np.array([0.5]))
    assert (made == 0.5 * first + 0.5 * second).all()


@given(rotations(), FACTORS)
def test_slerp_between_equal_rotations_stays(rotation: Array, factor: Array) -> None:
    assert np.allclose(maths.slerp(rotation, rotation, factor), rotation)


def test_slerp_does_not_normalise() -> None:
    assert maths.slerp(2 * around(2, 0), 2 * around(2, 0), np.array([0.5])).tolist() == [0, 0, 0, 2]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_precision_of_the_input_is_kept(dtype: Any) -> None:
    rotation = np.zeros((5, 4), dtype)
    vector = np.ones((5, 3), dtype)
    matrix = maths.trs_matrix(vector, rotation, vector)
    made = (
        matrix,
        maths.compose(matrix, matrix),
        maths.transform(matrix, vector),
        maths.invert(matrix),
        maths.quaternion_product(rotation, rotation),
        maths.quaternion_inverse(rotation),
        maths.normalise(rotation),
        maths.slerp(rotation, rotation, np.zeros((5, 1), dtype)),
    )
    assert {array.dtype for array in made} == {np.dtype(dtype)}


def test_many_are_worked_out_as_each_alone() -> None:
    random = np.random.default_rng(3)
    position, rotation, scale = (random.normal(size=(2, 5, width)) for width in (3, 4, 3))
    many = maths.trs_matrix(position, rotation, scale)
    assert np.allclose(many[1, 3], maths.trs_matrix(position[1, 3], rotation[1, 3], scale[1, 3]))


@pytest.mark.parametrize("values", [[], [3], [2, 2], [3, 1, 2, 3, 1], [[4, 0], [0, 4]]])
def test_distinct_values_are_those_of_numpy(values: list[Any]) -> None:
    assert maths.distinct(np.array(values, int)).tolist() == np.unique(np.array(values, int)).tolist()


def test_the_corners_of_points_are_those_of_their_box() -> None:
    points = np.array(((1, 5, -2), (3, 4, 0), (2, 9, -7)), np.float32)
    assert maths.corners_of(points).tolist() == [[1, 4, -7], [3, 9, 0]]
    assert maths.corners_of(points).dtype == np.float32


def test_the_scale_of_a_matrix_is_a_length_whatever_it_turns_mirrors_or_moves() -> None:
    turned = np.array(((0.0, -5, 0, 9), (5, 0, 0, 9), (0, 0, -5, 9)))
    assert scale_of(turned) == pytest.approx(5) and scale_of(np.diag((1.0, 1, 0))) == 0
