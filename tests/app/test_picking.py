"""The whole program: the mouse over the picture, and what the panels then show."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.desktop import state_without_multisampling, unrasterized
from tests.synthetic import write_pair
from viewer.actions import ACTIONS_BY_NAME
from viewer.animation.pose import moves
from viewer.app.loop import App
from viewer.app.viewport import DrawSurface
from viewer.gpu.target import RenderTarget
from viewer.render.pick import on_screen
from viewer.scene.camera import Orbit
from viewer.scene.items import BoneItem, GeometryItem, VertexItem
from viewer.scene.mesh.surface_points import SurfacePoint, surface_positions
from viewer.view.measures import with_point

SIZE = (640, 420)
DT = 1 / 60


@pytest.fixture
def app(ctx: Any, tmp_path: Path) -> Iterator[App]:
    """The little post of two bones, paused in a window with all panels."""
    target = RenderTarget(ctx, SIZE)
    surface = DrawSurface(target.framebuffer, SIZE, SIZE)
    made = App(ctx, state_without_multisampling(), surface, [str(write_pair(tmp_path))])
    end = time.monotonic() + 60
    with unrasterized(ctx):
        made.frame(0.0)
        while made.loading and time.monotonic() < end:
            made.frame(0.0)
        made.state.view.clock.pause()
        frames(made, 6)
    yield made
    made.close()
    target.release()


def frames(app: App, count: int = 4) -> None:
    for _ in range(count):
        app.frame(DT)


def run(app: App, *names: str) -> None:
    for name in names:
        ACTIONS_BY_NAME[name].run(app.state, app.post)
    frames(app)


def joint(app: App, bone: int) -> tuple[float, float]:
    """Where a joint is in the window; names must show."""
    rect = app._workspace.picture(app.state, app.surface.points)
    x, y, _ = app.state.view_info.joints[bone]
    return rect.x + x * rect.width, rect.y + y * rect.height


def corner(app: App, vertex: int) -> tuple[float, float]:
    """Where a vertex is in the window."""
    rect = app._workspace.picture(app.state, app.surface.points)
    frame = app._viewport._models[app.state.document].frame
    assert frame is not None
    point = surface_positions(frame.model, [SurfacePoint(0, 0, (vertex,), (1.0,))], moves(frame.pose, {}))
    x, y, _ = on_screen(frame.matrices, point, (1, 1))[0]
    return rect.x + x * rect.width, rect.y + (1 - y) * rect.height


def click(app: App, x: float, y: float) -> None:
    app.host.input.pointer(x, y)
    frames(app)
    app.host.input.button("left", True)
    frames(app, 1)
    app.host.input.button("left", False)
    frames(app)


def test_a_click_on_a_bone_selects_it(app: App) -> None:
    run(app, "skeleton", "names", "fit")
    x, y = joint(app, 1)
    click(app, x, y - 12)
    assert app.state.view.selection.picked == BoneItem(1)
    assert app.state.view.bone == 1


def test_a_click_on_the_surface_selects_the_geometry_and_then_a_vertex(app: App) -> None:
    run(app, "names", "fit")
    (x, y), (_, top) = joint(app, 0), joint(app, 1)
    click(app, x, (y + top) / 2)
    assert app.state.view.selection.picked == GeometryItem(0)
    frames(app, 40)
    click(app, x, (y + top) / 2)
    picked = app.state.view.selection.picked
    assert isinstance(picked, VertexItem) and picked.buffer == 0


def test_a_click_on_the_ground_lets_go(app: App) -> None:
    run(app, "fit")
    app.state.view.selection.pick(GeometryItem(0))
    rect = app._workspace.picture(app.state, app.surface.points)
    click(app, rect.x + 12, rect.y + rect.height * 0.7)
    assert app.state.view.selection.picked is None


def test_framing_a_part_that_is_nearly_all_goes_no_farther_than_all_of_it(app: App) -> None:
    run(app, "rest_pose", "fit")
    whole = app.state.view.camera
    app.state.view.selection.pick(GeometryItem(0))
    run(app, "frame_selected")
    assert isinstance(whole, Orbit) and isinstance(app.state.view.camera, Orbit)
    assert app.state.view.camera.distance <= whole.distance * 1.001


def test_frame_selected_comes_closer(app: App) -> None:
    run(app, "fit")
    before = app.state.view.camera
    app.state.view.selection.pick(VertexItem(0, 0))
    run(app, "frame_selected")
    assert app.state.view.camera.distance < before.distance / 2  # type: ignore[union-attr]
    run(app, "deselect", "frame_selected")
    assert app.state.view.camera.distance == pytest.approx(before.distance)  # type: ignore[union-attr]


def test_nothing_is_asked_while_nothing_changes(app: App) -> None:
    run(app, "names", "fit")
    app.host.input.pointer(*joint(app, 0))
    frames(app)
    assert app._workspace.view.hover_result is not None
    assert not app._viewport.waiting


def test_hidden_geometries_are_not_picked(app: App) -> None:
    run(app, "names", "fit")
    app.state.view.selection.pick(GeometryItem(0))
    run(app, "hide")
    (x, y), (_, top) = joint(app, 0), joint(app, 1)
    click(app, x, (y + top) / 2)
    assert app.state.view.selection.picked is None
    run(app, "show_all")
    assert app.state.view.hidden == set()


def test_joints_are_where_the_picture_shows_them(app: App) -> None:
    run(app, "names", "fit")
    assert np.isfinite(app.state.view_info.joints).all()
    assert app.state.view_info.joints[0, 1] > app.state.view_info.joints[1, 1], "the tip is above the base"
    assert app.state.view_info.triangles > 0 and app.state.view_info.draws >= 1


def test_joints_move_with_the_animation(app: App) -> None:
    run(app, "names")
    app.state.playback.choose(app.state.playback.animation("Bend"))
    app.state.view.clock.pause()
    joints = []
    for time_ in (0.0, 0.5):
        app.state.view.clock.seek(time_)
        frames(app, 6)
        joints.append(app.state.view_info.joints.copy())
    moved = np.abs(joints[1] - joints[0]).max(axis=1)
    assert moved[0] < 1e-6 and moved[1] > 0.01, "the clip moves the tip"


def test_the_axes_gizmo_is_in_the_upper_right_corner(app: App) -> None:
    run(app, "front")
    ends = {axis.view: axis.position for axis in app.state.view_info.gizmo_axes}
    assert len(ends) == 6 and all(0.5 < x < 1 and 0 < y < 0.5 for x, y in ends.values())
    assert ends["top"][1] < ends["front"][1] < ends["bottom"][1]


def test_two_clicks_measure_a_distance_between_corners(app: App) -> None:
    run(app, "rest_pose", "names", "front", "fit", "measure")
    for number, (x, y) in enumerate((corner(app, 2), corner(app, 18)), start=1):
        click(app, x - 2, y + (2 if number == 2 else -2))
        assert len(app.state.view.measures) == 1 and app.state.view.selection.picked is None
    (measure,) = app.state.view.measures
    assert measure.end is not None and max(measure.end.weights) == max(measure.start.weights) == 1.0
    (shown,) = app.state.view_info.distances
    assert shown.text == "1 m" and np.isfinite(shown.ends).all()


def test_with_ctrl_a_measured_point_does_not_snap_to_a_corner(app: App) -> None:
    run(app, "rest_pose", "names", "front", "fit", "measure")
    x, y = joint(app, 0)
    app.host.input.key("LCTRL", True, frozenset({"ctrl"}))
    click(app, x + 3, y - 6)
    app.host.input.key("LCTRL", False)
    (measure,) = app.state.view.measures
    assert 0.0 < max(measure.start.weights) < 1.0


def test_a_measured_distance_moves_with_the_animation(app: App) -> None:
    run(app, "rest_pose")
    corner = SurfacePoint(0, 0, (0, 4, 1), (1.0, 0.0, 0.0))
    top = SurfacePoint(0, 0, (16, 17, 12), (1.0, 0.0, 0.0))
    app.state.view.measures = with_point(with_point((), corner), top)
    frames(app)
    still = app.state.view_info.distances[0].text
    app.state.playback.choose(app.state.playback.animation("Bend"))
    app.state.view.clock.pause()
    app.state.view.clock.seek(0.5)
    frames(app)
    assert still == "1 m" and app.state.view_info.distances[0].text != "1 m"


def test_escape_drops_the_first_point_and_then_ends_measuring(app: App) -> None:
    run(app, "measure")
    app.state.view.measures = with_point((), SurfacePoint(0, 0, (0,), (1.0,)))
    for measuring in (True, False):
        app.host.input.key("ESCAPE", True)
        frames(app, 2)
        app.host.input.key("ESCAPE", False)
        frames(app, 2)
        assert not app.state.view.measures and app.state.interface.measuring is measuring


def test_a_measured_distance_can_be_undone(app: App) -> None:
    frames(app, 40)
    point = SurfacePoint(0, 0, (0,), (1.0,))
    app.state.view.measures = with_point(with_point((), point), SurfacePoint(0, 0, (1,), (1.0,)))
    frames(app, 2)
    assert app.state.view.history.past[-1].name == "measure a distance"
    run(app, "undo")
    assert not app.state.view.measures
