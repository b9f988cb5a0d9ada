"""The camera follows what plays and the size of the picture, until the user moves it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from tests.synthetic import opened_with_two_clips
from viewer.app.camera import ViewFitting, aim
from viewer.scene.camera import Orbit
from viewer.scene.choices import CompareMode, UpAxis
from viewer.scene.display import Placement
from viewer.scene.items import GeometryItem, IndexItem, LodItem, VertexItem
from viewer.scene.mesh.vertices import corners
from viewer.session.comparison import find_partner, follow
from viewer.session.documents import OpenDocuments
from viewer.session.state import State
from viewer.view.camera import matrices
from viewer.view.framing import posed_points
from viewer.view.item_points import item_points

SIZE, NONE = (640, 480), (0.0, 0.0, 0.0, 0.0)


@pytest.fixture
def state(tmp_path: Path) -> State:
    """A model that was just presented."""
    made = opened_with_two_clips(tmp_path)
    made.playback.choose(made.playback.animations[0])
    made.view.fitted = made.view.home = made.view.camera
    return made


def fitted(state: State, fitting: ViewFitting, size: tuple[int, int] = SIZE) -> Orbit:
    fitting.step(state, size, NONE)
    assert isinstance(state.view.camera, Orbit)
    return state.view.camera


def test_another_size_is_fitted_again(state: State) -> None:
    fitting = ViewFitting()
    wide, narrow = fitted(state, fitting), fitted(state, fitting, (100, 480))
    assert narrow.distance > wide.distance and state.view.home == narrow
    assert fitted(state, fitting) == wide


def test_another_clip_is_fitted_again(state: State) -> None:
    fitting = ViewFitting()
    first = fitted(state, fitting)
    state.playback.choose(None)
    assert fitted(state, fitting) != first


def test_the_figure_beside_the_model_is_fitted_too(state: State) -> None:
    fitting = ViewFitting()
    alone = fitted(state, fitting)
    state.options.figure = True
    assert fitted(state, fitting).distance > alone.distance
    state.options.figure = False
    assert fitted(state, fitting) == alone


def test_another_up_axis_is_fitted_again(state: State) -> None:
    fitting = ViewFitting()
    upright = fitted(state, fitting)
    assert state.model is not None
    state.view.turn_up(state.model, UpAxis.Z)
    lying = fitted(state, fitting)
    made = matrices(lying, state.view.to_world(state.model), SIZE)
    points = posed_points(state.model, state.playback.posed(), placement=Placement(UpAxis.Z))
    clipped = np.hstack((points, np.ones((len(points), 1)))) @ made.world_clip.T
    places = clipped[:, :2] / clipped[:, 3:]
    assert np.abs(places).max() < 1 and lying.distance != upright.distance
    assert state.view.home == lying


def test_a_camera_that_was_moved_stays(state: State) -> None:
    fitting = ViewFitting()
    moved = state.view.camera = fitted(state, fitting).turned(5, 0)
    state.playback.choose(None)
    assert fitted(state, fitting, (100, 480)) == moved


def test_a_camera_that_is_not_seen_is_fitted_when_it_is(state: State) -> None:
    fitting = ViewFitting()
    state.view.file_camera_number = 0
    first = state.view.camera
    fitting.step(state, SIZE, NONE)
    assert state.view.camera == first
    state.view.file_camera_number = None
    assert fitted(state, fitting) != first
    assert state.view.home == state.view.camera


def test_fitting_is_nothing_to_be_undone(state: State) -> None:
    fitting = ViewFitting()
    fitted(state, fitting)
    state.undo.watch(1.0)
    fitted(state, fitting, (100, 480))
    state.undo.watch(1.0)
    assert not state.view.history.past


def test_nothing_lies_under_the_buttons(state: State) -> None:
    state.playback.choose(None)
    aim(state, SIZE, covered=(0.0, 120.0, 0.0, 0.0))
    assert state.model is not None
    made = matrices(state.view.camera, state.model.to_world, SIZE)
    points = posed_points(state.model, state.playback.posed())
    clipped = np.hstack((points, np.ones((len(points), 1)))) @ made.world_clip.T
    heights = clipped[:, 1] / clipped[:, 3]
    assert heights.max() < 1 - 2 * 120 / 480 and heights.min() > -1
    assert np.ptp(heights) / 2 > 0.6 * 0.75


def test_only_a_geometry_that_exists_has_points(state: State) -> None:
    assert state.model is not None
    last = len(state.model.geometries) - 1
    points = item_points(state.model, state.playback.posed(), {}, GeometryItem(last))
    assert points is not None and np.ptp(points, axis=0)[1] == pytest.approx(1)
    assert item_points(state.model, state.playback.posed(), {}, GeometryItem(last + 1)) is None
    level = item_points(state.model, state.playback.posed(), {}, LodItem(last, 0))
    assert level is not None and np.array_equal(level, points)


def test_an_index_has_the_points_of_its_triangle(state: State) -> None:
    assert state.model is not None
    geometry = state.model.geometries[0]
    points = item_points(state.model, state.playback.posed(), {}, IndexItem(0, 4))
    found = corners(state.model, geometry.lods[0], 1)
    wanted = [
        item_points(state.model, state.playback.posed(), {}, VertexItem(0, int(each))) for each in found
    ]
    assert points is not None and np.allclose(
        points, np.concatenate([each for each in wanted if each is not None])
    )
    assert item_points(state.model, state.playback.posed(), {}, IndexItem(0, 1 << 20)) is None


def test_the_selected_parts_of_both_compared_models_are_framed(state: State) -> None:
    document = state.document
    assert document is not None
    state.adopt(State(OpenDocuments([replace(document, path="/somewhere/Second.mdl")])))
    state.playback.choose(None)
    state.compare(CompareMode.SIDE)
    find_partner(state)
    state.view.selection.pick_together((VertexItem(0, 0),), ())
    follow(state)
    aim(state, SIZE, selected=True)
    near = state.view.camera
    state.view.selection.pick_together((VertexItem(0, 0),), (VertexItem(0, 19),))
    follow(state)
    aim(state, SIZE, selected=True)
    assert isinstance(near, Orbit) and isinstance(state.view.camera, Orbit)
    assert state.view.camera.distance > 2 * near.distance, "both ends of the post"
