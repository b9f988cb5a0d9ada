"""Camera and light movements with the mouse, or with keys in fly mode, and clicks on the picture."""

from __future__ import annotations

import math

from imgui_bundle import ImVec2, imgui
from msgspec.structs import replace

from viewer.actions.camera import ZOOM
from viewer.actions.playback import step
from viewer.actions.presets import preset_of
from viewer.scene.camera import Orbit
from viewer.scene.choices import LightKind
from viewer.session.requests import FitView, Post
from viewer.session.state import State
from viewer.ui.kit.theme import GROUND, TEXT, color32
from viewer.view.view_info import PickResult, PicturePosition

WAYS = {
    imgui.Key.w: (0, 0, 1),
    imgui.Key.s: (0, 0, -1),
    imgui.Key.a: (-1, 0, 0),
    imgui.Key.d: (1, 0, 0),
    imgui.Key.e: (0, 1, 0),
    imgui.Key.q: (0, -1, 0),
}
"""The direction (right, up, ahead) in which each key moves the camera in fly mode."""
FASTER = 4.0
"""Factor of the flying speed while Shift is held."""
NOTCH = 1.25
"""Factor of the flying speed for one notch of the wheel."""
SLOWEST, FASTEST = 0.01, 50.0
TIME_STEP = 0.1
"""The largest time step of a flight in seconds, even if a frame takes longer."""
MEASURING = "Measuring   Click two points   Ctrl: no snapping to corners   Escape: end"
HELP = "Flying   W A S D   Q E: down, up   Drag: look   Shift: faster   Wheel: speed {:.2g}×   Escape: end"


def fly(state: State) -> None:
    """Move the camera for a frame while `state.interface.flying` is set and the picture has the focus.

    Fly mode ends if the camera is not an orbit camera. Escape ends it too, see `viewer.ui.kit.overlays`.
    """
    interface, io = state.interface, imgui.get_io()
    if not interface.flying:
        return
    if not isinstance(state.view.camera, Orbit):
        interface.flying = False
        return
    if not state.pending_files.view_focused or io.want_text_input or io.key_ctrl or io.key_alt:
        return
    held = [way for key, way in WAYS.items() if imgui.is_key_down(key)]
    if not held:
        return
    step = interface.pace * state.view.camera.distance * min(io.delta_time, TIME_STEP)
    step *= FASTER if io.key_shift else 1.0
    right, up, ahead = (sum(parts) * step for parts in zip(*held, strict=True))
    state.view.camera = state.view.camera.flown(right, up, ahead)
    state.pending_files.unsettled = True


def change_pace(state: State) -> None:
    """Change the flying speed with the wheel."""
    wanted = state.interface.pace * NOTCH ** imgui.get_io().mouse_wheel
    state.interface.pace = max(SLOWEST, min(FASTEST, wanted))


def mode_help(state: State, low: ImVec2, size: ImVec2) -> None:
    """Draw the keys of fly mode, or the keys for measuring while the user measures distances. The text is
    below the buttons of the picture.
    """
    if not state.interface.flying and not state.interface.measuring:
        return
    text = HELP.format(state.interface.pace / 0.5) if state.interface.flying else MEASURING
    pad = imgui.get_style().window_padding
    width = max(size.x - 4 * pad.x, 1.0)
    extent = imgui.calc_text_size(text, False, width)
    corner = ImVec2(low.x + 2 * pad.x, low.y + imgui.get_frame_height() + 3 * pad.y)
    high = ImVec2(corner.x + extent.x + pad.x, corner.y + extent.y + pad.y / 2)
    draw = imgui.get_window_draw_list()
    draw.add_rect_filled(ImVec2(corner.x - pad.x, corner.y - pad.y / 2), high, color32(GROUND, 0.8), 3.0)
    draw.add_text(imgui.get_font(), imgui.get_font_size(), corner, color32(TEXT), text, width)


TURN = 0.4
"""The angle in degrees by which the camera turns for each point of mouse movement."""
DRAG_ZOOM = 1.006
SHIFT = 0.05
"""The share of the picture's height by which a notch of the wheel moves the camera."""
STILL = 4.0
"""The distance in points by which the mouse may move during a click."""

LEFT, RIGHT, MIDDLE = range(3)
BUTTONS = int(
    imgui.ButtonFlags_.mouse_button_left
    | imgui.ButtonFlags_.mouse_button_right
    | imgui.ButtonFlags_.mouse_button_middle
)
NAMES = {LEFT: "left", RIGHT: "right", MIDDLE: "middle"}
"""The buttons as presets name them."""


def drag(state: State, post: Post, low: ImVec2, size: ImVec2) -> None:
    """Turn, move, zoom or roll the camera, or turn the light, with a drag over the picture."""
    io = imgui.get_io()
    x, y = io.mouse_delta.x, io.mouse_delta.y
    down = next((button for button in (MIDDLE, LEFT, RIGHT) if imgui.is_mouse_down(button)), None)
    if not (x or y) or down is None:
        return
    way = _way(state, NAMES[down])
    if way == "turn light":
        turn_light(state, x, y)
        return
    orbit = _orbit(state, post, size)
    height = max(size.y, 1)
    if way == "move":
        state.view.camera = orbit.panned(-x / height, y / height)
    elif way == "roll":
        state.view.camera = _rolled(orbit, low, size)
    elif way == "turn":
        orbit_by = orbit.looking if state.interface.flying else orbit.turned
        speed = TURN * state.interface.preferences.turn_speed
        state.view.camera = orbit_by(-x * speed, y * speed)
    else:
        state.view.camera = orbit.zoomed(DRAG_ZOOM ** ((y - x) * state.interface.preferences.zoom_speed))


def turn_light(state: State, x: float, y: float) -> None:
    """Turn the light by a drag of (`x`, `y`) points to the right and down; the lamp follows the pointer."""
    options = state.options
    if not options.with_materials:
        state.interface.note("Only the shading Materials shows the light: View › Shading")
    elif options.light is LightKind.ENVIRONMENT:
        options.environment_turn = (options.environment_turn + x * TURN + 180.0) % 360.0 - 180.0
        state.interface.note(f"Light: environment, turned by {options.environment_turn:.0f}°")
    elif not options.lighting.turns:
        state.interface.note("Only studio, headlamp and environment can be turned: View › Light")
    else:
        options.lighting = options.lighting.turned(x * TURN, -y * TURN)
        state.interface.note(f"Light: {options.lighting.text}")


def _way(state: State, control: str) -> str:
    """What a button or the wheel does with the held modifier key, see `viewer.actions.presets`."""
    io, ways = imgui.get_io(), preset_of(state.interface.preferences).mouse
    held = "Shift" if io.key_shift else "Ctrl" if io.key_ctrl else "Alt" if io.key_alt else ""
    return ways.get(f"{held}+{control}", ways[control])


def picture_position(low: ImVec2, size: ImVec2) -> PicturePosition:
    """The mouse position in a picture of `size` at `low`, as shares of its width and height."""
    mouse = imgui.get_io().mouse_pos
    return (mouse.x - low.x) / max(size.x, 1), (mouse.y - low.y) / max(size.y, 1)


def dragged() -> bool:
    """Whether a button is held and the mouse has moved since it was pressed."""
    return any(imgui.is_mouse_dragging(button, STILL) for button in (LEFT, RIGHT, MIDDLE))


def double_clicked() -> bool:
    """Whether the last click of the left button was the second click of a double click."""
    return bool(imgui.get_io().mouse_clicked_last_count[LEFT] > 1)


def moved() -> bool:
    """Whether the mouse has moved while the left button was held."""
    return bool(imgui.get_io().mouse_drag_max_distance_sqr[LEFT] > STILL**2)


def moved_or_modified() -> bool:
    """Whether the click must not select anything, because the mouse has moved, or because Ctrl or Shift is
    held.
    """
    io = imgui.get_io()
    return bool(io.key_ctrl or io.key_shift or moved())


def second_button_clicked() -> bool:
    """Whether the right button was released without a movement of the mouse."""
    still = imgui.get_io().mouse_drag_max_distance_sqr[RIGHT] <= STILL**2
    return bool(still and imgui.is_mouse_released(RIGHT))


def wheel(
    state: State, post: Post, low: ImVec2, size: ImVec2, point: tuple[float, float, float] | None
) -> None:
    """Step through the frames or move the camera, as the preset's wheel does. A zoom goes towards `point`,
    which is on the surface under the pointer.

    Without a point, zoom around the pointer's position in the plane of the camera's target.
    """
    io = imgui.get_io()
    preferences, way = state.interface.preferences, _way(state, "wheel")
    if way == "step":
        if state.view.playlist:
            frames = math.copysign(math.ceil(abs(io.mouse_wheel)), -io.mouse_wheel)
            step(int(frames))(state, post)
        return
    notches = io.mouse_wheel * preferences.zoom_speed * (-1 if preferences.wheel_reversed else 1)
    factor, orbit = ZOOM**notches, _orbit(state, post, size)
    if way != "zoom":
        right, up = (-notches, 0.0) if way == "move sideways" else (0.0, notches)
        state.view.camera = orbit.panned(right * SHIFT, up * SHIFT)
        return
    if point is not None and not orbit.ortho:
        state.view.camera = orbit.nearer(factor, point)
        return
    height = max(size.y, 1)
    right = (io.mouse_pos.x - low.x - size.x / 2) / height
    up = (low.y + size.y / 2 - io.mouse_pos.y) / height
    state.view.camera = orbit.zoomed(factor, right, up)


def centre(state: State, post: Post, hover_result: PickResult | None) -> None:
    """Set the centre of the orbit to the surface under the pointer; without a surface, frame the model."""
    if hover_result is None or hover_result.point is None or not isinstance(state.view.camera, Orbit):
        post(FitView())
    else:
        state.view.camera = state.view.camera.centred(hover_result.point)


def _rolled(orbit: Orbit, low: ImVec2, size: ImVec2) -> Orbit:
    """Roll the camera by the angle that the pointer moved around the centre.

    The picture follows the pointer.
    """
    io = imgui.get_io()
    x, y = io.mouse_pos.x - low.x - size.x / 2, low.y + size.y / 2 - io.mouse_pos.y
    before = math.atan2(y + io.mouse_delta.y, x - io.mouse_delta.x)
    turned = math.degrees(math.atan2(y, x) - before)
    return replace(orbit, roll=(orbit.roll - turned + 180) % 360 - 180)


def _orbit(state: State, post: Post, size: ImVec2) -> Orbit:
    """Return the orbit camera that the mouse moves.

    It begins at the active camera of the file. A matrix camera is replaced by an orbit camera around the
    model.
    """
    file_camera = state.playback.file_camera
    if file_camera is not None and state.model is not None:
        return file_camera.orbit(state.view.to_world(state.model), size.x / max(size.y, 1))
    if isinstance(state.view.camera, Orbit):
        return state.view.camera
    post(FitView())
    return Orbit()
