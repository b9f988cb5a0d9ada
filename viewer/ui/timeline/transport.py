"""The Transport panel: buttons to play and step, the time, a slider, speed, frame rate and loop mode."""

from __future__ import annotations

import math

from imgui_bundle import ImVec2, imgui

from viewer.actions import ACTIONS_BY_NAME, Action
from viewer.actions.bindings import shown_key
from viewer.actions.playback import RATES, SPEEDS, is_playing, next_loop
from viewer.errors import printable
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.kit.theme import ACCENT, color32
from viewer.ui.kit.widgets import faint, hint, mono, toggle

FIRST, LAST, PAUSE, ONCE, LOOP, TO_AND_FRO = "\uf049", "\uf050", "\uf04c", "\uf178", "\uf2f9", "\uf362"
FORWARDS, BACKWARDS, NEXT, BACK, NEXT_KEY, BACK_KEY = (
    "\uf04b",
    "\uf04a",
    "\uf051",
    "\uf048",
    "\uf101",
    "\uf100",
)
IN_PLACE = "\uf3c5"
LOOPS = {"loop": (LOOP, "loop"), "once": (ONCE, "play once"), "pingpong": (TO_AND_FRO, "ping-pong")}
TYPED = int(imgui.InputTextFlags_.enter_returns_true | imgui.InputTextFlags_.auto_select_all)
NARROWEST, NARROW, WIDE = 22, 33, 46
"""Widths of the panel in letters. Up to WIDE, the frame, the key steps and the rate are hidden; up to NARROW
also the speed and the buttons for the ends of the clip; up to NARROWEST also the time fields.
"""
FASTEST = 8.0
"""The highest speed, forwards and backwards."""
DIGITS = 5
"""The least width, in letters, of the fields for time and frame."""


def transport(state: State, post: Post) -> None:
    """Draw all time controls in one line. Without a playing animation the fields are disabled."""
    width = imgui.get_content_region_avail().x / imgui.get_font_size()
    _buttons(state, post, width)
    imgui.same_line()
    if width > NARROWEST:
        imgui.begin_disabled(not state.view.playlist)
        _fields(state, frames=width > WIDE)
        imgui.end_disabled()
        imgui.same_line()
    scrub(state, imgui.get_content_region_avail().x - _tail_width((width > WIDE) + (width > NARROW)))
    imgui.same_line()
    if width > NARROW:
        speed_field(state)
        imgui.same_line()
    if width > WIDE:
        _rate(state)
        imgui.same_line()
    _loop(state, post)
    imgui.same_line(0, 2)
    _in_place(state, post)


def _buttons(state: State, post: Post, width: float) -> None:
    playing, back = is_playing(state), state.view.clock.speed < 0
    rows = (
        (FIRST, "first_frame"),
        (BACK_KEY, "previous_key"),
        (BACK, "previous_frame"),
        (PAUSE if playing and back else BACKWARDS, "play_backwards"),
        (PAUSE if playing and not back else FORWARDS, "play_forwards"),
        (NEXT, "next_frame"),
        (NEXT_KEY, "next_key"),
        (LAST, "last_frame"),
    )
    for icon, name in rows:
        if width > WIDE or (not name.endswith("_key") and (width > NARROW or icon not in (FIRST, LAST))):
            _button(icon, ACTIONS_BY_NAME[name], state, post)
            imgui.same_line(0, 2)


def _button(icon: str, action: Action, state: State, post: Post) -> None:
    imgui.begin_disabled(not action.enabled(state))
    clicked = imgui.button(f"{icon}##{action.name}", _button_size())
    imgui.end_disabled()
    hint(lambda: _button_hint(action, state))
    if clicked:
        action.run(state, post)


def _button_hint(action: Action, state: State) -> str:
    key = shown_key(state.interface.preferences, "play" if action.name == "play_forwards" else action.name)
    return f"{action.title}   {key}".rstrip() + f"\n{action.refusal(state)}".rstrip()


def _fields(state: State, frames: bool) -> None:
    """Draw the fields for the time (`0.433 / 1.033 s`) and, with `frames`, for the frame (`13 / 31`)."""
    clock, duration = state.view.clock, state.playback.duration
    shown = clock.shown(duration)
    typed = _field("seconds", f"{shown:.3f}", f"{duration:.3f}")
    if typed is not None:
        clock.show(typed, duration)
    hint("Time in seconds. Click to type.")
    with mono():
        imgui.same_line(0, 4)
        imgui.text_disabled(f"/ {duration:.3f} s")
    if not frames:
        return
    imgui.same_line()
    typed = _field(
        "frame",
        f"{shown * clock.fps + 1e-4:.0f}" if _whole(shown * clock.fps) else f"{shown * clock.fps:.1f}",
        f"{duration * clock.fps:.1f}",
    )
    if typed is not None:
        clock.show(typed / clock.fps, duration)
    hint(lambda: f"Frame, at {clock.fps:g} frames per second. Click to type.")
    with mono():
        imgui.same_line(0, 4)
        imgui.text_disabled(f"/ {math.ceil(duration * clock.fps - 1e-6)}")


def _whole(frame: float) -> bool:
    return abs(frame - round(frame)) < 1e-3


def _field(name: str, text: str, longest: str) -> float | None:
    """Draw a number field, at least as wide as the text `longest`.

    Return the entered number; None if nothing was entered.
    """
    with mono():
        letters = max(len(text), len(longest), DIGITS) * imgui.calc_text_size("0").x
        imgui.set_next_item_width(letters + 2 * imgui.get_style().frame_padding.x + 1)
        entered, typed = imgui.input_text(f"##{name}", text, TYPED)
    try:
        value = float(typed.replace(",", ".")) if entered else math.nan
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def scrub(state: State, width: float) -> None:
    """Draw the slider over the whole clip. The clock is stopped while the user drags it."""
    duration = state.playback.duration
    imgui.begin_disabled(duration <= 0)
    imgui.set_next_item_width(max(width, imgui.get_font_size() * 3))
    shown = state.view.clock.shown(duration)
    least = 1 / state.view.clock.fps
    changed, value = imgui.slider_float(
        "##time", shown, 0.0, max(duration, least), "", imgui.SliderFlags_.always_clamp
    )
    if imgui.is_item_active():
        state.view.clock.hold()
    if duration > 0:
        _ticks(state, duration)
    if changed:
        state.view.clock.show(value, duration)
    imgui.end_disabled()


def _ticks(state: State, duration: float) -> None:
    """Draw marks at the animation's events, and a line under the playback range."""
    low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
    draw = imgui.get_window_draw_list()
    if state.playback.trimmed and state.view.clock.range:
        start, end = (low.x + (high.x - low.x) * at / duration for at in state.view.clock.range)
        draw.add_rect_filled(ImVec2(start, high.y - 2), ImVec2(end, high.y), color32(ACCENT, 0.6))
    for chosen in state.view.playlist:
        for event in chosen.animation.events:
            x = low.x + (high.x - low.x) * min(max(event.time / duration, 0.0), 1.0)
            draw.add_line(ImVec2(x, high.y - 5), ImVec2(x, high.y), color32(ACCENT, 0.8))
            if imgui.is_item_hovered() and abs(imgui.get_mouse_pos().x - x) < 3:
                hint(f"{printable(event.name)}   {event.time:.3f} s")


def _tail_width(fields: int) -> float:
    """The width of the controls to the right of the slider: `fields` for speed and rate, and two buttons."""
    gap = imgui.get_style().item_spacing.x
    return fields * (_speed_width() + gap) + 2 * _button_size().x + gap + 2


def _button_size() -> ImVec2:
    side = imgui.get_frame_height()
    return ImVec2(side * 1.25, side)


def _speed_width() -> float:
    return imgui.get_font_size() * 4.8


def speed_field(state: State) -> None:
    """Draw the field for the speed. The user can drag or type it; a right click lists the usual speeds."""
    clock = state.view.clock
    imgui.set_next_item_width(_speed_width())
    with mono():
        changed, speed = imgui.drag_float("##speed", clock.speed, 0.01, -FASTEST, FASTEST, "%.2f×")
    if changed:
        clock.speed = speed
    hint(
        lambda: (
            f"Speed: {clock.speed * clock.fps:g} of the clip's {clock.fps:g} frames play in a second. A "
            "negative speed plays backwards. Drag, or Ctrl+click to type. Right click for usual speeds."
        )
    )
    if imgui.begin_popup_context_item("speeds"):
        typed = _field("frames a second", f"{clock.speed * clock.fps:g}", "-1000.5")
        if typed is not None:
            clock.speed = max(-FASTEST, min(typed / clock.fps, FASTEST))
        imgui.same_line()
        faint(f"of {clock.fps:g} frames a second")
        for each in (*SPEEDS, *(-each for each in SPEEDS if each >= 0.5)):
            if imgui.menu_item_simple(f"{each:g}×", f"{each * clock.fps:g} frames", each == clock.speed):
                clock.speed = each
        imgui.end_popup()


def _rate(state: State) -> None:
    imgui.set_next_item_width(_speed_width())
    if imgui.begin_combo("##rate", f"{state.view.clock.fps:g} fps"):
        for rate in RATES:
            if imgui.selectable(f"{rate:g} fps", rate == state.view.clock.fps)[0]:
                state.view.clock.fps = rate
        imgui.end_combo()
    hint("Frames per second, for steps and frame numbers. The playback speed does not change.")


def _loop(state: State, post: Post) -> None:
    """Draw the loop button. A click switches between loop, once and ping-pong."""
    icon, title = LOOPS[state.view.clock.loop]
    if toggle(f"{icon}##loop", state.playback.looped, _button_size()):
        next_loop(state, post)
    preferences = state.interface.preferences
    hint(
        lambda: (
            f"At the end: {title}   "
            + ", ".join(filter(None, (shown_key(preferences, name) for name in ("loop", "pingpong"))))
        )
    )


def _in_place(state: State, post: Post) -> None:
    """Draw the button that plays clips without the motion of the root."""
    action = ACTIONS_BY_NAME["in_place"]
    imgui.begin_disabled(not action.enabled(state))
    if toggle(f"{IN_PLACE}##in_place", state.view.clock.in_place, _button_size()):
        action.run(state, post)
    imgui.end_disabled()
    preferences = state.interface.preferences
    hint(
        lambda: (
            "In place: the root does not move over the ground   "
            f"{shown_key(preferences, action.name)}".rstrip()
            + f"\n{action.refusal(state)}".rstrip()
        )
    )
