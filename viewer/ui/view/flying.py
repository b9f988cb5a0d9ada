"""Fly mode: letter keys move the camera, and a mouse drag turns it."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from viewer.scene.camera import Orbit
from viewer.session.state import State
from viewer.ui.kit.theme import GROUND, TEXT, color32

WAYS = {
    imgui.Key.w: (0, 0, 1),
    imgui.Key.s: (0, 0, -1),
    imgui.Key.a: (-1, 0, 0),
    imgui.Key.d: (1, 0, 0),
    imgui.Key.e: (0, 1, 0),
    imgui.Key.q: (0, -1, 0),
}
"""Right, up and ahead, by the held key."""
FASTER = 4.0
"""The speed factor of Shift."""
NOTCH = 1.25
"""The speed factor of one notch of the wheel."""
SLOWEST, FASTEST = 0.01, 50.0
TIME_STEP = 0.1
"""The longest time step in seconds, however long a frame took."""
HELP = "Flying: W A S D, Q E down and up, drag to look, Shift is faster, wheel: speed {:.2g}×, Esc ends"


def fly(state: State) -> None:
    """Move the camera for a frame, while `state.interface.flying` is set and the picture has the focus.

    A matrix camera ends fly mode, and so does Escape: see `viewer.ui.kit.overlays`.
    """
    interface, io = state.interface, imgui.get_io()
    if not interface.flying:
        return
    if not isinstance(state.camera, Orbit):
        interface.flying = False
        return
    if not state.pending_files.view_focused or io.want_text_input or io.key_ctrl or io.key_alt:
        return
    held = [way for key, way in WAYS.items() if imgui.is_key_down(key)]
    if not held:
        return
    step = interface.pace * state.camera.distance * min(io.delta_time, TIME_STEP)
    step *= FASTER if io.key_shift else 1.0
    right, up, ahead = (sum(parts) * step for parts in zip(*held, strict=True))
    state.camera = state.camera.flown(right, up, ahead)
    state.pending_files.unsettled = True


def change_pace(state: State) -> None:
    """Change the speed with the wheel."""
    wanted = state.interface.pace * NOTCH ** imgui.get_io().mouse_wheel
    state.interface.pace = max(SLOWEST, min(FASTEST, wanted))


def told(state: State, low: ImVec2, size: ImVec2) -> None:
    """Draw the list of keys along the upper edge of the picture at `low`, below its buttons."""
    if not state.interface.flying:
        return
    text, pad = HELP.format(state.interface.pace / 0.5), imgui.get_style().window_padding
    width = max(size.x - 4 * pad.x, 1.0)
    extent = imgui.calc_text_size(text, False, width)
    corner = ImVec2(low.x + 2 * pad.x, low.y + imgui.get_frame_height() + 3 * pad.y)
    high = ImVec2(corner.x + extent.x + pad.x, corner.y + extent.y + pad.y / 2)
    draw = imgui.get_window_draw_list()
    draw.add_rect_filled(ImVec2(corner.x - pad.x, corner.y - pad.y / 2), high, color32(GROUND, 0.8), 3.0)
    draw.add_text(imgui.get_font(), imgui.get_font_size(), corner, color32(TEXT), text, width)
