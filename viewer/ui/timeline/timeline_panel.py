"""The Timeline panel: a ruler to set time and playback range, and a dope sheet with all keyframes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from imgui_bundle import ImVec2, imgui

from viewer.actions import ACTIONS_BY_NAME
from viewer.animation.key_times import KeyTimes, keys
from viewer.errors import printable
from viewer.scene.animation import Animation
from viewer.scene.items import BoneItem
from viewer.scene.text_filter import EVERYTHING, TextFilter
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.item_menu import action_entry
from viewer.ui.kit.texts import label_text
from viewer.ui.kit.widgets import Memo, filter_box, hint, nothing, still, toggle
from viewer.ui.timeline.dope_sheet import (
    REACH,
    DopeRow,
    DopeSheetView,
    dope_rows,
    draw_marks,
    draw_rows,
    item_of,
    key_text,
)
from viewer.ui.timeline.keys import select
from viewer.ui.timeline.ruler import (
    TimelineBands,
    TimeScale,
    draw_ends,
    draw_events,
    draw_playhead,
    draw_range,
    draw_ruler,
    ends_of,
    gap_text,
    label,
)

if TYPE_CHECKING:
    from viewer.ui.timeline.motion_overlay import MotionOverlay

ROWS = {"animated": "Animated bones", "all": "All bones", "selected": "Selected bone and below"}
FOLLOW, FRAMES, WHOLE, HEAT, CONTACTS = "\uf05b", "\uf292", "\uf31e", "\uf06d", "\uf54b"
BUTTON_ROW = (
    (HEAT, "heat"),
    (CONTACTS, "contacts"),
    (FRAMES, "frames"),
    (FOLLOW, "follow"),
    (WHOLE, "fit_timeline"),
)
LASTING = 3
"""The buttons at the right end of the header: icons and actions. Where there is less room, the first of them
are left out, but for the last LASTING.
"""


def header(state: State, post: Post, layer: int, wanted: TextFilter, find: bool) -> TextFilter:
    """Draw the header for the animation with the index `layer` in the playlist; return the new filter.

    `wanted` is the present filter. With `find`, the filter gets the keyboard focus.
    """
    size, room = imgui.get_font_size(), imgui.get_content_region_avail().x
    arrow = imgui.get_frame_height() + 2 * imgui.get_style().frame_padding.x
    imgui.set_next_item_width(max(imgui.calc_text_size(title).x for title in ROWS.values()) + arrow)
    _rows(state)
    imgui.same_line()
    wanted = filter_box("filter", wanted, find, width=min(size * 10, room * 0.25))
    if len(state.view.playlist) > 1:
        imgui.same_line()
        imgui.set_next_item_width(min(size * 10, room * 0.2))
        _layers(state, layer)
    imgui.same_line()
    _buttons(state, post)
    return wanted


def _rows(state: State) -> None:
    timeline = state.view.timeline
    if imgui.begin_combo("##rows", ROWS[timeline.rows]):
        for name, title in ROWS.items():
            if imgui.selectable(title, name == timeline.rows)[0]:
                timeline.rows = name  # type: ignore[assignment]
        imgui.end_combo()


def _layers(state: State, layer: int) -> None:
    if imgui.begin_combo("##layer", printable(state.view.playlist[layer].animation.name)):
        for number, chosen in enumerate(state.view.playlist):
            if imgui.selectable(f"{label_text(chosen.animation.name)}##{number}", number == layer)[0]:
                state.view.timeline.layer = number
        imgui.end_combo()


def _buttons(state: State, post: Post) -> None:
    side = imgui.get_frame_height() * 1.25
    room = imgui.get_content_region_avail().x
    shown = BUTTON_ROW[-max(int((room + 2) // (side + 2)), LASTING) :]
    imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + max(room - len(shown) * (side + 2) + 2, 0))
    for number, (icon, name) in enumerate(shown):
        action = ACTIONS_BY_NAME[name]
        on = action.checked is None or action.checked(state)
        if number:
            imgui.same_line(0, 2)
        if toggle(f"{icon}##{name}", on, ImVec2(side, imgui.get_frame_height())):
            action.run(state, post)
        hint(action.title)


def range_menu(state: State) -> None:
    """Draw the context menu of the timeline while it is open."""
    if not imgui.begin_popup("range"):
        return
    for name in ("range_start", "range_end", "range_reset", "fit_timeline", "follow", "frames"):
        action_entry(state, lambda request: None, ACTIONS_BY_NAME[name])
    imgui.end_popup()


LEFT, RIGHT, MIDDLE = 0, 1, 2
BUTTONS = int(
    imgui.ButtonFlags_.mouse_button_left
    | imgui.ButtonFlags_.mouse_button_right
    | imgui.ButtonFlags_.mouse_button_middle
)
NOTCH = 1.2
"""The zoom factor of one notch of the wheel."""


class TimelinePanel:
    """The panel, for one of the playing animations."""

    def __init__(self) -> None:
        self._filter = EVERYTHING
        self._names = 0.0
        self._drag = ""
        self._moved = False
        self._at = 0.0
        self._bone: int | None = None
        self._rows, self._marks = Memo(), Memo()
        self._motion_overlay: MotionOverlay | None = None

    def __call__(self, state: State, post: Post) -> None:
        """Draw the dope sheet, or a text if nothing plays."""
        if not state.view.playlist:
            nothing(still(state))
            return
        animation = state.playback.keyed
        assert animation is not None, "a clip plays"
        layer = min(state.view.timeline.layer, len(state.view.playlist) - 1)
        find = state.interface.find_requested("timeline")
        self._filter = header(state, post, layer, self._filter, find)
        at = state.view.clock.shown(state.playback.duration)
        state.view.timeline.keep_in_sight(self._at, at, state.playback.duration)
        self._at = at
        shown = imgui.begin_child("sheet")
        if shown:
            self._sheet(state, animation, keys(animation))
        imgui.end_child()

    def _sheet(self, state: State, animation: Animation, found: KeyTimes) -> None:
        rows: list[DopeRow] = self._rows.get(
            (animation, state.skeleton, state.view.timeline.rows, self._filter, self._picked(state)),
            lambda: dope_rows(
                animation, found, state.skeleton, state.view.timeline.rows, self._filter, state.view.bone
            ),
        )
        sheet = self._layout(state, animation, found, rows)
        self._names_area(state, sheet)
        self._time_area(state, sheet)
        ends = ends_of(found)
        corner = ImVec2(sheet.scale.left, sheet.bands.ruler)
        imgui.push_clip_rect(corner, ImVec2(corner.x + sheet.scale.width, sheet.bands.bottom), True)
        draw_ends(state, sheet.scale, sheet.bands, ends)
        draw_ruler(state, sheet.scale, sheet.bands)
        imgui.pop_clip_rect()
        draw_rows(state, sheet)
        draw_marks(state, sheet, self._marks, self._motion(state))
        imgui.push_clip_rect(corner, ImVec2(corner.x + sheet.scale.width, sheet.bands.bottom), True)
        draw_range(state, sheet.scale, sheet.bands)
        draw_events(sheet.scale, sheet.bands, animation.events)
        draw_playhead(state, sheet.scale, sheet.bands, state.view.clock.shown(state.playback.duration))
        imgui.pop_clip_rect()

    def _motion(self, state: State) -> MotionOverlay | None:
        """What draws the heat map and the contacts of feet; None while neither is shown."""
        if not state.view.timeline.heat and not state.view.timeline.contacts:
            return None
        if self._motion_overlay is None:
            # Imported late, because few windows judge a motion.
            from viewer.ui.timeline.motion_overlay import MotionOverlay

            self._motion_overlay = MotionOverlay()
        state.motion.wanted = True
        return self._motion_overlay

    def _picked(self, state: State) -> int | None:
        return state.view.bone if state.view.timeline.rows == "selected" else None

    def _layout(
        self, state: State, animation: Animation, found: KeyTimes, rows: list[DopeRow]
    ) -> DopeSheetView:
        """Lay out the parts of the panel. Rows scroll by whole lines under the fixed ruler."""
        size = imgui.get_font_size()
        line, origin = round(size * 1.25), imgui.get_window_pos()
        room, height = imgui.get_content_region_avail().x, imgui.get_window_height()
        self._names = min(max(self._names or size * 13, size * 4), room * 0.5)
        events = line if animation.events else 0
        top = round(size * 1.7) + events + line
        imgui.dummy(ImVec2(1, top + len(rows) * line))
        self._reveal(state, rows, line, height - top)
        first = round(imgui.get_scroll_y() / line)
        count = max(math.ceil((height - top) / line), 1)
        ruler = origin.y
        bands = TimelineBands(
            ruler, ruler + round(size * 1.7), ruler + top - line, ruler + top, ruler + height
        )
        view = state.view.timeline.visible_range(state.playback.duration)
        scale = TimeScale(*view, origin.x + self._names, max(room - self._names, 1.0))
        return DopeSheetView(
            animation, found, rows[first : first + count], first, line, origin.x, scale, bands, self._filter
        )

    def _reveal(self, state: State, rows: list[DopeRow], line: float, room: float) -> None:
        """Scroll to a bone that another panel has selected."""
        bone = state.view.bone
        if bone == self._bone:
            return
        self._bone = bone
        at = next((n for n, row in enumerate(rows) if row.bone == bone and bone is not None), None)
        if at is not None and not imgui.get_scroll_y() <= at * line <= imgui.get_scroll_y() + room - line:
            imgui.set_scroll_y(max(at * line - room / 2, 0))

    def _names_area(self, state: State, sheet: DopeSheetView) -> None:
        """Handle the mouse over the names. A click selects a bone; dragging the edge changes the width."""
        bands, size = sheet.bands, imgui.get_font_size()
        imgui.set_cursor_screen_pos(ImVec2(sheet.scale.left - 4, bands.ruler))
        imgui.invisible_button("edge", ImVec2(6, bands.bottom - bands.ruler))
        if imgui.is_item_hovered() or imgui.is_item_active():
            imgui.set_mouse_cursor(imgui.MouseCursor_.resize_ew)
        if imgui.is_item_active():
            self._names = max(imgui.get_mouse_pos().x - sheet.names, size * 4)
        imgui.set_cursor_screen_pos(ImVec2(sheet.names, bands.rows))
        wide = max(sheet.scale.left - 4 - sheet.names, 1)
        imgui.invisible_button("names", ImVec2(wide, max(bands.bottom - bands.rows, 1)))
        row = sheet.row_at(imgui.get_mouse_pos().y) if imgui.is_item_hovered() else None
        if row is None:
            return
        if row.bone is None:
            hint(f"No bone has the name {printable(row.name)}")
            return
        if "…" in sheet.fitted_name(row)[1]:
            hint(printable(row.name))
        state.view.selection.point(BoneItem(row.bone))
        if imgui.is_item_clicked():
            self._bone = None if state.view.bone == row.bone else row.bone
            state.view.bone = self._bone
            state.view.selection.pick(None if self._bone is None else BoneItem(self._bone))

    def _time_area(self, state: State, sheet: DopeSheetView) -> None:
        """Handle the mouse over the times.

        With the left button the user sets the time, selects a keyframe, or moves an end of the playback
        range. The middle and the right button pan; the wheel zooms.
        """
        bands, scale = sheet.bands, sheet.scale
        imgui.set_cursor_screen_pos(ImVec2(scale.left, bands.ruler))
        imgui.invisible_button("time", ImVec2(scale.width, bands.bottom - bands.ruler), BUTTONS)
        mouse, io = imgui.get_mouse_pos(), imgui.get_io()
        if imgui.is_item_activated():
            self._press(state, sheet, mouse)
        elif imgui.is_item_active():
            self._pull(state, scale, mouse.x, io.mouse_delta.x)
        if not imgui.is_item_hovered():
            range_menu(state)
            return
        self._wheel(state, scale, mouse.x, io)
        if self._handle(state, sheet, mouse):
            imgui.set_mouse_cursor(imgui.MouseCursor_.resize_ew)
        self._point(state, sheet, mouse)
        if imgui.is_mouse_released(RIGHT) and not self._moved:
            imgui.open_popup("range")
        range_menu(state)

    def _press(self, state: State, sheet: DopeSheetView, mouse: ImVec2) -> None:
        self._moved = False
        if not imgui.is_mouse_down(LEFT):
            self._drag = "pan"
            return
        self._drag = self._handle(state, sheet, mouse) or "time"
        hit = sheet.key_at(mouse.x, mouse.y, REACH * imgui.get_font_size() / 15)
        if hit is None:
            self._pull(state, sheet.scale, mouse.x, 0.0)
            return
        self._drag = "key"
        row, key = hit
        times = sheet.keys.all if row is None or row.keys is None else sheet.keys.row(row.keys)
        state.view.clock.hold()
        state.view.clock.show(float(times[key]), state.playback.duration)
        if row is not None:
            self._select(state, sheet, row, key)

    def _select(self, state: State, sheet: DopeSheetView, row: DopeRow, key: int) -> None:
        """Select a keyframe and its bone, or only the bone if the bytes of the keyframe are unknown."""
        item = item_of(state, sheet, row, key)
        if item is None and row.bone is not None:
            state.view.selection.pick(BoneItem(row.bone))
        select(state, sheet.animation, item)
        if row.bone is not None:
            self._bone = state.view.bone = row.bone

    def _pull(self, state: State, scale: TimeScale, x: float, moved: float) -> None:
        at, duration = scale.time(x), state.playback.duration
        self._moved |= imgui.is_mouse_dragging(RIGHT) or imgui.is_mouse_dragging(MIDDLE)
        start, end = state.view.clock.range or (0.0, duration)
        if self._drag in ("time", "key"):
            state.view.clock.hold()
        if self._drag == "pan":
            state.view.timeline.pan(-moved / scale.density, duration)
        elif self._drag == "time":
            state.view.clock.show(at, duration)
        elif self._drag == "start" and 0 <= at < end:
            state.view.clock.trim(at, end)
        elif self._drag == "end" and start < at <= duration:
            state.view.clock.trim(start, at)

    def _handle(self, state: State, sheet: DopeSheetView, mouse: ImVec2) -> str:
        """The end of the playback range whose handle is under the pointer: `start` or `end`; empty if there
        is none.
        """
        if not sheet.bands.events - imgui.get_font_size() * 0.75 <= mouse.y <= sheet.bands.events:
            return ""
        start, end = state.view.clock.range or (0.0, state.playback.duration)
        reach = imgui.get_font_size() * 0.5
        if abs(mouse.x - sheet.scale.x(end) + reach / 2) <= reach:
            return "end"
        return "start" if abs(mouse.x - sheet.scale.x(start) - reach / 2) <= reach else ""

    def _wheel(self, state: State, scale: TimeScale, x: float, io: imgui.IO) -> None:
        """Zoom around the pointer with the wheel.

        With Ctrl, or if the wheel is turned sideways, pan instead. With Shift, ImGui scrolls the rows.
        """
        imgui.set_item_key_owner(imgui.Key.mouse_wheel_x)
        if not io.key_shift:
            imgui.set_item_key_owner(imgui.Key.mouse_wheel_y)
        aside = io.mouse_wheel_h + (io.mouse_wheel if io.key_ctrl else 0.0)
        if aside:
            state.view.timeline.pan(-aside * 0.1 * (scale.end - scale.start), state.playback.duration)
        elif io.mouse_wheel and not io.key_shift:
            state.view.timeline.zoom(scale.time(x), NOTCH**-io.mouse_wheel, state.playback.duration)

    def _point(self, state: State, sheet: DopeSheetView, mouse: ImVec2) -> None:
        """Hover the bone of the row under the pointer, and show the tooltip of a keyframe or event."""
        row = sheet.row_at(mouse.y)
        if row is not None and row.bone is not None:
            state.view.selection.point(BoneItem(row.bone))
        hit = sheet.key_at(mouse.x, mouse.y, REACH)
        if hit is not None:
            hint(lambda: key_text(state, sheet, *hit))
        elif sheet.bands.events <= mouse.y < sheet.bands.summary:
            for event in sheet.animation.events:
                if 0 <= mouse.x - sheet.scale.x(event.time) < imgui.get_font_size():
                    below = ImVec2(sheet.scale.x(event.time), sheet.bands.summary)
                    when = label(event.time, state.view.clock.fps, False)
                    hint(f"{printable(event.name)}   {when} s", below)
        elif gap := gap_text(state, ends_of(sheet.keys), sheet.scale.time(mouse.x)):
            hint(gap)
        elif mouse.y < sheet.bands.events:
            hint(
                "Drag to set the time. Wheel: zoom. Middle or right drag: pan. "
                "The flags set the playback range."
            )
