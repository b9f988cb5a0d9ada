"""The keys of all actions: shown, changed and reset."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from viewer.actions import ACTIONS, ACTIONS_BY_NAME, Action
from viewer.actions.bindings import active, changed, default_keys, reset
from viewer.errors import counted
from viewer.scene.text_filter import TextFilter
from viewer.session.preferences import Preferences
from viewer.session.state import State
from viewer.ui.kit.dialogs import ENTER, default_button
from viewer.ui.kit.shortcuts import is_chord
from viewer.ui.kit.texts import cut
from viewer.ui.kit.theme import FAINT, WARNING, rgba
from viewer.ui.kit.widgets import clipped, colored, hint, mark_words, mono
from viewer.ui.settings.controls import MARGIN, mark_changed, reset_button
from viewer.ui.settings.key_capture import KeyCapture, owner

ADD = "\uf067"
RESET_ALL = "reset all keys"
KEYS, ARROW = 17.0, 2.0
"""Widths in letter heights: the column of the keys, and the column of the arrow that restores the default
keys.
"""
SHARE = 0.6
"""The largest share of the width that the keys take."""
TABLE = int(imgui.TableFlags_.pad_outer_x)


class KeyRows:
    """Draws a row for each action, with the title of its menu above the first action of a menu."""

    def __init__(self) -> None:
        self._capture = KeyCapture()

    def draw(self, state: State, wanted: TextFilter, only_changed: bool) -> None:
        """Draw the rows of the actions whose title, menu, name or keys contain all words of a filter."""
        preferences = state.interface.preferences
        rows = listed(preferences, wanted, only_changed)
        width = imgui.get_content_region_avail().x
        if rows and imgui.begin_table("keys", 3, TABLE):
            fixed, letter = imgui.TableColumnFlags_.width_fixed, imgui.get_font_size()
            imgui.table_setup_column("action", imgui.TableColumnFlags_.width_stretch)
            imgui.table_setup_column("keys", fixed, min(letter * KEYS, width * SHARE))
            imgui.table_setup_column("arrow", fixed, letter * ARROW)
            for number in clipped(len(rows), imgui.get_frame_height() + 2 * imgui.get_style().cell_padding.y):
                imgui.push_id(number)
                imgui.table_next_row()
                imgui.table_next_column()
                row = rows[number]
                if isinstance(row, str):
                    imgui.align_text_to_frame_padding()
                    colored(row, FAINT)
                    mark_words(wanted, row)
                else:
                    self._row(state, row, wanted)
                imgui.pop_id()
            imgui.end_table()

    def dialogs(self, state: State) -> None:
        """Draw the dialog that waits for keys. Call it outside of scrolled windows."""
        self._capture.draw(state)

    def close(self, state: State) -> None:
        """Stop waiting for keys."""
        self._capture.close(state)

    def _row(self, state: State, action: Action, wanted: TextFilter) -> None:
        preferences = state.interface.preferences
        keys, default = active(preferences)[action.name], default_keys(preferences)[action.name]
        imgui.align_text_to_frame_padding()
        imgui.indent(imgui.get_font_size() * MARGIN)
        title = cut(action.title, imgui.get_content_region_avail().x)
        imgui.text_unformatted(title)
        mark_words(wanted, title)
        imgui.unindent(imgui.get_font_size() * MARGIN)
        if keys != default:
            mark_changed()
        imgui.table_next_column()
        with mono():
            for number, chord in enumerate(filter(is_chord, keys)):
                if imgui.button(f"{chord}###{number}"):
                    self._capture.open(state, action.name, chord)
                low, padding = imgui.get_item_rect_min(), imgui.get_style().frame_padding
                mark_words(wanted, chord, ImVec2(low.x + padding.x, low.y + padding.y))
                hint(f"Change {chord}")
                imgui.same_line()
            _unused(preferences, action.name, keys)
        imgui.push_style_color(imgui.Col_.text, rgba(FAINT))
        if imgui.button(f"{ADD}##add"):
            self._capture.open(state, action.name)
        imgui.pop_style_color()
        hint("Add keys")
        imgui.table_next_column()
        if keys != default and reset_button(f"Reset to {', '.join(default) or 'no keys'}"):
            reset(preferences, action.name)


def reset_all(state: State) -> None:
    """Draw the button that resets all keys, and the popup that asks for confirmation."""
    preferences = state.interface.preferences
    count = len(changed(preferences))
    imgui.begin_disabled(not count)
    if imgui.button("Reset all keys…"):
        imgui.open_popup(RESET_ALL)
    imgui.end_disabled()
    if imgui.begin_popup(RESET_ALL):
        imgui.text_unformatted(f"Reset the keys of {counted(count, 'action')}?")
        # if a button has the focus, Enter presses that button
        focused = imgui.get_current_context().nav_cursor_visible
        enter = not focused and any(imgui.is_key_pressed(key, False) for key in ENTER)
        if default_button("Reset", enter=False) or enter:
            preferences.keys.clear()
            imgui.close_current_popup()
        imgui.same_line()
        if imgui.button("Cancel"):
            imgui.close_current_popup()
        imgui.end_popup()


def listed(preferences: Preferences, wanted: TextFilter, only_changed: bool) -> list[Action | str]:
    """Return the actions to list, with the titles of their menus above them."""
    keys, differing = active(preferences), frozenset(changed(preferences))
    found: dict[str, list[Action]] = {}
    for action in ACTIONS:
        if (action.name in differing or not only_changed) and wanted.fits(
            *action.menu, action.title, action.name, *keys[action.name]
        ):
            found.setdefault(" · ".join(action.menu), []).append(action)
    rows: list[Action | str] = []
    for menu, actions in found.items():
        rows += [menu, *actions]
    return rows


def _unused(preferences: Preferences, name: str, keys: tuple[str, ...]) -> None:
    """Draw the user's keys of an action that do not work: another action has them, or they do not exist."""
    for chord in preferences.keys.get(name, ()):
        if chord in keys and is_chord(chord):
            continue
        other = owner(preferences, chord, name) if is_chord(chord) else ""
        title = ACTIONS_BY_NAME[other].title if other else ""
        colored(f"{chord}: {title}" if title else f"{chord}?", WARNING)
        hint(f"{chord} is a key of “{title}”" if title else f"No key is called {chord}")
        imgui.same_line()
