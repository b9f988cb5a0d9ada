"""Ghosts and trails: the times of ghosts, and the paths of bones and attachments."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.animation.bones import skeleton_of
from tests.synthetic import opened_with_two_clips
from viewer.animation.clock import Clock
from viewer.animation.pose import Layer
from viewer.arrays import Array
from viewer.scene.animation import Animation, Track
from viewer.scene.choices import Ghosts
from viewer.scene.items import AttachmentItem, BoneItem, GeometryItem
from viewer.scene.model import Attachment, Model
from viewer.session.state import State
from viewer.view.motion_marks import Trail, ghost_times, motion_marks, trail_points, trails
from viewer.view.playlist import Playback, PlaylistEntry

BONES = skeleton_of([-1, 0])


def walk(*times: float) -> Animation:
    """The bone a moves by 1 along x in each second, with keys at these times."""
    values = np.array([(time, 0, 0) for time in times], np.float32)
    track = Track("a", "position", np.array(times, np.float32), values)
    return Animation("Walk", float(np.nanmax(times)), (track,), ("a",))


WALK = walk(0.0, 0.5, 2.0)


def trail(clip: Animation = WALK, bone: int = 0, span: tuple[float, float] = (0.0, 2.0)) -> Trail | None:
    points = trail_points(None, BONES, {BoneItem(bone)})
    return next(iter(trails(BONES, (Layer(clip, 0.3),), points, span, 10.0)), None)


def along(points: Array) -> list[float]:
    """How far the points of the bone a are along x."""
    return [round(float(each), 4) for each in points[:, 0]]


def test_a_trail_has_a_point_at_each_frame_and_at_each_key() -> None:
    made = trail()
    assert made is not None
    assert along(made.frames) == [round(each / 10, 1) for each in range(21)]
    assert along(made.keys) == [0.0, 0.5, 2.0]


def test_a_trail_ends_with_the_playback_range() -> None:
    made = trail(span=(0.4, 1.05))
    assert made is not None
    assert along(made.frames) == [0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.05] and along(made.keys) == [0.5]


def test_a_bone_without_keys_has_the_trail_of_the_bone_above() -> None:
    made = trail(bone=1)
    assert made is not None
    assert len(made.keys) == 0 and np.ptp(made.frames[:, 0]) == pytest.approx(2.0)


def test_a_clip_without_length_has_no_trail() -> None:
    assert trail(walk(0.0), span=(0.0, 0.0)) is None


def test_keys_at_broken_times_are_left_out() -> None:
    made = trail(walk(0.0, np.nan, 1.0), span=(0.0, 1.0))
    assert made is not None and len(made.keys) == 2


def test_an_attachment_has_a_trail_at_its_position() -> None:
    model = Model("m", skeleton=BONES, attachments=(Attachment(1, "Hand", 0, (0.0, 0.0, 3.0)),))
    points = trail_points(model, BONES, {AttachmentItem(0), AttachmentItem(7), GeometryItem(0), BoneItem(9)})
    (made,) = trails(BONES, (Layer(WALK, 0.0),), points, (0.0, 2.0), 10.0)
    assert np.ptp(made.frames[:, 0]) == pytest.approx(2.0) and np.allclose(made.frames[:, 2], 3.0)


def played(ghosts: Ghosts, time: float, **clock: object) -> list[float]:
    playback = Playback((PlaylistEntry(WALK),), Clock(**clock))  # type: ignore[arg-type]
    return [round(each, 4) for each in ghost_times(ghosts, playback, BONES, (0,), time)]


def test_ghosts_are_before_and_after_the_time() -> None:
    assert played(Ghosts(2, 0.25), 1.0) == [0.5, 0.75, 1.25, 1.5]
    assert played(Ghosts(1, 0.5), 7.75) == [7.25, 8.25]


def test_a_clip_that_ends_has_no_ghosts_outside() -> None:
    assert played(Ghosts(2, 0.25), 0.25, loop="once") == [0.0, 0.5, 0.75]


def test_ghosts_at_keys_are_at_the_other_keys_of_the_bone() -> None:
    assert played(Ghosts(keys=True), 0.5) == [0.0, 2.0]
    assert played(Ghosts(keys=True), 4.6) == [4.0, 4.5, 6.0]
    assert played(Ghosts(keys=True), 3.0, loop="pingpong") == [2.0, 3.5, 4.0], "1 s is shown, backwards"
    assert ghost_times(Ghosts(keys=True), Playback((PlaylistEntry(WALK),), Clock()), BONES, (), 0.5) == []


def opened(folder: Path) -> State:
    state = opened_with_two_clips(folder)
    state.playback.choose(state.playback.animations[0])
    return state


def test_they_are_made_again_only_if_something_changes(tmp_path: Path) -> None:
    state = opened(tmp_path)
    state.options.ghosts, state.view.trails = Ghosts(1, 0.25), frozenset({BoneItem(0)})
    view = state.live_view
    marks = motion_marks(view.last_pose)
    assert marks is motion_marks(state.live_view.last_pose)
    ghosts, paths = marks.ghosts(view, 0.5), marks.trails(view)
    assert [each.offset for each in ghosts] == [-0.25, 0.25] and len(paths) == 1
    assert marks.ghosts(state.live_view, 0.5) is ghosts and marks.trails(state.live_view) is paths
    assert marks.ghosts(view, 0.6) is not ghosts and marks.trails(view) is paths
    state.view.trails = frozenset()
    assert marks.trails(state.live_view) == ()
    earlier = view.pose(0.25)
    assert earlier is not None and (ghosts[0].pose.world == earlier.world).all()


def test_the_rest_pose_has_neither(tmp_path: Path) -> None:
    state = opened(tmp_path)
    state.options.ghosts, state.view.trails = Ghosts(1), frozenset({BoneItem(0)})
    state.playback.choose(None)
    view = state.live_view
    marks = motion_marks(view.last_pose)
    assert marks.ghosts(view, 0.0) == () and marks.trails(view) == ()
