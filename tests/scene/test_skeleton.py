from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from viewer.errors import FormatError
from viewer.scene.maths import compose, trs_matrix
from viewer.scene.skeleton import Skeleton, bind_matrices, refuse_cycles


def skeleton_of(parents: list[int]) -> Skeleton:
    count = len(parents)
    return Skeleton(
        names=tuple(f"bone{bone}" for bone in range(count)),
        parents=np.array(parents, np.int32),
        positions=np.zeros((count, 3)),
        rotations=np.tile(np.array([0.0, 0, 0, 1]), (count, 1)),
        scales=np.ones((count, 3)),
    )


def test_bind_matrices_undo_the_rest_pose() -> None:
    parents, half = np.array([1, -1, 0]), np.sqrt(0.5)
    positions = np.array([(1.0, 0, 0), (0, 2, 0), (0, 0, 3)])
    rotations = np.array([(0, 0, half, half), (0, half, 0, half), (0, 0, 0, 1)])
    scales = np.array([(1.0, 1, 1), (2, 2, 2), (0, 1, 1)])
    made = bind_matrices(parents, positions, rotations, scales)
    local = trs_matrix(positions, rotations, scales)
    assert np.allclose(compose(made[0], compose(local[1], local[0])), np.eye(3, 4))
    assert np.allclose(compose(made[1], local[1]), np.eye(3, 4))
    assert made[2].tolist() == np.eye(3, 4).tolist(), "a scale of 0 has no inverse"


def test_a_subtree_is_the_bone_and_all_below_in_any_order() -> None:
    skeleton = skeleton_of([2, 0, -1, 0, -1, 4, 1])
    assert np.flatnonzero(skeleton.subtree(0)).tolist() == [0, 1, 3, 6]
    assert np.flatnonzero(skeleton.subtree(4)).tolist() == [4, 5]


@given(st.integers(1, 70), st.data())
def test_the_subtree_in_a_chain_is_its_end(count: int, data: st.DataObject) -> None:
    bone = data.draw(st.integers(0, count - 1))
    inside = skeleton_of(list(range(-1, count - 1))).subtree(bone)
    assert inside.tolist() == [other >= bone for other in range(count)]


@given(st.lists(st.integers(-1, 11), min_size=12, max_size=12))
def test_cycles_are_refused_and_nothing_else(parents: list[int]) -> None:
    def ends(bone: int) -> bool:
        for _ in parents:
            bone = parents[bone] if bone >= 0 else bone
        return bone < 0

    endless = [bone for bone in range(12) if not ends(bone)]
    names = tuple(f"bone{bone}" for bone in range(12))
    if not endless:
        refuse_cycles(names, np.array(parents))
        return
    with pytest.raises(FormatError, match="cycle") as caught:
        refuse_cycles(names, np.array(parents))
    assert all(f"bone{bone}" in caught.value.why for bone in endless[:5])


def test_a_bone_that_is_its_own_parent_is_a_cycle_here() -> None:
    with pytest.raises(FormatError, match="#1"):
        refuse_cycles(("a", ""), np.array([-1, 1]))


def test_no_bones_have_no_cycle() -> None:
    refuse_cycles((), np.zeros(0, np.int32))
