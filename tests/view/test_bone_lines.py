"""The lines of bones: a bone without children has a stub that turns with it."""

from __future__ import annotations

import numpy as np
import pytest

from tests.animation.bones import skeleton_of, still, turn
from viewer.animation.pose import Layer, pose, rest
from viewer.view.bone_lines import bone_lines, bone_vectors

BONES = skeleton_of([-1, 0])


def test_in_the_rest_pose_a_stub_continues_the_direction_from_the_parent() -> None:
    world = rest(BONES).world
    owners, heads, tails = bone_lines(BONES, world)
    np.testing.assert_allclose(
        (tails - heads)[owners == 1], bone_vectors(BONES.parents, world)[1][1:], atol=1e-6
    )


def test_a_stub_turns_with_its_bone() -> None:
    before, after = rest(BONES), pose(BONES, [Layer(still(b_rotation=turn(100)), 0.0)])
    vectors = []
    for each in (before, after):
        owners, heads, tails = bone_lines(BONES, each.world)
        vectors.append((tails - heads)[owners == 1][0])
    one, other = vectors
    cosine = one @ other / (np.linalg.norm(one) * np.linalg.norm(other))
    assert np.degrees(np.arccos(cosine)) == pytest.approx(90, abs=0.1), "from 10 to 100 degrees"


def test_a_bone_without_size_has_no_error() -> None:
    flat = skeleton_of([-1, 0], scales=np.zeros((2, 3), np.float32))
    assert np.isfinite(bone_lines(flat, rest(flat).world)[2]).all()
