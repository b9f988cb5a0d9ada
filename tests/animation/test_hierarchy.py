from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from viewer.animation.hierarchy import hierarchy
from viewer.arrays import Array
from viewer.scene.maths import IDENTITY, compose


def naive(parents: Array, local: Array) -> Array:
    """Each bone's way up to its root, one matrix at a time."""
    world = local.copy()
    for bone, above in enumerate(parents):
        while above >= 0:
            world[bone] = compose(local[above], world[bone])
            above = parents[above]
    return world


@st.composite
def _trees(draw: st.DrawFn) -> Array:
    """Parents of up to 40 bones: several roots, children before their parents."""
    count = draw(st.integers(1, 40))
    above = [draw(st.integers(-1, bone - 1)) for bone in range(count)]
    order = np.random.default_rng(draw(st.integers(0, 999))).permutation(count)
    parents = np.full(count, -1, np.int32)
    parents[order] = [-1 if parent < 0 else order[parent] for parent in above]
    return parents


@given(_trees())
def test_any_tree_in_any_order_equals_the_way_up_bone_by_bone(parents: Array) -> None:
    local = np.random.default_rng(len(parents)).normal(size=(len(parents), 2, 3, 4)) / 2
    assert np.allclose(hierarchy(parents).world(local), naive(parents, local), atol=1e-9)


@given(_trees())
def test_identities_stay_identities(parents: Array) -> None:
    local = np.tile(IDENTITY, (len(parents), 3, 1, 1))
    assert (hierarchy(parents).world(local) == local).all()


@pytest.mark.parametrize("count", [1, 2, 3, 64, 65, 200])
def test_a_chain_adds_up(count: int) -> None:
    local = np.tile(IDENTITY, (count, 1, 1, 1))
    local[..., 0, 3] = 1
    world = hierarchy(np.arange(count) - 1).world(local)
    assert world[:, 0, 0, 3].tolist() == list(range(1, count + 1))


def test_the_local_matrices_are_left_alone() -> None:
    local = np.random.default_rng(0).normal(size=(3, 1, 3, 4))
    before = local.copy()
    hierarchy(np.array([-1, 0, 1])).world(local)
    assert (local == before).all()


def test_no_bones_are_no_matrices() -> None:
    assert hierarchy(np.zeros(0, np.int32)).world(np.zeros((0, 1, 3, 4))).shape == (0, 1, 3, 4)
