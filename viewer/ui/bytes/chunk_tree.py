"""The chunk tree: the spans of a file with offset, size, type, value and meaning.

It draws visible rows only.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from imgui_bundle import ImVec2, imgui

from viewer.errors import counted, printable
from viewer.ui.bytes.byte_selection import ByteSelection
from viewer.ui.bytes.reference_menu import references
from viewer.ui.bytes.span_filter import Filter
from viewer.ui.bytes.span_rows import SpanRow, SpanRowCache, hit_line, span_line
from viewer.ui.kit.clipped_rows import clipped_ranges
from viewer.ui.kit.copying import copy_text
from viewer.ui.kit.fitted_text import fitted_row
from viewer.ui.kit.theme import ERROR, FAINT, TEXT, WARNING, color32
from viewer.ui.kit.tree_rows import Branch, Path
from viewer.ui.kit.widgets import Memo, colored, filter_box, hint, mono, right_aligned, tree_row, walked
from viewer.ui.value_text import value_text

COLUMNS = (
    ("name", 0.0, 1.6),
    ("offset", 8.5, 0.0),
    ("size", 8.0, 0.0),
    ("type", 15.0, 0.0),
    ("value", 0.0, 1.5),
    ("meaning", 0.0, 1.4),
)
"""Title, width in digits (0: a share of the remaining width), and the size of that share."""
TITLES = [name for name, _, _ in COLUMNS]
OPTIONAL = (("meaning", 92.0), ("type", 66.0), ("size", 52.0))
"""The columns that are hidden below a width, in digits."""
SETTLING = 3
"""Frames until an ImGui table applies a change of its visible columns."""
FLAGS = (
    imgui.TableFlags_.scroll_y
    | imgui.TableFlags_.resizable
    | imgui.TableFlags_.hideable
    | imgui.TableFlags_.row_bg
    | imgui.TableFlags_.no_borders_in_body
    | imgui.TableFlags_.pad_outer_x
)


class ChunkTree:
    """The tree of a `ByteSelection`.

    With a filter it becomes a list of the hits, which is filled over several frames.
    """

    def __init__(self) -> None:
        self.text = ""
        self._lines = Memo()
        self._filter = Memo()
        self._enabled: tuple[bool, ...] = ()
        self._unsettled = 0
        self._scrolled = False
        self.focused = self._find = False
        self._seeking: Filter | None = None

    def __call__(self, view: ByteSelection) -> None:
        """Draw the visible rows; the rest of the file is not read."""
        self._filter_line(view)
        if imgui.begin_table("chunks", len(COLUMNS), FLAGS):
            self._rows(view)
            imgui.end_table()

    def find(self) -> None:
        """Give the filter the keyboard focus, when it is drawn next."""
        self._find = True

    @property
    def busy(self) -> bool:
        """Whether the filter is still searching, or the layout still settles."""
        seeking = self._seeking is not None and not self._seeking.done
        return seeking or self._scrolled or bool(self._unsettled)

    def _filter_line(self, view: ByteSelection) -> None:
        self.text = filter_box("chunks", self.text, self._find)
        self._find = False
        self._seeking = looking = self._looking(view)
        if looking is not None:
            looking.advance()
            _in_corner(f"{len(looking.hits)}{'+' if looking.full or not looking.done else ''}")

    def _looking(self, view: ByteSelection) -> Filter | None:
        text = self.text.strip()
        found = self._filter.get((view.root, text), lambda: Filter(view.root, text))
        return found if text else None

    def _shown(self, view: ByteSelection) -> tuple[Branch[Any], SpanRowCache]:
        """The tree or the list of hits, and its lines."""
        looking = self._looking(view)
        if looking is None:
            make = partial(span_line, digits=view.digits)
            return view.tree, self._lines.get(view.tree, lambda: SpanRowCache(make))
        return self._lines.get(looking, lambda: _listed(looking, view))

    def _rows(self, view: ByteSelection) -> None:
        self._header()
        tree, lines = self._shown(view)
        height = imgui.get_text_line_height() + 2 * imgui.get_style().cell_padding.y
        self.focused = imgui.is_window_focused()
        if self.focused:
            self._keys(view, tree)
        self._scrolled = view.show_row
        if view.show_row:
            view.show_row = False
            if tree is view.tree:
                _scroll_to(tree.reveal(view.path), height)
        for first, end in clipped_ranges(len(tree), height):
            for number, line in enumerate(lines.get(tree, first, end), first):
                imgui.push_id(number)
                _row(view, line)
                imgui.pop_id()

    def _header(self) -> None:
        """Draw the column headers; some columns are hidden if there is little room."""
        imgui.table_setup_scroll_freeze(0, 1)
        em = imgui.get_font_size() * 0.52
        for name, letters, share in COLUMNS:
            fixed = imgui.TableColumnFlags_.width_fixed if letters else imgui.TableColumnFlags_.width_stretch
            imgui.table_setup_column(name, fixed, letters * em or share)
        enabled = tuple(imgui.get_content_region_avail().x > least * em for _, least in OPTIONAL)
        if enabled != self._enabled:
            self._enabled, self._unsettled = enabled, SETTLING
        if self._unsettled:
            self._unsettled -= 1
            for (name, _), on in zip(OPTIONAL, enabled, strict=True):
                imgui.table_set_column_enabled(TITLES.index(name), on)
        imgui.table_headers_row()

    def _keys(self, view: ByteSelection, tree: Branch[Any]) -> None:
        """Handle the keys of the tree.

        Arrows walk and open rows, Enter goes to the target of a reference, Shift+Enter to a referrer, Ctrl+C
        copies the value.
        """
        key, ctrl = imgui.Key, imgui.Key.mod_ctrl
        if imgui.shortcut(int(key.enter)):
            view.follow()
        if imgui.shortcut(int(imgui.Key.mod_shift | key.enter)) and view.node.sources:
            view.go(view.node.sources[0])
        if imgui.shortcut(int(ctrl | key.c)):
            copy_text(value_text(view.node.value) or view.node.name)
        if tree is not view.tree:
            return
        row = tree.row_of(view.path)
        page = max(int(imgui.get_window_height() / imgui.get_text_line_height()) - 2, 1)
        target = walked(row, len(tree), page)
        if target is not None:
            _choose_row(view, target)
        for each, opens in ((key.right_arrow, True), (key.left_arrow, False)):
            if imgui.shortcut(int(each), imgui.InputFlags_.repeat):
                _fold(view, row, opens)


def _in_corner(text: str) -> None:
    """Draw faint text at the right end of the last item."""
    low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
    padding, width = imgui.get_style().frame_padding, imgui.calc_text_size(text).x
    byte_range = ImVec2(high.x - width - padding.x, low.y + padding.y)
    imgui.get_window_draw_list().add_text(byte_range, color32(FAINT), text)


def _listed(looking: Filter, view: ByteSelection) -> tuple[Branch[Path], SpanRowCache]:
    """The hits of a filter as a flat tree, which grows with them."""
    make = partial(hit_line, root=view.root, digits=view.digits)
    return Branch(looking.hits, lambda path: ()), SpanRowCache(make)


def _choose_row(view: ByteSelection, row: int) -> None:
    row = max(0, min(row, len(view.tree) - 1))
    view.choose(next(view.tree.rows(row, row + 1)).path)


def _fold(view: ByteSelection, number: int, opens: bool) -> None:
    """Open a row or enter it; close a row or leave it."""
    row = next(view.tree.rows(number, number + 1))
    if row.open != opens and not row.leaf:
        row.toggle()
    elif opens and not row.leaf:
        _choose_row(view, number + 1)
    elif not opens and row.depth:
        view.choose(row.path[:-1])


def _scroll_to(row: int, height: float) -> None:
    """Scroll a row to the middle, unless it is visible."""
    top, room = imgui.get_scroll_y(), imgui.get_window_height() - 2 * height
    if not top <= row * height <= top + room - height:
        imgui.set_scroll_y(max(row * height - room / 2, 0.0))


def _row(view: ByteSelection, line: SpanRow) -> None:
    span = line.span
    imgui.table_next_row()
    imgui.table_next_column()
    color = ERROR if span.error else WARNING if line.unknown or span.warning else None
    moved, label = fitted_row(line.row.depth, line.label)
    clicked = tree_row(line.row, f"{label}###node", line.path == view.path, color, True, moved)
    if imgui.is_item_hovered():
        view.point(span.offset, span.end)
        hint(lambda: _details(line))
    elif view.hover == (span.offset, span.end):
        imgui.table_set_bg_color(imgui.TableBgTarget_.row_bg1, color32(TEXT, 0.10))
    if clicked:
        view.choose(line.path)
    if imgui.is_item_hovered() and imgui.is_mouse_double_clicked(0):
        view.follow()
    if (span.target is not None or span.sources) and imgui.begin_popup_context_item("references"):
        references(view, line)
        imgui.end_popup()
    with mono():
        imgui.table_next_column()
        colored(line.offset, FAINT)
        if imgui.table_next_column():
            right_aligned(line.size, FAINT)
        if imgui.table_next_column():
            colored(span.type, FAINT)
        imgui.table_next_column()
        colored(line.value, ERROR if span.error else TEXT)
    if imgui.table_next_column() and span.note:
        colored(span.note, FAINT)


def _details(line: SpanRow) -> str:
    span = line.span
    byte_range = f"0x{span.offset:X} … 0x{max(span.end - 1, span.offset):X}, {counted(span.size, 'byte')}"
    value = value_text(span.value)
    follow = "" if span.target is None else "double click: go to its target"
    follow = "right click: show references to this" if span.sources and not follow else follow
    lines = [
        printable(f"{span.name}  {span.type}".strip()),
        value,
        span.note,
        printable(span.warning),
        printable(span.error),
        byte_range,
        follow,
    ]
    return "\n".join(line for line in lines if line)
