"""The Texture panel: zoom, pan, channels, levels, layouts, and marks on the model and in the texture."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from imgui_bundle import imgui

from tests.labels import drawn_labels
from tests.quads import quad
from viewer.app.panel_textures import PanelTextures
from viewer.app.tasks import Tasks
from viewer.gpu.shader import Composer
from viewer.render.shader_constants import SHADER_CONSTANTS
from viewer.scene.items import GeometryItem, TextureItem
from viewer.scene.material import Image, Material, Texture
from viewer.scene.mesh.surface_points import SurfacePoint
from viewer.session.requests import SaveTexture
from viewer.ui.textures import canvas
from viewer.ui.textures.canvas import Canvas
from viewer.ui.textures.texture_panel import TexturePanel
from viewer.view.view_info import ViewInfo

PIXELS = np.arange(8 * 8 * 4, dtype=np.uint8).reshape(8, 8, 4)


@pytest.fixture
def desk_with_texture(post: Any, ctx: Any) -> Iterator[Any]:
    """A desk with the panel, a quad and its texture of 8 × 8 texels, in two levels."""
    model = quad(Material("m", units={"diffuse": 0}), (Texture("skin.png", "skin.png"), Texture("lost.png")))
    post.state.document.content = model
    composer = Composer(ctx, constants=SHADER_CONSTANTS)
    image = Image((PIXELS, PIXELS[:4, :4]), "PNG")
    gallery = PanelTextures(composer, model, {0: image}, Tasks())
    post.state.view_info = ViewInfo(gallery=gallery)
    post.show(TexturePanel())
    yield post
    gallery.release()
    composer.release()


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[Canvas]:
    """The canvases of the frames."""
    found: list[Canvas] = []
    make = canvas.texture_canvas

    def listen(*more: Any) -> Canvas:
        found.append(make(*more))
        return found[-1]

    monkeypatch.setattr("viewer.ui.textures.texture_panel.texture_canvas", listen)
    return found


def at(shown: list[Canvas], u: float, v: float) -> tuple[float, float]:
    point = shown[-1].point((u, v))
    return point.x, point.y


def frames(desk: Any, count: int = 3) -> None:
    """Frames as the loop makes them: what one frame marks is marked in the next."""
    for _ in range(count):
        desk.state.view.selection.turn()
        desk.frames()


def test_the_whole_texture_fits_at_first(desk_with_texture: Any, shown: list[Canvas]) -> None:
    frames(desk_with_texture)
    (left, top), (right, bottom) = shown[-1].corners
    assert left < 0 and top < 0 and right > 1 and bottom > 1


def test_the_wheel_zooms_at_the_pointer(desk_with_texture: Any, shown: list[Canvas]) -> None:
    frames(desk_with_texture)
    x, y = at(shown, 0.75, 0.25)
    before = shown[-1].scale
    desk_with_texture.move(x, y)
    desk_with_texture.host.input.wheel(0, 3)
    frames(desk_with_texture)
    assert shown[-1].scale == pytest.approx(before * canvas.ZOOM**3)
    u, v = shown[-1].uv(imgui.get_io().mouse_pos)
    assert (u, v) == pytest.approx((0.75, 0.25), abs=0.01)


def test_the_zoom_has_limits(desk_with_texture: Any, shown: list[Canvas]) -> None:
    frames(desk_with_texture)
    desk_with_texture.move(*at(shown, 0.5, 0.5))
    for notches, limit in ((100, max(canvas.LARGEST, shown[-1].scale)), (-200, 1.0)):
        desk_with_texture.host.input.wheel(0, notches)
        frames(desk_with_texture)
        assert shown[-1].scale == pytest.approx(limit, rel=0.01)


@pytest.mark.parametrize("button", ["left", "middle"])
def test_a_drag_moves_the_texture_with_the_pointer(
    desk_with_texture: Any, shown: list[Canvas], button: str
) -> None:
    frames(desk_with_texture)
    x, y = at(shown, 0.5, 0.5)
    desk_with_texture.drag((x, y), (x + 30, y + 20), button)
    frames(desk_with_texture)
    assert at(shown, 0.5, 0.5) == pytest.approx((x + 30, y + 20), abs=2)
    assert desk_with_texture.state.view.selection.picked is None


def test_fit_and_one_to_one(desk_with_texture: Any, shown: list[Canvas]) -> None:
    frames(desk_with_texture)
    whole = shown[-1].scale
    press(desk_with_texture, "1:1")
    assert shown[-1].scale == 1.0
    press(desk_with_texture, "Fit")
    assert shown[-1].scale == pytest.approx(whole)


def test_all_of_a_layout_that_leaves_the_texture_is_shown(
    desk_with_texture: Any, shown: list[Canvas], monkeypatch: pytest.MonkeyPatch
) -> None:
    state = desk_with_texture.state
    wide = np.array(((-1.0, -1.0), (2.0, 2.0)))
    monkeypatch.setattr(state.view_info.gallery, "bounds", lambda layers: wide if layers else None)
    press(desk_with_texture, "Layouts")
    (left, top), (right, bottom) = shown[-1].corners
    assert left < -1 and top < -1 and right > 2 and bottom > 2


def press(desk: Any, label: str) -> None:
    """Click on the button with this label."""
    desk.click(*drawn_labels(desk)[label])
    frames(desk)


def test_the_texel_under_the_pointer_is_marked_on_the_model(
    desk_with_texture: Any, shown: list[Canvas]
) -> None:
    frames(desk_with_texture)
    desk_with_texture.move(*at(shown, 0.25, 0.6))
    frames(desk_with_texture)
    (point,) = desk_with_texture.state.view.selection.touched
    assert point.geometry == 0 and sum(point.weights) == pytest.approx(1.0)
    desk_with_texture.state.view.hidden.add(0)
    frames(desk_with_texture)
    assert not desk_with_texture.state.view.selection.touched, "the geometry is hidden"


def test_a_click_selects_the_geometry_at_the_texel(desk_with_texture: Any, shown: list[Canvas]) -> None:
    frames(desk_with_texture)
    desk_with_texture.click(*at(shown, 0.25, 0.6))
    assert desk_with_texture.state.view.selection.picked == GeometryItem(0)


def test_the_point_under_the_pointer_on_the_model_is_marked_in_the_texture(
    desk_with_texture: Any, shown: list[Canvas], monkeypatch: pytest.MonkeyPatch
) -> None:
    marked: list[tuple[float, float]] = []
    monkeypatch.setattr("viewer.ui.textures.texture_panel.draw_mark", lambda shown, uv: marked.append(uv))
    desk_with_texture.state.view.selection.point_at(SurfacePoint(0, 0, (0, 1, 2), (0.5, 0.0, 0.5)))
    frames(desk_with_texture, 1)
    assert marked == [pytest.approx((0.5, 0.5))]


def test_a_selected_texture_is_shown(desk_with_texture: Any) -> None:
    desk_with_texture.state.view.selection.pick(TextureItem(1))
    frames(desk_with_texture)
    assert desk_with_texture.state.view.texture_view.number == 1


@pytest.mark.parametrize(("chosen", "saved"), [({}, (0, "RGB")), ({"level": 1, "channels": "A"}, (1, "A"))])
def test_the_texture_is_saved_as_it_is_shown(
    desk_with_texture: Any, chosen: dict[str, Any], saved: tuple[int, str]
) -> None:
    view = desk_with_texture.state.view.texture_view
    for name, value in chosen.items():
        setattr(view, name, value)
    desk_with_texture.posted.clear()
    side = imgui.get_frame_height()
    desk_with_texture.click(400 - side / 2, side / 2)
    frames(desk_with_texture)
    press(desk_with_texture, "Save texture…")
    assert SaveTexture(0, *saved) in desk_with_texture.posted
