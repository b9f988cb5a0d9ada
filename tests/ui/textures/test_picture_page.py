"""The page of a picture file, in place of the 3D view."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.desktop import state_without_multisampling, unrasterized
from tests.fuzzing.picture_files import blp_pictures
from tests.synthetic import write_pair
from viewer.actions import ACTIONS_BY_NAME
from viewer.app.loop import App
from viewer.app.viewport import DrawSurface
from viewer.gpu.target import RenderTarget
from viewer.scene.choices import CompareMode
from viewer.session.layouts import TEXTURE
from viewer.ui.layout import open_panels

pytestmark = pytest.mark.usefixtures("wow")

SIZE = (900, 600)


@pytest.fixture
def app(ctx: Any, tmp_path: Path) -> Iterator[App]:
    """A model, and a picture in view."""
    (tmp_path / "plain.blp").write_bytes(blp_pictures()["plain.blp"])
    target = RenderTarget(ctx, SIZE)
    paths = [str(write_pair(tmp_path)), str(tmp_path / "plain.blp")]
    made = App(ctx, state_without_multisampling(), DrawSurface(target.framebuffer, SIZE, SIZE), paths)
    with unrasterized(ctx):
        made.frame(0.0)
        while made.loading:
            made.frame(0.0)
        made.state.show(1)
        frames(made)
    yield made
    made.close()
    target.release()


def frames(app: App, count: int = 6) -> None:
    for _ in range(count):
        app.frame(1 / 60)


def shown(app: App) -> list[str]:
    return [panel.name for panel in open_panels(app.state, "wide")]


def test_the_wheel_zooms_the_picture_and_fit_shows_all_of_it(app: App) -> None:
    view = app.state.view.texture_view
    rect = app._workspace.picture(app.state, app.surface.points)
    app.host.input.pointer(rect.x + rect.width / 2, rect.y + rect.height / 2)
    app.host.input.wheel(0, 2)
    frames(app)
    assert view.zoom is not None and view.channels == "RGBA"
    ACTIONS_BY_NAME["fit"].run(app.state, app.post)
    frames(app)
    assert view.zoom is None


def test_the_panel_of_textures_is_closed_beside_a_picture(app: App) -> None:
    assert app.state.shows_picture and TEXTURE not in shown(app)
    app.state.show(0)
    assert not app.state.shows_picture and TEXTURE in shown(app)


def test_compared_pictures_are_drawn_in_3d(app: App) -> None:
    app.state.compare(CompareMode.SIDE, app.state.documents.opened[0])
    frames(app)
    assert not app.state.shows_picture and app._workspace._pages(app.state) is None
