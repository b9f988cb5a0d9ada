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
from viewer.app.loop import App
from viewer.app.viewport import DrawSurface
from viewer.gpu.target import RenderTarget
from viewer.scene.camera import Orbit
from viewer.scene.items import BoneItem, GeometryItem, VertexItem

SIZE = (1000, 640)
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
