"""The wall: the files of a folder or package as pictures, in place of the 3D view."""

from __future__ import annotations

from collections.abc import Sequence

from imgui_bundle import ImVec2, imgui
from msgspec import Struct

from viewer.arrays import Array
from viewer.session.file_table import FileTable
from viewer.session.preferences import LARGEST_PICTURE, SMALLEST_PICTURE
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.dialogs.path_bar import folder_buttons
from viewer.ui.files.choosing import click, list_menu, menu, open_file, select_all, step_to, type_ahead
from viewer.ui.files.file_rows import FileRows, Node, node_key
from viewer.ui.files.file_texts import details, folder_details
from viewer.ui.files.header import empty_text, header
from viewer.ui.files.tiles import Grid, TileDraw
from viewer.ui.kit.dialogs import entered
from viewer.ui.kit.widgets import Memo, focus_window, nothing, tooltip

CHILD = int(imgui.WindowFlags_.no_nav)
BUTTONS = int(imgui.ButtonFlags_.mouse_button_left | imgui.ButtonFlags_.mouse_button_right)
REST = 0.35
"""Seconds for which the pointer must rest on a model before the model turns."""
TOOLTIP_DELAY = 0.8
"""Seconds for which the pointer must rest before the tooltip shows."""
TURN = 3.0
"""Seconds that a model takes for a full turn."""
ZOOM = 1.1
LIST_MENU = "list menu"
"""The name of the menu of the wall between and below its tiles."""


class _Hover(Struct):
    """The index of the tile under the pointer (-1: none), and the time in ImGui's seconds at which the
    pointer entered it.
    """

    number: int = -1
    since: float = 0.0


class Wall:
    """The wall. A click selects a file; a double click or Enter opens it; Escape closes the wall."""

    def __init__(self) -> None:
        self._rows = FileRows()
        self._hover = _Hover()
        self._tiles = TileDraw()
        self._at = Memo()
        self._seen = ""
        self._erased = False
        self._menu: Node | None = None

    def __call__(self, state: State, post: Post) -> None:
        """Draw the wall."""
        files, table = state.files, state.files.table
        state.pending_files.view_focused = False
        if table is None:
            nothing(files.problem or "Reading …")
            return
        rows = files.rows(state.interface.preferences)
        key = header(state, post, len(rows), wall=True)
        _folders(state)
        nodes = self._rows.nodes(state, table, rows)
        if nodes and files.takes_first(wall=True):
            files.cursor = files.anchor = node_key(table, nodes[0])
        if imgui.begin_child("wall", ImVec2(0, 0), 0, CHILD):
            if imgui.is_window_appearing():
                imgui.set_window_focus()
            self._erased = imgui.is_window_focused() and type_ahead(files)
            pressed = key == imgui.Key.enter or (imgui.is_window_focused() and entered())
            opens = self._rows.entered(files, pressed)
            if nodes:
                self._draw(state, post, table, nodes, rows, opens)
            else:
                nothing(empty_text(table))
            _list_menu(state, post, rows)
            if nodes and key == imgui.Key.down_arrow:
                step_to(state, table, nodes[max(self._number(state, table, nodes), 0)], rows)
                focus_window()
        imgui.end_child()

    def _draw(
        self, state: State, post: Post, table: FileTable, nodes: list[Node], rows: Array, opens: bool
    ) -> None:
        """Draw the tiles. With `opens`, open the file or folder at the cursor."""
        grid = Grid.of(len(nodes), imgui.get_content_region_avail().x, _side(state))
        if imgui.is_window_focused():
            select_all(state, rows)
            self._keys(state, table, nodes, rows, grid)
        at = self._number(state, table, nodes)
        if opens and at >= 0:
            self._open(state, post, table, nodes[at])
        self._follow(state, table, nodes, grid)
        start = imgui.get_cursor_screen_pos()
        imgui.set_next_item_allow_overlap()
        imgui.invisible_button("tiles", ImVec2(max(grid.width, 1), max(grid.height, 1)), BUTTONS)
        hovered = self._mouse(state, post, table, nodes, rows, grid, start)
        inside = grid.visible(imgui.get_scroll_y(), imgui.get_window_height())
        state.files.shown = [path for number in inside for path in _pictured(table, nodes[number])]
        state.files.side = grid.side * imgui.get_io().display_framebuffer_scale.x
        self._turn(state, table, nodes, hovered)
        self._tiles(state, table, nodes, inside, grid, (start.x, start.y), hovered)
        x, y = grid.corner(max(hovered, 0))
        below = ImVec2(start.x + x, start.y + y + grid.down)
        self._tooltip(state, table, nodes, hovered, below)

    def _mouse(
        self,
        state: State,
        post: Post,
        table: FileTable,
        nodes: list[Node],
        rows: Array,
        grid: Grid,
        start: ImVec2,
    ) -> int:
        """Handle the mouse; return the index of the tile under the pointer, -1 if there is none."""
        over = imgui.is_item_hovered()
        at = imgui.get_mouse_pos()
        number = grid.at(at.x - start.x, at.y - start.y) if over else -1
        io = imgui.get_io()
        if over and io.mouse_wheel and io.key_ctrl:
            _zoom(state, io.mouse_wheel)
        if over and imgui.is_mouse_clicked(0):
            if number < 0:
                state.files.selected.clear()
            else:
                click(state, table, nodes[number], rows)
                self._seen = state.files.cursor
        if number >= 0 and imgui.is_mouse_double_clicked(0):
            self._open(state, post, table, nodes[number])
        if number >= 0 and imgui.is_mouse_released(1):
            self._menu = nodes[number]
            imgui.open_popup("menu")
        elif over and imgui.is_mouse_released(1):
            imgui.open_popup(LIST_MENU)
        if imgui.begin_popup("menu"):
            if self._menu is not None:
                menu(state, post, table, self._menu, rows)
            imgui.end_popup()
        return number

    def _keys(self, state: State, table: FileTable, nodes: list[Node], rows: Array, grid: Grid) -> None:
        """Handle the keys.

        Arrows, Home, End and page keys move the cursor. Backspace goes to the parent folder.
        """
        target = grid.walked(self._number(state, table, nodes), imgui.get_window_height())
        if target is not None:
            step_to(state, table, nodes[target], rows)
        files = state.files
        if not self._erased and files.folder and imgui.shortcut(int(imgui.Key.backspace)):
            files.cursor, files.folder = files.folder, self._rows.parent(state, table, rows)

    def _follow(self, state: State, table: FileTable, nodes: list[Node], grid: Grid) -> None:
        """Scroll to the cursor if it has moved since the last frame."""
        if state.files.cursor == self._seen:
            return
        self._seen = state.files.cursor
        number = self._number(state, table, nodes)
        if number >= 0:
            imgui.set_scroll_y(grid.scrolled(number, imgui.get_scroll_y(), imgui.get_window_height()))

    def _number(self, state: State, table: FileTable, nodes: list[Node]) -> int:
        """The index of the tile with the cursor; -1 if there is none."""
        files = state.files
        key = (files.cursor, files.revision, files.folder, state.interface.preferences.files_folded)
        number: int = self._at.get(key, lambda: _number_of(files.cursor, table, nodes))
        return number

    def _open(self, state: State, post: Post, table: FileTable, node: Node) -> None:
        if isinstance(node, int):
            open_file(state, post, table, node)
        else:
            state.files.folder, state.files.cursor = node.path, ""
            imgui.set_scroll_y(0.0)

    def _turn(self, state: State, table: FileTable, nodes: list[Node], hovered: int) -> None:
        """Turn the model on the tile under the pointer, after the pointer has rested there."""
        now = imgui.get_time()
        if hovered != self._hover.number:
            self._hover = _Hover(hovered, now)
        files, rested = state.files, now - self._hover.since
        node = nodes[hovered] if hovered >= 0 else None
        files.turning = table.path(node) if isinstance(node, int) and rested > REST else ""
        files.turn = (rested - REST) / TURN % 1.0 if files.turning else 0.0
        turns = files.turning and not isinstance(files.turned(files.turning, files.turn), str)
        state.pending_files.unsettled |= hovered >= 0 and (rested < 2 * TOOLTIP_DELAY or bool(turns))

    def _tooltip(
        self, state: State, table: FileTable, nodes: list[Node], hovered: int, below: ImVec2
    ) -> None:
        """Draw the tooltip of the tile under the pointer, after the pointer has rested there.

        The tooltip is `below` the tile, because the model on the tile turns.
        """
        if hovered < 0 or imgui.get_time() - self._hover.since < TOOLTIP_DELAY or imgui.is_popup_open("menu"):
            return
        node = nodes[hovered]
        text = (
            details(state.files, table, node)
            if isinstance(node, int)
            else folder_details(node.path, len(node))
        )
        tooltip(text, below)


def _pictured(table: FileTable, node: Node) -> Sequence[str]:
    """The paths of the files whose pictures are on a node's tile."""
    if not isinstance(node, int):
        return node.previews
    return (table.path(node),) if table.is_pictured(node) else ()


def _side(state: State) -> float:
    """The side of a tile's picture in points."""
    style = imgui.get_style()
    return round(state.interface.preferences.picture_size * style.font_scale_dpi)


def _zoom(state: State, notches: float) -> None:
    preferences = state.interface.preferences
    wanted = preferences.picture_size * ZOOM**notches
    preferences.picture_size = min(max(wanted, SMALLEST_PICTURE), LARGEST_PICTURE)


def _list_menu(state: State, post: Post, rows: Array) -> None:
    """Draw the menu of the whole list, which a right click beside all tiles opens."""
    free = imgui.is_window_hovered() and not imgui.is_any_item_hovered()
    if free and imgui.is_mouse_released(1):
        imgui.open_popup(LIST_MENU)
    if imgui.begin_popup(LIST_MENU):
        list_menu(state, post, rows)
        imgui.end_popup()


def _folders(state: State) -> None:
    """Draw the current folder and its parents as buttons, in folder view."""
    files = state.files
    if not state.interface.preferences.files_folded:
        return
    parts = files.folder.split("/")[:-1]
    shown = [f"{files.root}/{'/'.join(parts[:count])}".rstrip("/") for count in range(len(parts), -1, -1)]
    clicked = folder_buttons(shown)
    if clicked is not None:
        inside = clicked[len(files.root) + 1 :]
        files.folder = f"{inside}/" if inside else ""


def _number_of(cursor: str, table: FileTable, nodes: list[Node]) -> int:
    row = table.row(cursor)
    keys = (each if isinstance(each, int) else each.path for each in nodes)
    wanted = cursor if row is None else row
    return next((number for number, key in enumerate(keys) if key == wanted), -1)
