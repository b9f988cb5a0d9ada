"""The hex view: the bytes of a file, tinted by field, with a selection by mouse and keyboard."""

from __future__ import annotations

import numpy as np
from imgui_bundle import ImVec2, imgui

from viewer.ui.bytes.byte_selection import ByteSelection, Range
from viewer.ui.bytes.copy_text import FORMATS
from viewer.ui.bytes.find_bar import copy_menu
from viewer.ui.bytes.hex_grid import (
    BRIGHT,
    DIM,
    DOT,
    LETTER,
    HexGrid,
    HexPage,
    digits_of,
    fitting,
    letters_of,
    outline,
)
from viewer.ui.bytes.search import Search
from viewer.ui.bytes.span_rows import ERROR_TINT, UNKNOWN_TINT, patches
from viewer.ui.kit.theme import ACCENT, ERROR, FAINT, LINE, TEXT, WARNING, color32
from viewer.ui.kit.widgets import Memo, copy_text, mono

BAR = 0.75
"""Width of the scroll bar in letter heights."""
LEAST = 1.2
"""Least height of the scroll bar's grip in letter heights."""
MARKS = 200
"""The approximate largest number of hits, and of problems, that the scroll bar marks."""


def scrollbar(top: int, shown: int, total: int, view: ByteSelection, search: Search | None) -> int:
    """Draw the scroll bar at the right edge; return the new top line.

    `top` is the first of the `shown` visible lines, `total` the number of lines of the file.
    """
    em, room = imgui.get_font_size(), imgui.get_content_region_avail()
    origin = imgui.get_cursor_screen_pos()
    left, width = origin.x + room.x - BAR * em, BAR * em
    most = max(total - shown, 0)
    grip = max(room.y * min(shown / max(total, 1), 1.0), min(LEAST * em, room.y))
    free = max(room.y - grip, 1e-6)
    imgui.set_cursor_screen_pos(ImVec2(left, origin.y))
    imgui.invisible_button("scroll", ImVec2(max(width, 1), max(room.y, 1)))
    if imgui.is_item_active() and most:
        along = (imgui.get_mouse_pos().y - origin.y - grip / 2) / free
        top = round(max(0.0, min(along, 1.0)) * most)
    draw = imgui.get_window_draw_list()
    if most:
        y = origin.y + free * top / most
        held = imgui.is_item_hovered() or imgui.is_item_active()
        color = color32(FAINT, 0.6) if held else color32(LINE)
        draw.add_rect_filled(ImVec2(left + 2, y), ImVec2(left + width, y + grip), color, width / 3)
    for offset, color in _marks(view, search):
        y = origin.y + room.y * offset / max(len(view.data), 1)
        draw.add_rect_filled(ImVec2(left, y), ImVec2(left + width, y + 2), color)
    return top


def _marks(view: ByteSelection, search: Search | None) -> list[tuple[int, int]]:
    """The offsets and colours of marked hits and problems, spread over the whole file."""
    hits = search.hits if search is not None else ()
    found = view.problems.found
    marks = [(int(hit), color32(WARNING, 0.5)) for hit in hits[:: len(hits) // MARKS + 1]]
    return marks + [
        (problem.offset, color32(ERROR if problem.error else WARNING))
        for problem in found[:: len(found) // MARKS + 1]
    ]


SPACING = 3.0
WHEEL_LINES = 3
TINTS = (
    (ACCENT, 0.10),
    (TEXT, 0.05),
    ((0.45, 0.80, 0.62), 0.10),
    (TEXT, 0.09),
    (ACCENT, 0.17),
    (TEXT, 0.03),
    ((0.45, 0.80, 0.62), 0.16),
    (TEXT, 0.12),
)
"""Colour and strength for each `FieldTint.tint`."""
SPECIAL = {UNKNOWN_TINT: (WARNING, 0.30), ERROR_TINT: (ERROR, 0.35)}
LOCKED = imgui.WindowFlags_.no_scrollbar | imgui.WindowFlags_.no_scroll_with_mouse | imgui.WindowFlags_.no_nav


class HexView:
    """The hex view.

    It scrolls by whole lines, because positions in points would be inexact in a file of many gigabytes.
    `page` is the layout of the last frame.
    """

    def __init__(self) -> None:
        self.page: HexPage | None = None
        self._tints = Memo()
        self._texts = Memo()

    def __call__(self, view: ByteSelection, search: Search | None, size: ImVec2) -> None:
        """Draw the bytes in the available space."""
        with mono():
            if imgui.begin_child("hex", size, 0, LOCKED):
                self._draw(view, search)
            imgui.end_child()

    def _draw(self, view: ByteSelection, search: Search | None) -> None:
        page = self._page(view)
        if imgui.is_window_focused():
            self._keys(view, page)
        self._mouse(view, page)
        if imgui.begin_popup_context_window("copy bytes"):
            copy_menu(view)
            imgui.end_popup()
        if view.show_bytes:
            view.show_bytes = False
            self._reveal(view, page)
        self.page = page = self._page(view)
        self._draw_rows(view, search, page)
        line = scrollbar(view.top // page.grid.columns, page.lines, _lines(view, page.grid), view, search)
        view.top = line * page.grid.columns

    def _page(self, view: ByteSelection) -> HexPage:
        room, origin = imgui.get_content_region_avail(), imgui.get_cursor_screen_pos()
        glyph = imgui.calc_text_size("0").x
        line = imgui.get_text_line_height() + SPACING
        grid = fitting(room.x - BAR * imgui.get_font_size(), view.digits, glyph, line)
        lines = max(int(room.y / line), 1)
        most = max(_lines(view, grid) - lines, 0) * grid.columns
        view.top = max(0, min(view.top // grid.columns * grid.columns, most))
        return HexPage(grid, view.top, lines, origin.x, origin.y)

    def _reveal(self, view: ByteSelection, page: HexPage) -> None:
        """Scroll the cursor into view. If the cursor is just outside the view, scroll by one line; otherwise
        scroll the cursor to the middle.
        """
        columns = page.grid.columns
        line, top = view.cursor // columns, view.top // columns
        if top - 1 <= line <= top + page.lines:
            line = max(min(top, line), line - page.lines + 1)
        elif not top <= line < top + page.lines:
            line = max(line - page.lines // 2, 0)
        view.top = line * columns

    def _keys(self, view: ByteSelection, page: HexPage) -> None:
        """Move the cursor with the keys; with Shift the selection grows."""
        columns, cursor = page.grid.columns, view.cursor
        start, page_size = cursor // columns * columns, page.lines * columns
        ctrl, key = imgui.Key.mod_ctrl, imgui.Key
        moves = (
            (key.left_arrow, cursor - 1),
            (key.right_arrow, cursor + 1),
            (key.up_arrow, cursor - columns),
            (key.down_arrow, cursor + columns),
            (key.page_up, cursor - page_size),
            (key.page_down, cursor + page_size),
            (key.home, start),
            (key.end, start + columns - 1),
            (ctrl | key.home, 0),
            (ctrl | key.end, len(view.data)),
        )
        for chord, target in moves:
            for shift in (0, key.mod_shift):
                if imgui.shortcut(int(chord) | int(shift), imgui.InputFlags_.repeat):
                    view.move_cursor(target, extend=bool(shift))
        if imgui.shortcut(int(ctrl | key.c)) and view.data:
            copy_text(FORMATS["Hex"](view.selected))
        if imgui.shortcut(int(ctrl | key.a)):
            view.select(0, len(view.data))

    def _mouse(self, view: ByteSelection, page: HexPage) -> None:
        """Select with click and drag, scroll with the wheel, and hover the field under the pointer."""
        grid = page.grid
        imgui.invisible_button("bytes", ImVec2(grid.width + grid.glyph, max(page.lines * grid.line, 1)))
        imgui.set_cursor_screen_pos(ImVec2(page.x, page.y))
        pointer, io = imgui.get_mouse_pos(), imgui.get_io()
        offset = page.offset_at(pointer.x, pointer.y)
        if imgui.is_item_hovered():
            if io.mouse_wheel:
                view.top = max(view.top - round(io.mouse_wheel * WHEEL_LINES) * grid.columns, 0)
            if offset < len(view.data) and grid.on_bytes(pointer.x - page.x):
                found = patches(view.root, offset, offset + 1)
                field = view.root.at(offset)[-1] if found else view.root
                view.point(field.offset, field.end)
        if imgui.is_item_activated():
            view.move_cursor(offset, extend=io.key_shift)
        elif imgui.is_item_active() and imgui.is_mouse_dragging(0, 1.0) and offset != view.cursor:
            view.move_cursor(offset, extend=True)

    def _draw_rows(self, view: ByteSelection, search: Search | None, page: HexPage) -> None:
        draw, grid = imgui.get_window_draw_list(), page.grid
        # the colour of texts is a part of the key, because it changes with the theme
        where = (view.document, page, color32(TEXT))
        for low, high, color in self._tints.get(where, lambda: _tinted(view, page)):
            draw.add_rect_filled(low, high, color)
        for first, end in _hits(search, page):
            _fill(draw, page, (first, end), color32(WARNING, 0.45))
        _fill(draw, page, (view.first, view.last + 1), color32(ACCENT, 0.38))
        for at, color, text in self._texts.get(where, lambda: _written(view, page)):
            draw.add_text(at, color, text)
        if view.hover:
            outline(draw, page.boxes(*view.hover, grid.hex_run), color32(TEXT, 0.35))
        if len(view.path) > 1:
            node = view.node
            outline(draw, page.boxes(node.offset, node.end, grid.hex_run), color32(ACCENT, 0.9))


def _lines(view: ByteSelection, grid: HexGrid) -> int:
    return -(-len(view.data) // grid.columns)


def _fill(draw: imgui.ImDrawList, page: HexPage, bytes_: Range, color: int) -> None:
    """Fill the background of the digits and the characters of some bytes."""
    for run in (page.grid.hex_run, page.grid.text_run):
        for low, high in page.boxes(*bytes_, run):
            draw.add_rect_filled(low, high, color)


def _tinted(view: ByteSelection, page: HexPage) -> list[tuple[ImVec2, ImVec2, int]]:
    """Return the corners and the colour of the rectangles behind each visible field."""
    colors = [color32(*TINTS[tint]) for tint in range(len(TINTS))]
    special = {tint: color32(*color) for tint, color in SPECIAL.items()}
    return [
        (low, high, special[patch.tint] if patch.tint in special else colors[patch.tint])
        for patch in patches(view.root, page.top, page.bottom)
        for low, high in page.boxes(patch.first, patch.end, page.grid.hex_run)
    ]


def _hits(search: Search | None, page: HexPage) -> list[Range]:
    """The byte ranges of the visible hits."""
    if search is None:
        return []
    hits = search.hits
    begin, end = np.searchsorted(hits, (page.top - search.width + 1, page.bottom))
    return [(hit, hit + search.width) for hit in hits[begin:end].tolist()]


def _written(view: ByteSelection, page: HexPage) -> list[tuple[ImVec2, int, str]]:
    """The texts of the visible lines, each with position and colour."""
    grid, faint, bright = page.grid, color32(FAINT), color32(TEXT)
    dim = color32(FAINT, 0.6)
    texts = []
    for line in range(page.lines):
        offset = page.top + line * grid.columns
        row = view.data[offset : offset + grid.columns]
        y = page.y + line * grid.line + SPACING / 2
        hex_at, text_at = ImVec2(page.x + grid.hex_x(0), y), ImVec2(page.x + grid.text_x(0), y)
        if row:
            texts += [
                (ImVec2(page.x, y), faint, f"{offset:0{grid.digits}X}"),
                (hex_at, bright, digits_of(row, BRIGHT)),
                (hex_at, dim, digits_of(row, DIM)),
                (text_at, bright, letters_of(row, LETTER)),
                (text_at, dim, letters_of(row, DOT)),
            ]
    return texts
