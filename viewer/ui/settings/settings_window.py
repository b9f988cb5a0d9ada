"""The settings window: a search, the groups, and the rows of the chosen group or of the search."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from viewer.scene.text_filter import EVERYTHING
from viewer.session.preferences import Group
from viewer.session.requests import Post
from viewer.session.setting_rows import SettingRow, rows_by_name, setting_rows
from viewer.session.state import State
from viewer.ui.dialogs.key_sheet import mouse_rows
from viewer.ui.kit.theme import ACCENT, LINE, color32
from viewer.ui.kit.widgets import colored, faint, filter_box, hint, mark_words, nothing, toggle
from viewer.ui.settings.controls import CONTROL, NARROW, WIDE, SettingControls
from viewer.ui.settings.key_rows import ARROW, KeyRows, listed, reset_all

WIDTH, HEIGHT, SHARE = 54.0, 36.0, 0.94
"""The size of the window in letter heights, and the largest share of the screen that it covers."""
SIDEBAR, GAP = 9.5, 0.7
"""The width of the list of groups, and the gap between two rows of settings, in letter heights."""
KEYS = "keys"
POINTED = 1.5
"""The time in seconds for which a row is marked after an action has opened the window at this row."""
FLAGS = int(
    imgui.WindowFlags_.no_collapse | imgui.WindowFlags_.no_docking | imgui.WindowFlags_.no_saved_settings
)
FLAT = int(imgui.ChildFlags_.nav_flattened)
TABLE = int(imgui.TableFlags_.pad_outer_x)


class SettingsWindow:
    """The window, shown while `state.interface.settings` is not None."""

    def __init__(self) -> None:
        self._search = EVERYTHING
        self._changed = False
        self._group = Group.LOOK
        self._open = False
        self._letter = 0.0
        self._pointed = ("", 0.0)
        self._scrolls = False
        self._controls = SettingControls()
        self._keys = KeyRows()

    def __call__(self, state: State, post: Post) -> None:
        """Draw the window if it is open."""
        interface = state.interface
        if interface.settings is None:
            if self._open:
                self._close(state)
            return
        fresh, self._open = not self._open, True
        if fresh:
            self._search, self._changed = EVERYTHING, False
        if interface.settings:
            self._go_to(interface.settings)
            interface.settings = ""
        screen, letter = imgui.get_io().display_size, imgui.get_font_size()
        size = ImVec2(min(letter * WIDTH, screen.x * SHARE), min(letter * HEIGHT, screen.y * SHARE))
        middle = ImVec2(screen.x / 2, screen.y / 2)
        when = imgui.Cond_.appearing if letter == self._letter else imgui.Cond_.always
        self._letter = letter
        imgui.set_next_window_pos(middle, when, ImVec2(0.5, 0.5))
        imgui.set_next_window_size(size, when)
        imgui.push_style_var(imgui.StyleVar_.window_border_size, 1.0)
        if fresh:
            imgui.set_next_window_focus()
        shown, is_open = imgui.begin("Settings###settings", True, FLAGS)
        imgui.pop_style_var()
        if shown:
            self._inside(state, post, fresh)
        self._keys.dialogs(state)
        imgui.end()
        if not is_open:
            interface.settings = None

    def _close(self, state: State) -> None:
        self._open = False
        self._keys.close(state)

    def _go_to(self, name: str) -> None:
        """Show the group of a setting, and mark its row for a while."""
        self._search, self._changed = EVERYTHING, False
        self._group = rows_by_name()[name].group
        self._pointed, self._scrolls = (name, imgui.get_time() + POINTED), True

    def _inside(self, state: State, post: Post, fresh: bool) -> None:
        """Draw the search, the groups and the rows."""
        letter = imgui.get_font_size()
        wide = imgui.get_content_region_avail().x > letter * (NARROW + SIDEBAR)
        self._head(fresh)
        imgui.spacing()
        if not wide:
            self._group_combo()
        elif imgui.begin_child("groups", ImVec2(letter * SIDEBAR, 0), FLAT):
            self._groups(state)
        if wide:
            imgui.end_child()
            imgui.same_line()
            corner, high = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().y
            imgui.get_window_draw_list().add_line(corner, ImVec2(corner.x, corner.y + high), color32(LINE))
            imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + imgui.get_style().item_spacing.x)
        if imgui.begin_child("rows", ImVec2(0, 0), FLAT):
            self._rows(state, post)
        imgui.end_child()

    def _head(self, fresh: bool) -> None:
        """Draw the search field and the switch for changed settings."""
        label = "Changed"
        self._search = filter_box("search", self._search, fresh, "Search settings and keys", label)
        imgui.same_line()
        if toggle(label, self._changed):
            self._changed = not self._changed
        hint("List only what differs from the defaults")

    def _groups(self, state: State) -> None:
        """Draw the groups. A click shows a group and ends the search."""
        searching = self._is_searching()
        for group in Group:
            found = not searching or self._found(state, group)
            imgui.begin_disabled(not found)
            if imgui.selectable(group.value, not searching and group is self._group)[0]:
                self._group, self._search, self._changed = group, EVERYTHING, False
            imgui.end_disabled()

    def _group_combo(self) -> None:
        """Draw the groups as a drop-down list, for a narrow window."""
        imgui.set_next_item_width(-1)
        if imgui.begin_combo("##group", "All groups" if self._is_searching() else self._group.value):
            for group in Group:
                if imgui.selectable(group.value, group is self._group)[0]:
                    self._group, self._search, self._changed = group, EVERYTHING, False
            imgui.end_combo()

    def _is_searching(self) -> bool:
        """Whether rows of all groups are listed."""
        return bool(self._search) or self._changed

    def _matches(self, state: State, row: SettingRow) -> bool:
        """Whether the search lists a row."""
        changed = row.is_changed(state.interface.preferences)
        return self._search.fits(row.text) and (changed or not self._changed)

    def _found(self, state: State, group: Group) -> bool:
        """Whether the search lists a setting or an action of a group."""
        rows = any(row.group is group and self._matches(state, row) for row in setting_rows())
        keys = group is Group.KEYS and listed(state.interface.preferences, self._search, self._changed)
        return rows or bool(keys)

    def _rows(self, state: State, post: Post) -> None:
        """Draw the rows of the chosen group, or of all groups that the search finds."""
        if not self._is_searching():
            self._draw_group(state, post, self._group)
            return
        groups = [group for group in Group if self._found(state, group)]
        for group in groups:
            colored(group.value, ACCENT)
            mark_words(self._search, group.value)
            self._draw_group(state, post, group)
            imgui.spacing()
        if not groups:
            nothing("No setting and no action has these words.")

    def _draw_group(self, state: State, post: Post, group: Group) -> None:
        rows = [
            row
            for row in setting_rows()
            if row.group is group and row.name != KEYS and self._matches(state, row)
        ]
        self._table(state, post, rows)
        if group is Group.KEYS:
            if not self._is_searching():
                self._above_keys(state)
            self._keys.draw(state, self._search, self._changed)
        elif group is Group.MOUSE and not self._is_searching():
            _mouse(state)

    def _table(self, state: State, post: Post, rows: list[SettingRow]) -> None:
        """Draw rows of settings."""
        letter = imgui.get_font_size()
        wide = imgui.get_content_region_avail().x > letter * NARROW
        wide = wide and not all(row.control in WIDE for row in rows)
        if not rows:
            return
        padding = ImVec2(imgui.get_style().cell_padding.x, letter * GAP / 2)
        imgui.push_style_var(imgui.StyleVar_.cell_padding, padding)
        if not imgui.begin_table("settings", 3 if wide else 2, TABLE):
            imgui.pop_style_var()
            return
        fixed = imgui.TableColumnFlags_.width_fixed
        imgui.table_setup_column("text", imgui.TableColumnFlags_.width_stretch)
        if wide:
            imgui.table_setup_column("control", fixed, letter * CONTROL)
        imgui.table_setup_column("arrow", fixed, letter * ARROW)
        for row in rows:
            self._controls.draw(row, state, post, self._search)
            self._point(row.name)
        imgui.end_table()
        imgui.pop_style_var()

    def _above_keys(self, state: State) -> None:
        """Draw the heading of the keys and the button that resets them."""
        imgui.separator()
        imgui.align_text_to_frame_padding()
        faint("Click a key to change it, + to add one.")
        imgui.same_line()
        reset_all(state)

    def _point(self, name: str) -> None:
        """If an action opened the window at the row drawn last, mark this row and scroll to it once."""
        if name != self._pointed[0] or imgui.get_time() > self._pointed[1]:
            return
        if self._scrolls:
            imgui.set_scroll_here_y(0.3)
            self._scrolls = False
        imgui.table_set_bg_color(imgui.TableBgTarget_.row_bg0, color32(ACCENT, 0.15))


def _mouse(state: State) -> None:
    """Draw the table of mouse controls in the picture, for the chosen preset."""
    preset = state.interface.preferences.preset
    imgui.separator()
    faint("Mouse in the picture, with this preset")
    if imgui.begin_table("mouse", 2, TABLE):
        for held, what in mouse_rows(preset):
            imgui.table_next_row()
            imgui.table_next_column()
            faint(held)
            imgui.table_next_column()
            imgui.text_unformatted(what)
        imgui.end_table()
