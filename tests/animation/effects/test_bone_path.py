"""Baked frames against the pose at the same times."""

from __future__ import annotations

from pathlib import Path as File
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

import tests.wow  # noqa: F401
from tests import m2_files
from tests.opened import opened_file
from viewer.animation.effects.bone_path import (
    WINDOW,
    BonePath,
    bone_motion,
    follow_share,
    path,
    turned_offset,
    window,
)
from viewer.animation.pose import Layer, pose
from viewer.budget import BUDGET
from viewer.families.wow.m2.load import load_model
from viewer.scene.animation import Animation
from viewer.scene.emitter import Emitter
from viewer.scene.maths import compose

MOMENTS = np.array((-0.3, 0.0, 0.2, 0.5, 0.99, 1.3, 2.75, 3600.1))
VIEW = np.array(((0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)))
OFFSET = turned_offset(Emitter("plane", 0, (0.5, 1.0, 2.0), 0, 4))


def model() -> Any:
    document = load_model(opened_file(File("made.m2"), m2_files.model(m2_files.CLASSIC)))
    assert document.model is not None
    return document.model.skeleton, document.animations


def mixed(found: BonePath, time: float) -> np.ndarray:
    own = found.stretch.fold(time)[0]
    flat = found.frames.reshape(len(found.times), 12)
    return np.array([np.interp(own, found.times, column) for column in flat.T]).reshape(3, 4)


@pytest.mark.parametrize("looped", [True, False])
@pytest.mark.parametrize("bone", [0, 1, 2])
def test_frames_are_those_of_the_pose(bone: int, looped: bool) -> None:
    skeleton, animations = model()
    found = path(bone_motion(skeleton, bone, [Layer(animations[0], 0.0, looped=looped)]), OFFSET)
    for time in (-0.7, 0.013, 0.33, 0.77, 0.999, 1.4, 25.61):
        expected = compose(pose(skeleton, [Layer(animations[0], time, looped=looped)]).skin[bone], OFFSET)
        np.testing.assert_allclose(mixed(found, time), expected, atol=2e-3)


def test_a_still_bone_has_one_frame() -> None:
    found = path(bone_motion(model()[0], 2, []), OFFSET)
    assert len(found.times) == 1
    np.testing.assert_allclose(found.frames[0], compose(pose(model()[0]).skin[2], OFFSET))


def test_no_bone_leaves_the_offset() -> None:
    np.testing.assert_allclose(path(None, OFFSET).frames, OFFSET[None])


def test_an_emitters_x_lies_along_the_models_y() -> None:
    np.testing.assert_allclose(OFFSET @ (1, 0, 0, 1), (0.5, 2.0, 2.0))
    np.testing.assert_allclose(OFFSET @ (0, 1, 0, 1), (-0.5, 1.0, 2.0))


def test_what_follows_goes_its_share_of_the_way() -> None:
    skeleton, animations = model()
    found = path(bone_motion(skeleton, 0, [Layer(animations[0], 0.0)]), OFFSET, ((0.0, 0.5), (1.0, 0.5)))
    np.testing.assert_allclose(found.drift[-1], (0, 0, 0.5), atol=1e-5)
    np.testing.assert_allclose(found.carried(0.5), (0, 0, 0.25), atol=1e-5)


def test_the_share_lies_on_a_line_between_two_speeds() -> None:
    speeds = np.array((0.0, 2.5, 4.75, 7.0, 90.0))
    found = follow_share(((2.5, 0.7), (7.0, 0.9)), speeds)
    np.testing.assert_allclose(found, (0.7 - 2.5 * 0.2 / 4.5, 0.7, 0.8, 0.9, 1.0))


def unmeeting() -> Any:
    """A clip of a second, and a loop of its own that meets it again after 12 minutes."""
    skeleton, (stand, *_) = model()
    tracks = [replace(track, period=0.731) if track.path == "rotation" else track for track in stand.tracks]
    clip = Animation("odd", 1.0, tuple(tracks), stand.targets, composition=stand.composition)
    return skeleton, clip


@pytest.mark.parametrize("now", [0.0, 29.9, 30.1, 1000.3, 360000.7])
def test_loops_that_do_not_meet_are_baked_around_a_time(now: float) -> None:
    skeleton, clip = unmeeting()
    found = path(bone_motion(skeleton, 2, [Layer(clip, 0.0)]), OFFSET, around=(now, 2.5))
    assert not found.stretch.exact
    for time in (now - 2.5, now - 1.03, now):
        expected = compose(pose(skeleton, [Layer(clip, time)]).skin[2], OFFSET)
        np.testing.assert_allclose(mixed(found, time), expected, atol=2e-3)


def test_all_times_of_a_window_have_the_same_frames() -> None:
    skeleton, clip = unmeeting()
    one, other = (
        path(bone_motion(skeleton, 2, [Layer(clip, 0.0)]), OFFSET, around=(time, 2.0))
        for time in (61.0, 88.0)
    )
    assert one.stretch == other.stretch
    np.testing.assert_array_equal(one.frames, other.frames)


@pytest.mark.parametrize(
    ("before", "kept"), [(-1.0, 0.0), (0.0, 0.0), (0.5, 0.5), (1e9, BUDGET.curve_seconds)]
)
def test_a_window_begins_as_long_before_as_is_asked_for_within_limits(before: float, kept: float) -> None:
    found = window(2.5 * WINDOW, before)
    assert (found.start, found.seconds) == (2 * WINDOW - kept, WINDOW + kept)


@pytest.mark.parametrize("looped", [True, False])
@pytest.mark.parametrize("bone", range(4))
@pytest.mark.parametrize("second", [None, (0.5, False), (1.0, True), (0.25, True)])
def test_the_skin_matrices_are_those_of_the_pose(
    bone: int, looped: bool, second: tuple[float, bool] | None
) -> None:
    document = load_model(opened_file(File("made.m2"), m2_files.model(m2_files.CLASSIC)))
    assert document.model is not None and document.model.skeleton is not None
    skeleton, (stand, walk) = document.model.skeleton, document.animations

    def layers(time: float) -> list[Layer]:
        found = [Layer(stand, time, looped=looped)]
        return found if second is None else [*found, Layer(walk, time, second[0], second[1], looped)]

    made = bone_motion(skeleton, bone, layers(0.0))
    assert made is not None
    ours = made.skin(MOMENTS, VIEW)
    expected = [pose(skeleton, layers(float(time)), VIEW).skin[bone] for time in MOMENTS]
    np.testing.assert_allclose(ours, expected, atol=1e-9)


def test_a_bone_that_does_not_exist_has_no_bone_motion() -> None:
    document = load_model(opened_file(File("made.m2"), m2_files.model(m2_files.CLASSIC)))
    assert document.model is not None
    assert bone_motion(document.model.skeleton, 4, ()) is None
    assert bone_motion(None, 0, ()) is None
