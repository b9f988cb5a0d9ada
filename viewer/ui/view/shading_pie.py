"""The pie menu of shading modes.

The user can hold the key, move the pointer and release the key, or release the key first and then click.
"""

from __future__ import annotations

import math

from imgui_bundle import ImVec2, imgui

from viewer.actions import ACTIONS_BY_NAME
from viewer.actions.bindings import active
from viewer.scene.choices import SINGLE_SHADINGS
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.kit.shortcuts import chords, is_chord
from viewer.ui.kit.theme import ACCENT, GROUND, LINE, RAISED, TEXT, color32
from viewer.ui.kit.widgets import BARE

PARTS = tuple(ACTIONS_BY_NAME[f"shading_{shading.value}"] for shading in SINGLE_SHADINGS)
"""The shading modes, clockwise from the top."""
HOLE, RING = 1.6, 6.5
"""Radius within which no mode is chosen, and radius of the names, in letter heights."""
FLAT = 0.72
"""The ratio of height to width of the ellipse on which the names are. It is below 1, because names are wider
than high.
"""
FLAGS = BARE | int(imgui.WindowFlags_.no_background)


class ShadingPie:
    """The menu, shown while `state.interface.pie` is set."""

    def __init__(self) -> None:
        self._open = False
        self._center = (0.0, 0.0)
        self._start: ImVec2 | None = None
        self._key: imgui.Key | None = None
        self._held = False

    def __call__(self, state: State, post: Post) -> None:
        """Draw the menu if it is open."""
        if not state.interface.pie:
            self._open = False
            return
        mouse, size = imgui.get_mouse_pos(), imgui.get_font_size()
        if not self._open:
            self._open, self._key = True, _key(state)
            self._held = self._key is not None and imgui.is_key_down(self._key)
            self._center = _inside(mouse, imgui.get_io().display_size, size * (RING + 3))
            self._start = mouse
            imgui.set_next_window_focus()
        imgui.set_next_window_pos(ImVec2(0, 0))
        imgui.set_next_window_size(imgui.get_io().display_size)
        imgui.begin("shading pie", None, FLAGS)
        aimed = self._aimed(mouse, size * HOLE)
        self._draw(state, aimed, size)
        imgui.end()
        if self._done(aimed):
            state.interface.pie = False
            if aimed is not None and not imgui.is_mouse_clicked(1):
                PARTS[aimed].run(state, post)

    def _aimed(self, mouse: ImVec2, hole: float) -> int | None:
        """The mode at the pointer; None before the pointer has moved, because near an edge of the screen the
        centre is not at the pointer.
        """
        if self._start is not None and math.hypot(mouse.x - self._start.x, mouse.y - self._start.y) < hole:
            return None
        self._start = None
        return part_at(mouse.x - self._center[0], mouse.y - self._center[1], hole)

    def _done(self, aimed: int | None) -> bool:
        """Whether a mode was chosen, or the menu was cancelled."""
        if self._held and self._key is not None and imgui.is_key_released(self._key):
            self._held = False
            return aimed is not None
        return imgui.is_mouse_clicked(1) or imgui.is_mouse_clicked(0)

    def _draw(self, state: State, aimed: int | None, size: float) -> None:
        draw, (x, y) = imgui.get_window_draw_list(), self._center
        middle = ImVec2(x, y)
        draw.add_circle_filled(middle, size * RING * 0.62, color32(GROUND, 0.55))
        draw.add_circle(middle, size * HOLE, color32(LINE), 0, 2.0)
        if aimed is not None:
            turn = _angle(aimed)
            draw.path_arc_to(middle, size * HOLE, turn - math.pi / len(PARTS), turn + math.pi / len(PARTS))
            draw.path_stroke(color32(ACCENT), 3.0)
        for number, action in enumerate(PARTS):
            turn = _angle(number)
            chosen = action.checked is not None and action.checked(state)
            position = ImVec2(x + math.cos(turn) * size * RING, y + math.sin(turn) * size * RING * FLAT)
            _name(action.title, position, number == aimed, chosen)


def _key(state: State) -> imgui.Key | None:
    """The key that opens the menu, without modifiers."""
    for text in filter(is_chord, active(state.interface.preferences)["shading_pie"]):
        return imgui.Key(chords(text)[0] & ~int(imgui.Key.mod_mask_))
    return None


def part_at(x: float, y: float, hole: float) -> int | None:
    """The index of the sector at `x`, `y` (positive downwards) from the centre; None inside the radius
    `hole`.
    """
    if math.hypot(x, y) < hole:
        return None
    return round((math.atan2(y, x) + math.pi / 2) / (2 * math.pi) * len(PARTS)) % len(PARTS)


def _angle(part: int) -> float:
    return 2 * math.pi * part / len(PARTS) - math.pi / 2


def _inside(mouse: ImVec2, screen: ImVec2, reach: float) -> tuple[float, float]:
    """Return the position of the pointer, moved so far inwards that a menu with radius `reach` is inside the
    screen.
    """
    known = imgui.is_mouse_pos_valid(mouse)
    axes = ((mouse.x, screen.x), (mouse.y, screen.y))
    x, y = (min(max(at, reach), max(end - reach, reach)) if known else end / 2 for at, end in axes)
    return x, y


def _name(text: str, position: ImVec2, aimed: bool, chosen: bool) -> None:
    draw, extent, pad = imgui.get_window_draw_list(), imgui.calc_text_size(text), imgui.get_font_size() / 2
    x, y = position.x - extent.x / 2, position.y - extent.y / 2
    low, high = ImVec2(x - pad, y - pad / 2), ImVec2(x + extent.x + pad, y + extent.y + pad / 2)
    draw.add_rect_filled(low, high, color32(ACCENT if aimed else RAISED), 4.0)
    draw.add_rect(low, high, color32(ACCENT if chosen else LINE), 4.0)
    ink = color32(GROUND if aimed else ACCENT if chosen else TEXT)
    draw.add_text(ImVec2(x, y), ink, text)
