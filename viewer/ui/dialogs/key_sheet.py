"""The key sheet: the mouse controls and the actions that have keys, with a filter."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from viewer.actions import ACTIONS
from viewer.actions.bindings import KeyMap, active
from viewer.actions.help import change_keys
from viewer.actions.presets import preset_of
from viewer.scene.text_filter import EVERYTHING, TextFilter
from viewer.session.preferences import PRESET_NAMES, Preferences
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.kit.theme import ACCENT, RAISED, rgba
from viewer.ui.kit.widgets import DIALOG, colored, faint, filter_box, mark_words, mono, nothing

SheetRows = tuple[tuple[str, str], ...]
Block = tuple[str, SheetRows]

WAYS = {
    "turn": "Turn",
    "move": "Move",
    "zoom": "Zoom",
    "roll": "Roll",
    "turn light": "Turn the light",
    "step": "Step through frames",
    "move sideways": "Move sideways",
    "move up": "Move up or down",
}
EVERYWHERE: Block = (
    "Everywhere",
    (
        ("Escape", "Close the topmost menu, popup or dialog; end the flight; leave the wall of files"),
        ("Enter", "Confirm a dialog"),
    ),
)
CLICKS: SheetRows = (
    ("Click", "Select"),
    ("Click again", "Select the next item under the pointer"),
    ("Double click", "Set orbit centre"),
    ("Click on the axes", "View along that axis"),
)
WIDE = 25
"""Width of a column in letters."""


class KeySheet:
    """The window of the key sheet, shown while `state.interface.help` is set."""

    def __init__(self) -> None:
        self._filter = EVERYTHING
        self._fresh = True

    def __call__(self, state: State, post: Post) -> None:
        """Draw the window if it is open."""
        if not state.interface.help:
            self._filter, self._fresh = EVERYTHING, True
            return
        screen = imgui.get_io().display_size
        imgui.set_next_window_pos(ImVec2(screen.x / 2, screen.y / 2), imgui.Cond_.always, ImVec2(0.5, 0.5))
        imgui.set_next_window_size(ImVec2(min(screen.x * 0.94, imgui.get_font_size() * 80), screen.y * 0.9))
        imgui.push_style_color(imgui.Col_.window_bg, rgba(RAISED))
        imgui.push_style_var(imgui.StyleVar_.window_border_size, 1.0)
        if self._fresh:
            imgui.set_next_window_focus()
        title = PRESET_NAMES.get(state.interface.preferences.preset, PRESET_NAMES["default"])
        shown, is_open = imgui.begin(f"{title}###keys", True, DIALOG)
        imgui.pop_style_var()
        imgui.pop_style_color()
        if shown:
            self._inside(state, post)
        imgui.end()
        self._fresh = False
        state.interface.help &= bool(is_open)

    def _inside(self, state: State, post: Post) -> None:
        preferences = state.interface.preferences
        if self._fresh:
            imgui.set_keyboard_focus_here()
        label = "Change keys…"
        self._filter = filter_box("keys", self._filter, beside=label)
        imgui.same_line()
        if imgui.button(label):
            change_keys(state, post)
        found = blocks(active(preferences), self._filter, preferences.preset)
        if imgui.begin_child("blocks"):
            if found:
                _columns(found, self._filter)
            else:
                nothing("No action has this name or key.")
        imgui.end_child()


def mouse_rows(preset: str) -> SheetRows:
    """Return the mouse controls of the picture. Modifier keys that make no difference are left out."""
    controls = preset_of(Preferences(preset=preset)).mouse
    ways = dict[str, list[str]]()
    for control, way in controls.items():
        held, _, bare = control.rpartition("+")
        if not held or controls[bare] != way:
            ways.setdefault(way, []).append(control)
    texts = {
        way: f"{', '.join(ways[way])} drag".replace("wheel drag", "wheel") for way in WAYS if way in ways
    }
    return (*((text[0].upper() + text[1:], WAYS[way]) for way, text in texts.items()), *CLICKS)


def blocks(keys: KeyMap, wanted: TextFilter, preset: str = "default") -> list[Block]:
    """Return the blocks, each with a title and rows of keys and actions.

    Only rows that contain all words of `wanted` are returned.
    """
    titles = dict.fromkeys(" · ".join(action.menu) for action in ACTIONS)
    mouse: Block = ("Mouse in the picture", mouse_rows(preset))
    listed = [mouse, EVERYWHERE, *((title, _rows(keys, title)) for title in titles)]
    matching = [(title, tuple(row for row in rows if wanted.fits(title, *row))) for title, rows in listed]
    return [(title, rows) for title, rows in matching if rows]


def _rows(keys: KeyMap, title: str) -> SheetRows:
    listed = [action for action in ACTIONS if keys[action.name] and " · ".join(action.menu) == title]
    return tuple(("  ".join(keys[action.name]), action.title) for action in listed)


def _columns(found: list[Block], wanted: TextFilter) -> None:
    """Draw the blocks in up to three columns of about the same height."""
    width = imgui.get_content_region_avail().x
    count = max(1, min(3, int(width / (imgui.get_font_size() * WIDE))))
    share = sum(len(rows) + 2 for _, rows in found) / count
    used, column = 0.0, 0
    imgui.begin_group()
    for title, rows in found:
        if used and used + len(rows) / 2 > share and column < count - 1:
            column += 1
            imgui.end_group()
            imgui.same_line(column * width / count)
            imgui.begin_group()
            used = 0.0
        used += len(rows) + 2
        _block(title, rows, (column + 1) * width / count - imgui.get_font_size(), wanted)
    imgui.end_group()


def _block(title: str, rows: SheetRows, end: float, wanted: TextFilter) -> None:
    """Draw the title and the rows of a block.

    The texts wrap at `end`, measured from the left edge of the window.
    """
    colored(title, ACCENT)
    mark_words(wanted, title)
    with mono():
        wide = max(imgui.calc_text_size(keys).x for keys, _ in rows) + imgui.get_font_size()
    for keys, what in rows:
        with mono():
            faint(keys)
            mark_words(wanted, keys)
        imgui.same_line(max(wide, imgui.get_font_size() * 9))
        imgui.push_text_wrap_pos(end)
        room = end - imgui.get_cursor_pos_x()
        imgui.text_unformatted(what)
        imgui.pop_text_wrap_pos()
        mark_words(wanted, what, room=max(room, 1.0))
    imgui.dummy(ImVec2(0, imgui.get_style().item_spacing.y))
