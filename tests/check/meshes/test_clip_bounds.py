"""The bounds that an engine culls a model by are compared with the poses of its clips."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from tests.checked import FLAT_BOUNDS, chain, clip, findings, skinned, square, texts, track
from viewer.scene.items import AnimationItem, GeometryItem
from viewer.scene.skeleton import Hitbox

WHOLE = ((1.0, 0, 0, 0),) * 4
TIMES, MOVED = (0, 0.5, 1), ((0, 0, 0), (0, 3, 0), (0, 0, 0))
JUMP = clip(track("a", "position", TIMES, MOVED), name="Jump")
STAY = clip(track("a", "position", (0, 1), ((0, 0, 0), (0, 0.01, 0))), name="Stay")
OGRE, WOW = "OGRE mesh", "WoW M2 model"


def test_a_clip_that_leaves_the_bounds_is_told() -> None:
    model = skinned(WHOLE, bounds=FLAT_BOUNDS)
    (found,) = findings("mesh/clip-bounds", model, STAY, JUMP, format=OGRE)
    text = "1 clip of 2 moves vertices out of the bounds: 'Jump' at 0.5 s by 3, 106.1 % of their diagonal"
    assert found.text == text and found.items == (AnimationItem(1), GeometryItem(0))
    assert texts("mesh/clip-bounds", model, STAY, format=OGRE) == []
    assert texts("mesh/clip-bounds", square(), JUMP, format=OGRE) == []


def test_bounds_without_the_rest_pose_are_told_once() -> None:
    model = skinned(WHOLE, bounds=FLAT_BOUNDS + np.array((0, 9, 0), np.float32))
    assert texts("mesh/clip-bounds", model, JUMP, format=OGRE) == []


def test_the_bounds_of_a_clip_count_in_wow() -> None:
    model, large = skinned(WHOLE, bounds=FLAT_BOUNDS), np.array(((-1, -1, 0), (1, 4, 0)), np.float32)
    assert texts("mesh/clip-bounds", model, replace(JUMP, bounds=large), format=WOW) == []
    assert len(texts("mesh/clip-bounds", model, replace(JUMP, bounds=FLAT_BOUNDS), format=WOW)) == 1
    assert texts("mesh/clip-bounds", model, JUMP, format=WOW) == []


def test_hitboxes_move_with_the_bones() -> None:
    box = Hitbox(box=FLAT_BOUNDS.astype(np.float64))
    follows, stays = chain("a", "b", hitboxes=(box, None)), chain("a", "b", hitboxes=(None, box))
    assert texts("mesh/clip-bounds", skinned(WHOLE, skeleton=follows), JUMP) == []
    apart = replace(stays, parents=np.array((-1, -1), np.int32))
    assert len(texts("mesh/clip-bounds", skinned(WHOLE, skeleton=apart), JUMP)) == 1
    for radius, found in ((1.0, 0), (0.7, 1)):
        ball = replace(apart, hitboxes=(Hitbox(radius=radius), None))
        assert len(texts("mesh/clip-bounds", skinned(WHOLE, skeleton=ball), JUMP)) == found
    assert texts("mesh/clip-bounds", skinned(WHOLE), JUMP) == []
