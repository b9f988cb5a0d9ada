"""The rows of the settings window: label, note, control and the arrow that restores the default."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from imgui_bundle import ImVec2, imgui

from viewer.scene.text_filter import TextFilter
from viewer.session.preferences import MEBIBYTES, PERCENT
from viewer.session.requests import AddResourceFolder, Post, RemoveResourceFolder
from viewer.session.setting_rows import SettingRow
from viewer.session.state import State
from viewer.ui.kit.texts import fitted, label_text
from viewer.ui.kit.theme import ACCENT, FAINT, color32
from viewer.ui.kit.widgets import faint, hint, wrapped

RESET, REMOVE = "\uf0e2", "\uf00d"
CONTROL, NARROW = 13.0, 30.0
"""Widths in letter heights. A control is CONTROL wide. In a window narrower than NARROW, the controls are
below the notes.
"""
WIDE = ("text", "list")
"""The kinds of controls that are as wide as the row."""
MEBI = 20
"""The exponent of a mebibyte: 2^20 bytes."""
LARGEST = 1 << 40
"""The largest value in bytes that a size field accepts."""
CLAMP = int(imgui.SliderFlags_.always_clamp)
RATIO = CLAMP | int(imgui.SliderFlags_.logarithmic)
MARGIN, BAR = 0.6, 0.2
"""Widths in letter heights: the margin to the left of a row, and the bar in this margin that marks a changed
row.
"""
RESOURCES = "resources"


class SettingControls:
    """Draws rows of settings. It keeps the values that are being edited, and sets them when the edit ends."""

    def __init__(self) -> None:
        self._edited: dict[str, Any] = {}

    def draw(self, row: SettingRow, state: State, post: Post, wanted: TextFilter) -> None:
        """Draw a row of a table with the columns text, control and arrow. The words of a filter are marked
        in its texts.
        """
        imgui.push_id(row.name)
        imgui.table_next_row()
        imgui.table_next_column()
        imgui.indent(imgui.get_font_size() * MARGIN)
        imgui.begin_group()
        imgui.align_text_to_frame_padding()
        wrapped(row.title, wanted=wanted)
        _note(row, wanted)
        below = row.control in WIDE or imgui.table_get_column_count() < len(("text", "control", "arrow"))
        if below:
            self._control(row, state, post)
        imgui.end_group()
        imgui.unindent(imgui.get_font_size() * MARGIN)
        changed = row.is_changed(state.interface.preferences)
        if changed:
            mark_changed()
        if imgui.table_get_column_count() > len(("text", "arrow")):
            imgui.table_next_column()
            if not below:
                self._control(row, state, post)
        imgui.table_next_column()
        if changed and reset_button("Reset to the default"):
            self._edited.pop(row.name, None)
            _restore(row, state, post)
        imgui.pop_id()

    def _control(self, row: SettingRow, state: State, post: Post) -> None:
        """Draw the control of a row for the type of its setting."""
        preferences = state.interface.preferences
        value = getattr(preferences, row.name)

        def assign(new: Any) -> None:
            setattr(preferences, row.name, new)

        imgui.set_next_item_width(-1)
        match row.control:
            case "switch":
                changed, on = imgui.checkbox("##on", value)
                if changed:
                    assign(on)
            case "choice":
                _choice(row, value, assign)
            case "number":
                self._number(row, value, assign)
            case "size":
                self._size(row, value, assign)
            case "text":
                self._text(row, value, assign)
            case _:
                _list(row, value, assign, post)

    def _edit(
        self,
        row: SettingRow,
        given: tuple[bool, Any],
        assign: Callable[[Any], None],
        made: Callable[[Any], Any],
    ) -> None:
        """Store the value that the user edits in the last widget. When the edit ends, pass `made(value)` to
        `assign`.
        """
        changed, value = given
        if changed:
            self._edited[row.name] = value
        if imgui.is_item_deactivated() and row.name in self._edited:
            assign(made(self._edited.pop(row.name)))

    def _number(self, row: SettingRow, value: float, assign: Callable[[Any], None]) -> None:
        """Draw a slider. The setting changes when the slider is released, because some settings change the
        size of the slider.
        """
        percent = row.unit == PERCENT
        factor, unit, flags = (100.0, "%%", RATIO) if percent else (1.0, row.unit, CLAMP)
        shown = self._edited.get(row.name, round(value * factor))
        limits = round(row.least * factor), round(row.most * factor)
        given = imgui.slider_int("##number", shown, *limits, f"%d {unit}", flags)
        self._edit(row, given, assign, lambda number: number / factor)

    def _size(self, row: SettingRow, value: int | None, assign: Callable[[Any], None]) -> None:
        """Draw a field for a size in mebibytes."""
        imgui.set_next_item_width(imgui.get_font_size() * CONTROL / 2)
        shown = self._edited.get(row.name, (row.empty if value is None else value) >> MEBI)
        given = imgui.input_int("##size", shown, 0)
        self._edit(row, given, assign, lambda number: _bytes(row, number))
        imgui.same_line()
        faint(MEBIBYTES)

    def _text(self, row: SettingRow, value: str, assign: Callable[[Any], None]) -> None:
        """Draw a field for a path."""
        shown = self._edited.get(row.name, value)
        given = imgui.input_text_with_hint("##text", row.hint, shown)
        self._edit(row, given, assign, _path)


def mark_changed() -> None:
    """Mark the row drawn last as changed, with a bar in the margin to its left."""
    low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
    width = imgui.get_font_size() * BAR
    left = low.x - imgui.get_font_size() * MARGIN
    imgui.get_window_draw_list().add_rect_filled(
        ImVec2(left, low.y), ImVec2(left + width, high.y), color32(ACCENT), width / 2
    )


def reset_button(text: str) -> bool:
    """Draw the arrow that restores a default; return whether it was clicked."""
    clicked = imgui.button(f"{RESET}##reset")
    hint(text)
    return clicked


def _note(row: SettingRow, wanted: TextFilter) -> None:
    """Draw the note directly below the title."""
    imgui.set_cursor_pos_y(imgui.get_cursor_pos_y() - imgui.get_style().item_spacing.y)
    wrapped(row.note, FAINT, wanted)
    if row.applies:
        wrapped(row.applies, FAINT, wanted)


def _choice(row: SettingRow, value: Any, assign: Callable[[Any], None]) -> None:
    labels = dict(row.choices)
    if imgui.begin_combo("##choice", labels.get(value, str(value))):
        for each, label in row.choices:
            if imgui.selectable(label, each == value)[0]:
                assign(each)
        imgui.end_combo()


def _list(row: SettingRow, value: list[str], assign: Callable[[Any], None], post: Post) -> None:
    """Draw each entry of a list with a button that removes it. For resource folders, draw buttons to add a
    folder or an archive.
    """
    for number, entry in enumerate(value):
        imgui.push_id(number)
        if imgui.button(f"{REMOVE}##remove"):
            if row.name == RESOURCES:
                post(RemoveResourceFolder(entry))
            else:
                assign([each for each in value if each != entry])
        hint(f"Remove {entry}")
        imgui.same_line()
        imgui.text_unformatted(fitted(label_text(entry), imgui.get_content_region_avail().x))
        imgui.pop_id()
    if not value:
        faint("None")
    if row.name == RESOURCES:
        if imgui.button("Add a folder…"):
            post(AddResourceFolder())
        imgui.same_line()
        if imgui.button("Add an archive or resources.cfg…"):
            post(AddResourceFolder(archive=True))


def _restore(row: SettingRow, state: State, post: Post) -> None:
    """Set a setting to its default."""
    if row.name == RESOURCES:
        for each in state.interface.preferences.resources:
            post(RemoveResourceFolder(each))
    else:
        setattr(state.interface.preferences, row.name, row.default)


def _bytes(row: SettingRow, mebibytes: int) -> int | None:
    """Convert mebibytes to bytes, at most LARGEST. None for the size that the setting stores as null."""
    size = min(max(mebibytes, 0) << MEBI, LARGEST)
    return None if row.empty and size == row.empty else size


def _path(text: str) -> str:
    """The absolute path of an entered text; empty for no text."""
    text = text.strip()
    return os.path.abspath(os.path.expanduser(text)) if text else ""
