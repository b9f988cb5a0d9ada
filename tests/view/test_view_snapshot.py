"""A snapshot poses the model as the State does, at any time."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from msgspec.structs import replace

from tests.synthetic import opened_with_two_clips, skeleton_of
from viewer.scene.camera import Orbit
from viewer.scene.display import ModelDisplay
from viewer.session.state import State
from viewer.view.view_snapshot import billboard_axes


def test_the_pose_is_that_of_the_time(tmp_path: Path) -> None:
    state = opened_with_two_clips(tmp_path)
    state.playback.choose(state.playback.animations[0])
    view = state.snapshot()
    state.view.clock.seek(0.5)
    shown, posed = state.playback.posed(), view.pose(0.5)
    assert shown is not None and posed is not None
    assert (posed.world == shown.world).all()
    first = view.pose(0.0)
    assert first is not None and (first.world != shown.world).any()


def test_it_keeps_what_plays(tmp_path: Path) -> None:
    state = opened_with_two_clips(tmp_path)
    state.playback.choose(state.playback.animations[0])
    view = state.snapshot()
    state.playback.choose(None)
    assert [each.animation for each in view.playback.playlist] == [state.playback.animations[0]]


def test_only_billboards_turn_to_the_camera() -> None:
    skeleton = skeleton_of(2)
    turned = replace(skeleton, billboards=np.array((0, 1), np.uint8))
    assert billboard_axes(skeleton, None, ModelDisplay(), Orbit()) is None
    axes = billboard_axes(turned, None, ModelDisplay(), Orbit(yaw=0.0, pitch=0.0))
    assert axes is not None
    np.testing.assert_allclose(axes, np.eye(3), atol=1e-12)


def test_the_poses_of_many_times_are_those_of_each(tmp_path: Path) -> None:
    state = opened_with_two_clips(tmp_path)
    state.playback.choose(state.playback.animations[0])
    view, times = state.snapshot(), np.linspace(0, 1, 5)
    for posed, time in zip(view.poses(times), times, strict=True):
        alone = view.pose(float(time))
        assert posed is not None and alone is not None and (posed.world == alone.world).all()


def test_nothing_that_moves_has_no_poses() -> None:
    assert State().snapshot().poses([0.0, 1.0]) == [None, None]
