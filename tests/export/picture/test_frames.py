"""The pictures at several times, and where the camera stands in them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.synthetic import write_pair
from viewer.arrays import Array
from viewer.export.picture import frames
from viewer.render.renderer import Renderer
from viewer.scene.camera import MatrixCamera, Orbit
from viewer.scene.choices import CompareMode
from viewer.scene.comparison import Comparison
from viewer.session.state import State
from viewer.storage.documents import open_document
from viewer.view.camera import matrices
from viewer.view.framing import posed_bounds, posed_points

SIZE = (48, 32)


@pytest.fixture
def state(tmp_path: Path) -> State:
    """The post, which bends for a second."""
    made = State()
    made.put(open_document(str(write_pair(tmp_path))))
    made.playback.choose(made.playback.animations[0])
    return made


def pixels(drawn: Iterable[frames.Picture]) -> list[Array]:
    return [each.pixels for each in drawn]


def test_the_extent_is_that_of_all_moments(state: State) -> None:
    frame_times = [0.0, 0.25, 0.5]
    boxes = [posed_bounds(state.model, state.snapshot().pose(time)) for time in frame_times if state.model]
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
    size, frame_times = (64, 48), [number / 12 for number in range(12)]
    orbits = frames.around(Orbit(yaw=90, ortho=ortho), 12)
    cameras = frames.fitted([state.snapshot()], frame_times, orbits, size)
    assert len({camera.distance for camera in cameras}) == 1
    assert state.model is not None
    reach = []
    for time, camera in zip(frame_times, cameras, strict=True):
        points = posed_points(state.model, state.snapshot().pose(time))
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


def test_there_and_back_is_the_same_way(state: State, ctx: Any) -> None:
    """The stretch that plays, and its way back: what the window shows."""
    state.view.clock.range, state.view.clock.loop = (0.0, 0.5), "pingpong"
    renderer = Renderer(ctx)
    assert state.model is not None
    mesh = renderer.upload(state.model)
    shots = [(time, Orbit(target=(0, 0.5, 0))) for time in (0.2, 0.8, 0.45)]
    views = [state.snapshot()]
    box = frames.extent(views, [0.0])
    there, back, other = pixels(frames.pictures(renderer, [mesh], views, shots, box, (32, 24)))
    assert (np.abs(there.astype(int) - back) <= 1).all() and (there != other).any()
    mesh.release()
    renderer.release()


def test_pictures_are_drawn_one_by_one_and_leave_nothing(state: State, ctx: Any) -> None:
    renderer = Renderer(ctx)
    assert state.model is not None
    mesh = renderer.upload(state.model)
    bounds = frames.extent([state.snapshot()], [0.0, 0.5])
    camera = frames.fitted([state.snapshot()], [0.0, 0.5], [Orbit()] * 2, (32, 24))[0]
    shots = [(0.0, camera), (0.5, camera), (1.0, camera)]
    views = [state.snapshot()]
    first, bent, again = pixels(frames.pictures(renderer, [mesh], views, shots, bounds, (32, 24)))
    assert first.shape == (24, 32, 4) and (first != bent).any() and (first == again).all()
    cut_short = frames.pictures(renderer, [mesh], views, shots, bounds, (32, 24))
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
    shots = [(0.0, frames.fitted([state.snapshot()], [0.0], [Orbit()], (64, 48))[0])]
    (picture,) = pixels(frames.pictures(renderer, [mesh], [state.snapshot()], shots, bounds, (64, 48)))
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


def test_models_are_compared_at_each_moment_and_nothing_is_left(tmp_path: Path, ctx: Any) -> None:
    """The second post does not bend: they differ where the first has moved."""
    document = open_document(str(write_pair(tmp_path)))
    states = [State(), State()]
    for state in states:
        state.put(document)
    states[0].playback.choose(states[0].playback.animations[0])
    renderer = Renderer(ctx)
    assert document.model is not None
    meshes = [renderer.upload(document.model) for _ in states]
    views = [state.snapshot() for state in states]
    bounds = frames.extent(views, [0.0, 0.5])
    camera = frames.fitted(views, [0.0, 0.5], [Orbit()] * 2, SIZE)[0]
    shots = [(0.0, camera), (0.5, camera)]
    made = frames.pictures(renderer, meshes, views, shots, bounds, SIZE, Comparison(CompareMode.DIFFERENCE))
    at_rest, bent = made
    assert at_rest.pixels.shape == (32, 48, 4)
    assert at_rest.differing == 0.0 and bent.differing is not None and bent.differing > 0.005
    (side,) = frames.pictures(renderer, meshes, views, shots[:1], bounds, SIZE, Comparison(CompareMode.SIDE))
    assert side.differing is None and np.array_equal(side.pixels[:, :23], side.pixels[:, 25:])
    cut_short = frames.pictures(renderer, meshes, views, shots, bounds, SIZE, Comparison(CompareMode.SLIDER))
    next(cut_short)
    cut_short.close()
    for mesh in meshes:
        mesh.release()
    renderer.release()


def test_the_options_of_the_first_model_are_those_of_the_picture(tmp_path: Path, ctx: Any) -> None:
    pixels = beside(tmp_path, ctx, [(1.0, 0.0, 0.0, 0.5), (0.0, 0.0, 0.0, 1.0)])
    assert np.abs(pixels[0, 0].astype(int) - (255, 0, 0, 128)).max() <= 2, "the alpha is straight"


def test_the_pane_of_a_document_without_a_model_is_empty(tmp_path: Path, ctx: Any) -> None:
    black = (0.0, 0.0, 0.0, 1.0)
    for stated in (False, True):
        pixels = beside(tmp_path, ctx, [black, black], models=1, stated=stated)[..., :3]
        assert pixels[:, :23].any() and not pixels[:, 25:].any()


def beside(tmp_path: Path, ctx: Any, backgrounds: list[Any], models: int = 2, stated: bool = False) -> Array:
    """Two posts side by side, or one beside a document without a model, on these backgrounds; seen by an
    orbit or by a stated matrix.
    """
    document = open_document(str(write_pair(tmp_path)))
    states = [State(), State()]
    for number, (state, background) in enumerate(zip(states, backgrounds, strict=True)):
        if number < models:
            state.put(document)
        state.options.background, state.options.grid = background, False
    renderer = Renderer(ctx)
    assert document.model is not None
    meshes = [renderer.upload(document.model) if number < models else None for number in range(2)]
    views = [state.snapshot() for state in states]
    camera = frames.fitted(views[:1], [0.0], [Orbit()], SIZE)[0]
    if stated:
        seen = matrices(camera, document.model.to_world, SIZE, frames.extent(views[:1], [0.0]))
        camera = MatrixCamera(seen.view[:3], seen.projection)
    shots, comparison = [(0.0, camera)], Comparison(CompareMode.SIDE)
    box = frames.extent(views[:1], [0.0])
    (made,) = frames.pictures(renderer, meshes, views, shots, box, SIZE, comparison)
    for mesh in meshes:
        if mesh is not None:
            mesh.release()
    renderer.release()
    return made.pixels
