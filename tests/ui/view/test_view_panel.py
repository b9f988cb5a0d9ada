"""The 3D view under a fake mouse. What lies under it is given; the picture itself is tested with the App."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from imgui_bundle import ImVec2, imgui

from tests.labels import drawn_labels
from viewer.actions import ACTIONS_BY_NAME
from viewer.actions.presets import PRESETS
from viewer.scene.camera import MatrixCamera, Orbit
from viewer.scene.choices import LIGHT_DIRECTIONS, SINGLE_SHADINGS, LightKind, Shading
from viewer.scene.items import BoneItem, GeometryItem, Item, VertexItem
from viewer.session.requests import FitView
from viewer.ui.kit.shortcuts import run_shortcuts
from viewer.ui.view import overlays
from viewer.ui.view.buttons import ICONS, _shading_title, buttons
from viewer.ui.view.view_panel import ViewPanel, item_to_select
from viewer.view.view_info import GizmoAxis, PickResult, ViewInfo

SIZE = (400, 300)
BONE, GEOMETRY, VERTEX = BoneItem(1), GeometryItem(0), VertexItem(0, 3)


def answering(
    desk: Any, items: tuple[Item, ...], point: tuple[float, float, float] | None = None
) -> ViewPanel:
    """A view on the desk whose every question is answered with `items`."""
    view = ViewPanel()

    def draw(state: Any, post: Any) -> None:
        view(state, post)
        view.hover_result = None if view.position is None else PickResult(view.position, items, point)
        state.view.selection.turn()

    desk.show(draw)
    return view


def test_a_turn_to_the_right_moves_the_camera_to_the_left(post: Any) -> None:
    post.show(ViewPanel())
    before = post.state.view.camera
    post.drag((200, 150), (220, 150))
    assert (post.state.view.camera.yaw - before.yaw) % 360 == pytest.approx(352)
    assert post.state.view.camera.pitch == before.pitch


@pytest.mark.parametrize(("button", "held"), [("left", "Shift"), ("middle", "")])
def test_panning_keeps_what_is_under_the_pointer_there(post: Any, button: str, held: str) -> None:
    post.show(ViewPanel())
    post.state.view.camera = Orbit(yaw=0, pitch=0, distance=1, fov=90)
    post.drag((200, 150), (200, 225), button, held)
    assert post.state.view.camera.target == pytest.approx((0, 0.5, 0)), "a quarter of the picture's two units"


def test_right_drag_zooms(post: Any) -> None:
    post.show(ViewPanel())
    before = post.state.view.camera.distance
    post.drag((200, 150), (200, 100), "right")
    assert post.state.view.camera.distance < before


@pytest.mark.parametrize("preset", PRESETS)
def test_a_drag_with_shift_and_the_right_button_turns_the_light(post: Any, preset: str) -> None:
    post.show(ViewPanel())
    post.state.interface.preferences.preset = preset
    camera, (yaw, pitch) = post.state.view.camera, LIGHT_DIRECTIONS[LightKind.STUDIO]
    post.drag((200, 150), (220, 125), "right", "Shift")
    assert post.state.options.light_direction == pytest.approx((yaw + 8, pitch + 10))
    assert post.state.view.camera == camera and "studio:-37,47" in post.state.interface.status


@pytest.mark.parametrize(
    ("shading", "light"), [(Shading.UV, LightKind.STUDIO), (Shading.LIT, LightKind.UNLIT)]
)
def test_a_light_that_does_not_turn_says_so(post: Any, shading: Shading, light: LightKind) -> None:
    post.show(ViewPanel())
    post.state.options.shading, post.state.options.light = shading, light
    post.drag((200, 150), (220, 125), "right", "Shift")
    assert post.state.options.light_direction is None and "View › " in post.state.interface.status


def test_the_button_of_the_shading_names_another_light(post: Any) -> None:
    post.show(ViewPanel())
    assert _shading_title(post.state, ACTIONS_BY_NAME["shading_lit"]) == "Materials"
    post.state.options.light = LightKind.FILE
    assert _shading_title(post.state, ACTIONS_BY_NAME["shading_lit"]) == "Materials, of the file"


def test_the_settings_scale_drag_and_wheel(post: Any) -> None:
    post.show(ViewPanel())
    preferences, orbit = post.state.interface.preferences, Orbit(yaw=0, pitch=0, distance=2)

    def after(use: Callable[[], None]) -> Orbit:
        post.state.view.camera = orbit
        use()
        post.frames(4)
        return post.state.view.camera  # type: ignore[no-any-return]

    def turn() -> None:
        post.drag((200, 150), (250, 150))

    def wheel() -> None:
        post.move(200, 150)
        post.host.input.wheel(0, 2)

    yaw, near = after(turn).yaw, after(wheel).distance
    preferences.turn_speed, preferences.zoom_speed, preferences.wheel_reversed = 2.0, 0.5, True
    assert 360 - after(turn).yaw == pytest.approx(2 * (360 - yaw))
    assert after(wheel).distance == pytest.approx(2 * (near / 2) ** -0.5)


def test_the_list_of_the_shading_marks_what_is_shown(post: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    marked: dict[str, bool] = {}
    entry = imgui.menu_item_simple

    def note(label: str, key: str, on: bool, *more: Any) -> bool:
        marked[label] = on
        return bool(entry(label, key, on, *more))

    monkeypatch.setattr(imgui, "menu_item_simple", note)
    post.show(ViewPanel())
    for shading in (Shading.LIT, Shading.UV):
        post.state.options.shading = shading
        post.frames()
        post.click(30, 20)
        post.frames(2)
        titles = [ACTIONS_BY_NAME[f"shading_{each.value}"].title for each in SINGLE_SHADINGS]
        chosen = [title for title in titles if marked[title]]
        assert chosen == [ACTIONS_BY_NAME[f"shading_{shading.value}"].title]
        post.key("ESCAPE")


def test_the_button_of_the_shading_offers_lights_and_the_shadow(post: Any) -> None:
    post.show(ViewPanel())
    for row in ("Headlamp", "Shadow on the ground"):
        post.click(30, 20)
        post.click(*drawn_labels(post)[row])
    assert post.state.options.light is LightKind.HEADLAMP and post.state.options.shadow


def test_ctrl_drag_rolls_with_the_pointer(post: Any) -> None:
    post.show(ViewPanel())
    post.drag((300, 150), (200, 50), "left", "Ctrl")
    assert abs(post.state.view.camera.roll) == pytest.approx(90, abs=1)


def test_the_wheel_zooms_to_the_pointer(post: Any) -> None:
    post.show(ViewPanel())
    post.state.view.camera = Orbit(yaw=0, pitch=0, distance=1, fov=90)
    post.move(350, 150)
    post.host.input.wheel(0, 3)
    post.frames(4)
    camera = post.state.view.camera
    assert camera.distance < 1
    assert camera.target[0] + camera.distance == pytest.approx(1, abs=0.02), "x = 1 stays under the pointer"


def test_a_double_click_asks_to_fit(post: Any) -> None:
    post.show(ViewPanel())
    post.click(200, 150)
    post.click(200, 150)
    assert post.posted == [FitView()]


def test_the_mouse_frees_a_fixed_camera(post: Any) -> None:
    post.show(ViewPanel())
    post.state.view.camera = MatrixCamera(np.eye(3, 4), np.eye(4))
    post.drag((200, 150), (220, 150))
    assert isinstance(post.state.view.camera, Orbit)
    assert post.posted[0] == FitView()


def test_a_click_selects_what_is_under_it(post: Any) -> None:
    answering(post, (GEOMETRY, VERTEX))
    post.click(200, 150)
    post.frames(2)
    assert post.state.view.selection.picked == GEOMETRY


def test_pointing_hovers_what_a_click_would_select(post: Any) -> None:
    answering(post, (BONE, GEOMETRY))
    post.move(200, 150)
    post.frames(2)
    assert post.state.view.selection.hover == BONE


def test_a_click_on_nothing_lets_go(post: Any) -> None:
    answering(post, ())
    post.state.view.selection.pick(BONE)
    post.click(200, 150)
    post.frames(2)
    assert post.state.view.selection.picked is None


def test_clicks_far_apart_in_time_go_around(post: Any) -> None:
    answering(post, (BONE, GEOMETRY, VERTEX))
    found = []
    for _ in range(4):
        post.click(200, 150)
        post.frames(40)
        found.append(post.state.view.selection.picked)
    assert found == [BONE, GEOMETRY, VERTEX, BONE]


@pytest.mark.parametrize(
    ("picked", "turn", "expected"),
    [(None, False, BONE), (None, True, GEOMETRY), (BONE, True, GEOMETRY), (VERTEX, False, BONE)],
)
def test_what_a_click_means(picked: Item | None, turn: bool, expected: Item) -> None:
    assert item_to_select((BONE, GEOMETRY, VERTEX), picked, turn) == expected


@pytest.mark.parametrize("held", ["", "Shift", "Ctrl"])
def test_a_drag_selects_nothing(post: Any, held: str) -> None:
    answering(post, (BONE,))
    post.drag((200, 150), (240, 150), "left", held)
    post.frames(3)
    assert post.state.view.selection.picked is None


def test_a_double_click_turns_around_the_point(post: Any) -> None:
    answering(post, (GEOMETRY, VERTEX), (0.1, 0.2, 0.3))
    post.click(200, 150)
    post.click(200, 150)
    post.frames(3)
    assert post.posted == []
    assert post.state.view.camera.target == (0.1, 0.2, 0.3)
    assert post.state.view.selection.picked == GEOMETRY, "the second click of the two selects nothing else"


def test_the_wheel_goes_towards_the_surface(post: Any) -> None:
    answering(post, (GEOMETRY,), (0.0, 0.0, 1.0))
    post.state.view.camera = Orbit(yaw=0, pitch=0, distance=2)
    post.move(200, 150)
    post.frames(2)
    post.host.input.wheel(0, 2)
    post.frames(4)
    camera = post.state.view.camera
    assert camera.distance < 2
    assert (camera.position[2] - 1) / camera.distance == pytest.approx(0.5), "as the surface, so the target"


def test_a_click_on_the_axes_looks_from_there(post: Any) -> None:
    answering(post, (BONE,))
    post.state.view_info = ViewInfo(gizmo_axes=(GizmoAxis((0.9, 0.1), 0.03, "top"),))
    post.click(360, 30)
    post.frames(3)
    assert post.state.view.camera.pitch == 90
    assert post.state.view.selection.picked is None


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_turns_moves_and_zooms(preset: str) -> None:
    assert {"turn", "move", "zoom"} <= set(PRESETS[preset].mouse.values())


def test_the_middle_button_turns_as_in_blender(post: Any) -> None:
    post.state.interface.preferences.preset = "blender"
    post.show(ViewPanel())
    before = post.state.view.camera
    post.drag((200, 150), (220, 150), "middle")
    assert post.state.view.camera.yaw != before.yaw and post.state.view.camera.target == before.target


def test_the_buttons_switch_what_they_show(post: Any) -> None:
    post.show(ViewPanel())
    edge = imgui.get_style().window_padding.x
    shading = imgui.calc_text_size("\uf042  Materials").x + 2 * imgui.get_style().frame_padding.x
    post.click(edge + shading + 8, edge + 8)
    assert post.state.options.wireframe
    assert post.state.view.selection.picked is None


@pytest.fixture
def labels(monkeypatch: pytest.MonkeyPatch) -> Callable[[], dict[str, overlays.Box]]:
    """The names in the picture and where they stand, in the last frame."""
    found: dict[str, overlays.Box] = {}
    shown = overlays.label

    def listen(draw: Any, name: str, box: overlays.Box, color: Any) -> None:
        if name in ("base", "tip"):  # the line of figures is written the same way
            found[name] = box
        shown(draw, name, box, color)

    monkeypatch.setattr(overlays, "label", listen)
    return lambda: found


def test_names_hide_no_others(post: Any, labels: Any) -> None:
    post.state.options.names = True
    post.state.view_info = ViewInfo(joints=np.array(((0.5, 0.5, 0.3), (0.5, 0.51, 0.2))))
    post.show(ViewPanel())
    assert list(labels()) == ["tip"], "the nearer one"


def test_the_selected_name_always_shows(post: Any, labels: Any) -> None:
    post.state.options.names = True
    post.state.view.selection.pick(BoneItem(0))
    post.state.view_info = ViewInfo(joints=np.array(((0.5, 0.5, 0.3), (0.5, 0.51, 0.2))))
    post.show(ViewPanel())
    assert list(labels()) == ["base"]


def test_names_stay_in_the_view(post: Any, labels: Any) -> None:
    post.state.options.names = True
    post.state.view_info = ViewInfo(joints=np.array(((0.999, 0.999, 0.3), (0.0, 0.0, 0.2))))
    post.show(ViewPanel())
    for x, y, wide, high in labels().values():
        assert x >= 0 and y >= 0 and x + wide <= SIZE[0] and y + high <= SIZE[1]
    assert len(labels()) == 2


def test_joints_out_of_sight_have_no_name(post: Any, labels: Any) -> None:
    post.state.options.names = True
    post.state.view_info = ViewInfo(joints=np.array(((np.nan, np.nan, np.nan), (1.5, 0.5, 0.2))))
    post.show(ViewPanel())
    assert labels() == {}


@pytest.mark.parametrize("width", [260.0, 330.0, 337.0, 352.0, 2000.0])
def test_buttons_without_room_are_in_a_list(post: Any, monkeypatch: pytest.MonkeyPatch, width: float) -> None:
    drawn: list[str] = []
    listed: list[str] = []
    ends: list[float] = []
    starts: list[float] = []
    button, entry = imgui.button, imgui.menu_item_simple

    def note(label: str, *more: Any) -> bool:
        clicked = bool(button(label, *more))
        drawn.append(label.partition("###")[2])
        ends.append(imgui.get_item_rect_max().x)
        starts.append(imgui.get_item_rect_min().x)
        return clicked or drawn[-1] == "more"

    def note_entry(label: str, *more: Any) -> bool:
        listed.append(label)
        return bool(entry(label, *more))

    monkeypatch.setattr(imgui, "button", note)
    monkeypatch.setattr(imgui, "menu_item_simple", note_entry)
    post.show(lambda state, request: buttons(state, request, ImVec2(0, 0), ImVec2(width, 300)))
    post.frames(2)
    shown = {*drawn} - {"shading", "more"}
    offered = [ACTIONS_BY_NAME[name] for name in ICONS if ACTIONS_BY_NAME[name].enabled(post.state)]
    titles = {f"{ICONS[each.name]}  {each.title}" for each in offered if each.name not in shown}
    assert titles == {*listed} and ("more" in drawn) == bool(titles) == (width < 2000)
    assert min(starts) == imgui.get_style().window_padding.x, "inside the picture"
    free = width - imgui.get_style().window_padding.x - 4 * imgui.get_frame_height() - max(ends)
    assert free >= 0, "the axes in the corner stay visible"
    assert not titles or free < 1.5 * imgui.get_frame_height(), "another button would not fit"


def with_keys(desk: Any, preset: str) -> None:
    """Draw the view, whose keys are those of a preset."""
    desk.state.interface.preferences.preset = preset
    view = ViewPanel()

    def draw(state: Any, post: Any) -> None:
        run_shortcuts(state, post)
        view(state, post)

    desk.show(draw)


def test_an_axis_view_of_blender_is_orthographic_until_it_is_turned(post: Any) -> None:
    with_keys(post, "blender")
    state = post.state
    post.key("NUM_7")
    assert state.view.camera.ortho and state.view.camera.pitch == 90
    post.key("_9")
    assert state.view.camera.ortho and state.view.camera.pitch == -90
    post.key("NUM_1")
    post.drag((200, 150), (230, 150), "middle", "Shift")
    assert state.view.camera.ortho, "a pan keeps it"
    post.drag((200, 150), (230, 150), "middle")
    assert not state.view.camera.ortho
    post.key("NUM_5")
    post.key("NUM_3")
    post.drag((200, 150), (230, 150), "middle")
    assert state.view.camera.ortho, "the user chose it"
    post.key("NUM_5")
    state.interface.preferences.preset = "default"
    post.key("NUM_1")
    assert not state.view.camera.ortho


def test_plus_and_minus_of_blenders_keypad_zoom(post: Any) -> None:
    with_keys(post, "blender")
    before, speed = post.state.view.camera.distance, post.state.view.clock.speed
    post.key("NUM_ADD")
    near = post.state.view.camera.distance
    post.key("NUM_SUBTRACT")
    assert near < before == pytest.approx(post.state.view.camera.distance)
    assert post.state.view.clock.speed == speed
    post.key("MINUS")
    assert post.state.view.clock.speed < speed


def test_the_wheel_of_blender_steps_and_pans_with_modifier_keys(bent: Any) -> None:
    with_keys(bent, "blender")
    state = bent.state
    bent.key("SPACE")
    state.view.clock.seek(0.2)
    bent.move(200, 150)

    def turned(held: str, notches: float) -> None:
        bent.host.input.key(f"L{held.upper()}", True)  # X11 does not name the key itself
        bent.host.input.wheel(0, notches)
        bent.host.input.key(f"L{held.upper()}", False)
        bent.frames(5)

    camera, fps = state.view.camera, state.view.clock.fps
    turned("Alt", -2)
    assert state.view.clock.time == pytest.approx(0.2 + 2 / fps) and not state.view.clock.playing
    turned("Alt", 1)
    assert state.view.clock.time == pytest.approx(0.2 + 1 / fps) and state.view.camera == camera
    turned("Ctrl", 1)
    moved = state.view.camera
    assert moved.target != camera.target and moved.distance == camera.distance
    turned("Shift", 1)
    assert state.view.camera.target[1] > moved.target[1]


def test_the_digits_of_maya_show_edges_and_come_back(post: Any) -> None:
    with_keys(post, "maya")
    options = post.state.options

    def shown() -> tuple[Shading, LightKind, bool]:
        return options.shading, options.light, options.wireframe

    start = shown()
    post.key("_4")
    post.key("_4")
    assert shown() == (*start[:2], True)
    post.key("_5")
    assert shown() == (Shading.SOLID, LightKind.STUDIO, False)
    post.key("_6")
    assert shown() == start
    post.key("_7")
    assert shown() == start, "the file has no lights"
    assert post.state.view.camera == Orbit(), "no digit turns the camera"
