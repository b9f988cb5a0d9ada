"""Which frames a sequence has, and where the camera stands in them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.synthetic import animation_bytes, write_pair
from viewer.export.picture import frames
from viewer.export.picture.frames import FrameShot
from viewer.render.renderer import Renderer
from viewer.scene.camera import Orbit
from viewer.session.state import State
from viewer.storage.documents import open_document
from viewer.view.camera import matrices
from viewer.view.framing import posed_bounds, posed_points


@pytest.fixture
def state(tmp_path: Path) -> State:
    """The post, which bends for a second."""
    made = State()
    made.put(open_document(str(write_pair(tmp_path))))
    made.playback.choose(made.playback.animations[0])
    return made


def test_a_loop_is_as_long_as_the_longest_animation(state: State) -> None:
    assert frames.length(state.snapshot(), turntable=False) == 1.0


def test_nothing_moves_in_the_rest_pose(state: State) -> None:
    state.playback.choose(None)
    assert frames.length(state.snapshot(), turntable=False) == 0.0
    assert frames.length(state.snapshot(), turntable=True) == frames.TURN


@pytest.mark.parametrize(("duration", "seconds"), [(1.0, 4.0), (1.5, 4.5), (4.0, 4.0), (7.0, 7.0)])
def test_a_turn_takes_whole_loops(duration: float, seconds: float, tmp_path: Path) -> None:
    path = write_pair(tmp_path)
    (tmp_path / "Post_Bend.ani").write_bytes(animation_bytes(length=duration))
    state = State()
    state.put(open_document(str(path)))
    state.playback.choose(state.playback.animations[0])
    assert frames.length(state.snapshot(), turntable=True) == pytest.approx(seconds)


def test_the_frame_that_would_begin_anew_is_left_out() -> None:
    assert frames.frame_numbers(1.0, 30) == range(30)
    assert frames.times(range(2, 5), 10, 0.5) == pytest.approx([0.7, 0.8, 0.9])


def test_without_a_seam_frames_are_spread_over_the_loop(state: State) -> None:
    shown, pace = frames.endless(state.snapshot(), range(13), 12.6)
    assert (shown.display.effects.period, pace) == (1.0, 13.0)
    assert state.view.effects.period == 0.0, "the State in use stays as it is"
    assert frames.endless(state.snapshot(), range(13), 12.6, all_frames=False)[1] == 12.6


def test_where_nothing_moves_a_film_is_its_own_loop(state: State) -> None:
    state.playback.choose(None)
    assert frames.endless(state.snapshot(), range(30), 10.0)[0].display.effects.period == 3.0


def test_the_extent_is_that_of_all_moments(state: State) -> None:
    frame_times = [0.0, 0.25, 0.5]
    boxes = [posed_bounds(state.model, state.playback.posed(time)) for time in frame_times if state.model]
    whole = frames.extent([state.snapshot()], frame_times)
    assert (whole[0] == np.min([box[0] for box in boxes], axis=0)).all()
    assert (whole[1] == np.max([box[1] for box in boxes], axis=0)).all()
    assert (whole != boxes[0]).any()


def test_the_cameras_close_the_circle() -> None:
    orbit = Orbit(yaw=350.0)
    cameras = frames.around(orbit, 8)
    steps = np.diff([*(camera.yaw for camera in cameras), cameras[0].yaw + 360])
    assert cameras[0] == orbit and steps == pytest.approx([45.0] * 8)


@pytest.mark.parametrize("ortho", [False, True])
def test_the_whole_circle_has_the_model_in_the_picture(ortho: bool, state: State) -> None:
    size, frame_times = (64, 48), frames.times(range(12), 12)
    orbits = frames.around(Orbit(yaw=90, ortho=ortho), 12)
    cameras = frames.fitted([state.snapshot()], frame_times, orbits, size)
    assert len({camera.distance for camera in cameras}) == 1
    assert state.model is not None
    reach = []
    for time, camera in zip(frame_times, cameras, strict=True):
        points = posed_points(state.model, state.playback.posed(time))
        corners = np.hstack((points, np.ones((len(points), 1))))
        clip = corners @ matrices(camera, np.eye(4), size).world_clip.T
        reach.append(float(np.abs(clip[:, :2] / clip[:, 3:]).max()))
    assert 0.8 < max(reach) <= 1.0


def test_a_single_picture_has_the_camera_of_the_clip_or_of_its_moment(state: State) -> None:
    """The post bends during its clip, and begins upright."""
    view, size = state.snapshot(), (64, 48)
    whole, moment = (
        frames.fitted([view], [0.0], [Orbit()], size, whole_clip=each)[0] for each in (True, False)
    )
    state.playback.choose(None)
    assert moment == frames.fitted([state.snapshot()], [0.0], [Orbit()], size)[0] != whole


def test_there_and_back_is_a_loop(state: State, ctx: Any) -> None:
    """The stretch that plays, and its way back: what the window shows."""
    state.view.clock.range, state.view.clock.loop = (0.0, 0.5), "pingpong"
    assert frames.length(state.snapshot()) == 1.0
    renderer = Renderer(ctx)
    assert state.model is not None
    mesh = renderer.upload(state.model)
    shots = [FrameShot(time, Orbit(target=(0, 0.5, 0))) for time in (0.2, 0.8, 0.45)]
    there, back, other = frames.pictures(renderer, mesh, state.snapshot(), shots, None, (32, 24))
    assert (np.abs(there.astype(int) - back) <= 1).all() and (there != other).any()
    mesh.release()
    renderer.release()


def test_pictures_are_drawn_one_by_one_and_leave_nothing(state: State, ctx: Any) -> None:
    renderer = Renderer(ctx)
    assert state.model is not None
    mesh = renderer.upload(state.model)
    bounds = frames.extent([state.snapshot()], [0.0, 0.5])
    camera = frames.fitted([state.snapshot()], [0.0, 0.5], [Orbit()] * 2, (32, 24))[0]
    shots = [FrameShot(0.0, camera), FrameShot(0.5, camera), FrameShot(1.0, camera)]
    first, bent, again = frames.pictures(renderer, mesh, state.snapshot(), shots, bounds, (32, 24))
    assert first.shape == (24, 32, 4) and (first != bent).any() and (first == again).all()
    cut_short = frames.pictures(renderer, mesh, state.snapshot(), shots, bounds, (32, 24))
    next(cut_short)
    cut_short.close()
    mesh.release()
    renderer.release()


def test_alpha_is_straight_where_the_background_lets_through(state: State, ctx: Any) -> None:
    state.options.background, state.options.grid, state.options.axes = (0.0, 0.0, 0.0, 0.0), False, False
    renderer = Renderer(ctx)
    assert state.model is not None
    mesh = renderer.upload(state.model)
    bounds = frames.extent([state.snapshot()], [0.0])
    shots = [FrameShot(0.0, frames.fitted([state.snapshot()], [0.0], [Orbit()], (64, 48))[0])]
    (picture,) = frames.pictures(renderer, mesh, state.snapshot(), shots, bounds, (64, 48))
    edge = picture[(picture[..., 3] > 0) & (picture[..., 3] < 255)]
    inside = picture[picture[..., 3] == 255]
    assert len(edge) and edge[:, :3].mean() > 0.6 * inside[:, :3].mean()
    mesh.release()
    renderer.release()


def test_a_snapshot_does_not_follow_the_user(state: State) -> None:
    taken = state.snapshot()
    state.view.morphs[0] = 1.0
    state.options.grid = False
    state.view.clock.seek(3.0)
    state.playback.choose(None)
    assert taken.display.morphs == {} and taken.options.grid and taken.playback.playlist
    assert taken.playback.clock.time == 0.0
