"""Skeletons as documents: bones by handle, keys of both kinds, what is odd in them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.ogre_files import (
    opened,
)
from tests.ogre_skeletons import (
    HALF_TURN,
    NO_TURN,
    bone,
    clip,
    keys,
    listed_keys,
    parents,
    rich_skeleton,
    skeleton_bytes,
    track,
    two_bones,
)
from viewer.animation.pose import Layer
from viewer.animation.pose import pose as posed
from viewer.binary import Struct
from viewer.families.ogre import skeleton_layout as skeleton
from viewer.scene.skeleton import Skeleton


def test_a_lone_skeleton_opens_and_poses(tmp_path: Path) -> None:
    document = opened(tmp_path, rich_skeleton(), "own.skeleton")
    assert isinstance(document.content, Skeleton)
    bend = document.animations[0]
    assert (bend.keyframes, bend.targets) == (4, ("root", "tip"))
    made = posed(document.content, [Layer(bend, 0.5)])
    assert made.world[0, :, 3] == pytest.approx((1, 0, 0))


def test_tracks_are_made_when_they_are_asked_for(tmp_path: Path) -> None:
    tracks = [
        track(handle, keys((0.0, NO_TURN, (handle, 0, 0)), (1.0, NO_TURN, (2, 0, 0)))) for handle in (0, 1)
    ]
    document = opened(tmp_path, skeleton_bytes(*two_bones(), clip("walk", 1.0, *tracks)), "own.skeleton")
    (walk,) = document.animations
    assert (walk.keyframes, walk.targets) == (4, ("root", "tip"))
    assert "_tracks" not in vars(walk.tracks)
    assert [(each.target, each.path) for each in walk.tracks][:2] == [
        ("root", "rotation"),
        ("root", "position"),
    ]
    assert walk.tracks[3].values.tolist() == [[1, 0, 0], [2, 0, 0]]


def test_a_track_without_its_bone_is_told_before_tracks_are_made(tmp_path: Path) -> None:
    walk = clip("walk", 1.0, track(7, keys((0.0, NO_TURN, (0, 0, 0)))))
    document = opened(tmp_path, skeleton_bytes(*two_bones(), walk), "own.skeleton")
    assert document.report.warnings == ["animation 'walk' has a track for bone 7, which does not exist"]
    assert (document.animations[0].targets, len(document.animations[0].tracks)) == ((), 0)


def test_a_lone_skeleton_is_a_model_of_bones(tmp_path: Path) -> None:
    document = opened(tmp_path, rich_skeleton(), "own.skeleton")
    model = document.model
    assert model is not None
    assert model.skeleton is document.content
    assert not model.geometries
    assert document.model is model


def test_listed_keys_are_keys(tmp_path: Path) -> None:
    document = opened(tmp_path, rich_skeleton(), "own.skeleton")
    listed = next(each for each in document.animations if each.name == "list")
    values = {track.path: track.values.tolist() for track in listed.tracks}
    assert values["position"] == listed_keys()["translation"].tolist()
    assert values["scale"] == listed_keys()["scale"].tolist()


def test_keys_of_both_kinds_are_sorted_by_time(tmp_path: Path) -> None:
    dtype = skeleton.listed_key(Struct(flags=2))
    listed = Struct(key_count=2, flags=2, keys=np.array([(0.75, (3, 0, 0)), (0.25, (1, 0, 0))], dtype))
    mixed = track(
        0, keys((0.5, HALF_TURN, (2, 0, 0)), (0.0, NO_TURN, (0, 0, 0))), (skeleton.KEY_LIST, listed)
    )
    document = opened(tmp_path, skeleton_bytes(*two_bones(), clip("mix", 1.0, mixed)), "own.skeleton")
    tracks = {each.path: each for each in document.animations[0].tracks}
    assert tracks["position"].values[:, 0].tolist() == [0, 1, 2, 3]
    assert tracks["rotation"].values.tolist() == [
        list(NO_TURN),
        list(NO_TURN),
        list(HALF_TURN),
        list(NO_TURN),
    ]


def test_a_base_pose_is_taken_off_once(tmp_path: Path) -> None:
    base = (skeleton.BASE, Struct(animation="", time=1.0))
    moves = track(0, keys((0.0, NO_TURN, (1, 0, 0), (2, 2, 2)), (1.0, HALF_TURN, (5, 0, 0), (4, 4, 4))))
    document = opened(tmp_path, skeleton_bytes(*two_bones(), clip("based", 1.0, base, moves)), "own.skeleton")
    tracks = {each.path: each.values for each in document.animations[0].tracks}
    assert tracks["position"][:, 0].tolist() == [-4, 0]
    assert tracks["scale"][:, 0].tolist() == [0.5, 1]
    assert np.abs(tracks["rotation"][1]) == pytest.approx((0, 0, 0, 1))


def test_a_base_pose_of_scale_0_keeps_the_scale_of_the_keys(tmp_path: Path) -> None:
    base = (skeleton.BASE, Struct(animation="", time=0.0))
    moves = track(0, keys((0.0, NO_TURN, (0, 0, 0), (0, 1, 2)), (1.0, NO_TURN, (0, 0, 0), (3, 3, 3))))
    document = opened(tmp_path, skeleton_bytes(*two_bones(), clip("based", 1.0, base, moves)), "own.skeleton")
    tracks = {each.path: each.values for each in document.animations[0].tracks}
    assert tracks["scale"].tolist() == [[0, 1, 1], [3, 3, 1.5]]


def test_a_listed_key_without_a_translation_leaves_the_bone_in_its_place(tmp_path: Path) -> None:
    listed = Struct(
        key_count=1, flags=1, keys=np.array([(1.0, HALF_TURN)], skeleton.listed_key(Struct(flags=1)))
    )
    moves = track(0, keys((0.0, NO_TURN, (5, 6, 7))), (skeleton.KEY_LIST, listed))
    document = opened(tmp_path, skeleton_bytes(*two_bones(), clip("mix", 1.0, moves)), "own.skeleton")
    tracks = {each.path: each.values for each in document.animations[0].tracks}
    assert tracks["position"].tolist() == [[5, 6, 7], [0, 0, 0]]


def test_bones_find_each_other_by_handle(tmp_path: Path) -> None:
    data = skeleton_bytes(bone("tip", 7), bone("root", 3), parents((7, 3)))
    content = opened(tmp_path, data, "own.skeleton").content
    assert isinstance(content, Skeleton)
    assert content.parents.tolist() == [1, -1]


@pytest.mark.parametrize("pair", [(1, 9), (9, 1), (1, 1)])
def test_a_parent_that_makes_no_sense_leaves_a_root(tmp_path: Path, pair: tuple[int, int]) -> None:
    document = opened(tmp_path, skeleton_bytes(bone("a", 0), bone("b", 1), parents(pair)), "own.skeleton")
    assert isinstance(document.content, Skeleton)
    assert document.content.parents.tolist() == [-1, -1]
    assert document.report.warnings


def test_a_circle_of_bones_is_an_error(tmp_path: Path) -> None:
    data = skeleton_bytes(bone("a", 0), bone("b", 1), parents((0, 1), (1, 0)))
    document = opened(tmp_path, data, "own.skeleton")
    assert document.content is None
    assert "cycle" in document.report.errors[0].why


def test_a_track_for_a_bone_that_is_not_there_is_said(tmp_path: Path) -> None:
    moves = clip("walk", 1.0, track(40, keys((0.0, NO_TURN, (0, 0, 0)))))
    document = opened(tmp_path, skeleton_bytes(*two_bones(), moves), "own.skeleton")
    assert any("bone 40" in text for text in document.report.warnings)
    assert document.animations[0].targets == ()
