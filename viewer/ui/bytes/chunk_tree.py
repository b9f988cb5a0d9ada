"""The chunk tree: the spans of a file with offset, size, type, value and meaning."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from weakref import ref

from imgui_bundle import ImVec2, imgui

from viewer.errors import counted, printable
from viewer.ui.bytes.byte_selection import ByteSelection
from viewer.ui.bytes.span_filter import Filter
from viewer.ui.bytes.span_rows import SpanRow, hit_line, path_name, path_to, span_line
from viewer.ui.kit.texts import fitted_row, value_text
from viewer.ui.kit.theme import ERROR, FAINT, TEXT, WARNING, Color, color32
from viewer.ui.kit.tree_rows import Branch, Path, Row, flat
from viewer.ui.kit.tree_table import TABLE, Column, TableRows, TreeTable
from viewer.ui.kit.widgets import Memo, copy_text, hint


def references(view: ByteSelection, line: SpanRow) -> None:
    """Draw menu entries that go to the target of the row's reference, and to the rows that refer to this
    row.
    """
    span = line.span
    if span.target is not None and imgui.menu_item_simple(f"Go to its target   0x{span.target:X}", "Enter"):
        view.choose(line.path)
        view.follow()
    for number, source in enumerate(span.sources):
        key = "Shift+Enter" if not number else ""
        if imgui.menu_item_simple(f"Go to {_where(view, source)}, which refers here", key):
            view.go(source)


def _where(view: ByteSelection, offset: int) -> str:
    """The path and offset of a reference: `bones/[3]/rotation/times  0x1F0`."""
    return f"{path_name(view.root, path_to(view.root, offset, offset))}  0x{offset:X}"


COLUMNS: tuple[Column[Any], ...] = (
    Column("name", share=1.6),
    Column("offset", 4.7, mono=True),
    Column("size", 5.1, mono=True, right=True),
    Column("type", 7.8, mono=True),
    Column("value", share=1.5, mono=True, searched=True),
    Column("meaning", share=1.4),
)
OPTIONAL = {"meaning": 49.0, "type": 35.5, "size": 28.2, "offset": 18.0}
"""Table widths, in font sizes, below which a column is hidden."""
FLAGS = TABLE | int(imgui.TableFlags_.hideable | imgui.TableFlags_.pad_outer_x)


class ChunkTree:
    """The chunk tree of a `ByteSelection`.

    With a filter, the tree is a list of hits that grows over several frames. When another file comes into
    view, the tree scrolls to the selected span of this file.
    """

    def __init__(self) -> None:
        self._search, self._hits = Memo(), Memo()
        self._spans, self._listed = (TreeTable[Any]("chunks", COLUMNS, True, FLAGS) for _ in range(2))
        self._table = self._spans
        self._find = False
        self._seeking: Filter | None = None
        self._shown: ref[ByteSelection] | None = None

    def __call__(self, view: ByteSelection) -> None:
        """Draw the visible rows."""
        self._filter_line(view)
        room = imgui.get_content_region_avail().x / imgui.get_font_size()
        shown = [column.name for column in COLUMNS if room > OPTIONAL.get(column.name, 0.0)]
        hits, scroll = self._looking(view), view.show_row
        view.show_row = False
        if self._shown is None or self._shown() is not view:
            self._shown, scroll = ref(view), True
            self._spans.restart()
            self._listed.restart()
        if hits is None:
            self._table = self._spans
            self._table.cursor = view.path
            if scroll:
                self._table.show(view.path)
            self._table(view.tree, _SpanRows(view), shown)
        else:
            self._table = self._listed
            listed: Branch[Path] = self._hits.get(hits, lambda: flat(hits.hits))
            self._table(listed, _HitRows(view), shown)

    @property
    def focused(self) -> bool:
        """Whether the tree has the keyboard focus."""
        return self._table.focused

    def focus_field(self) -> None:
        """Give the filter the keyboard focus when it is drawn next."""
        self._find = True

    @property
    def busy(self) -> bool:
        """Whether the filter is still searching, or the table scrolls in the next frame."""
        return self._table.scrolled or (self._seeking is not None and not self._seeking.done)

    def _filter_line(self, view: ByteSelection) -> None:
        self._listed.filter_line(self._find)
        self._find = False
        self._seeking = looking = self._looking(view)
        if looking is not None:
            looking.advance()
            _in_corner(f"{len(looking.hits)}{'+' if looking.full or not looking.done else ''}")

    def _looking(self, view: ByteSelection) -> Filter | None:
        """The search for the hits, None without a filter."""
        wanted = self._listed.filter
        found = self._search.get((view.root, wanted), lambda: Filter(view.root, wanted))
        return found if wanted else None


class _SpanRows(TableRows[Any]):
    """The rows of the tree. The texts of visible rows are cached."""

    def __init__(self, view: ByteSelection) -> None:
        self._view = view

    def make(self, row: Row[Any]) -> SpanRow:
        """The texts of a row."""
        return span_line(row, self._view.document, self._view.digits)

    def path(self, row: Row[Any]) -> Path:
        """The path of a row's span in the file."""
        return row.path

    def line(self, row: Row[Any]) -> tuple[float, str]:
        """Cache the row's texts; return its indentation and its name."""
        if row.texts is None:
            row.texts = self.make(row)
        return fitted_row(row.depth, row.texts.label)

    def color(self, row: Row[Any]) -> Color | None:
        """The colour of a row with an error, a warning or unknown bytes; None for other rows."""
        line: SpanRow = row.texts
        return ERROR if line.span.error else WARNING if line.unknown or line.span.warning else None

    def is_chosen(self, row: Row[Any], at_cursor: bool) -> bool:
        """Whether the row's span is selected."""
        return self.path(row) == self._view.path

    def on_line(self, row: Row[Any]) -> None:
        """Hover the row's bytes; on a double click, follow its reference."""
        line: SpanRow = row.texts
        span, view = line.span, self._view
        if imgui.is_item_hovered():
            view.point(span.offset, span.end)
            hint(lambda: _details(line))
            if not row.leaf and imgui.is_mouse_double_clicked(0):
                view.follow()
        elif view.hover == (span.offset, span.end):
            imgui.table_set_bg_color(imgui.TableBgTarget_.row_bg1, color32(TEXT, 0.10))

    def has_menu(self, row: Row[Any]) -> bool:
        """Whether the row is a reference, or another span refers to the row."""
        return row.texts.span.target is not None or bool(row.texts.span.sources)

    def menu(self, row: Row[Any]) -> None:
        """Draw the menu entries that follow references from and to the row."""
        references(self._view, row.texts)

    def cells(self, row: Row[Any], columns: Sequence[Column[Any]]) -> Iterable[tuple[str, Color]]:
        """The texts of some columns."""
        line: SpanRow = row.texts
        span = line.span
        texts = {
            "offset": line.offset,
            "size": line.size,
            "type": span.type,
            "value": line.value,
            "meaning": span.note,
        }
        value = ERROR if span.error else TEXT
        return [(texts[each.name], value if each.name == "value" else FAINT) for each in columns]

    def choose(self, row: Row[Any], by_key: bool) -> None:
        """Select the row's span."""
        self._view.choose(self.path(row))

    def open(self, row: Row[Any]) -> None:
        """Select the target of the row's reference. With Shift, select the first reference to the row."""
        node = self._view.node
        if not imgui.get_io().key_shift:
            self._view.follow()
        elif node.sources:
            self._view.go(node.sources[0])

    def keys(self) -> None:
        """Copy the selected value on Ctrl+C."""
        node = self._view.node
        if imgui.shortcut(int(imgui.Key.mod_ctrl | imgui.Key.c)):
            copy_text(value_text(node.value) or node.name)


class _HitRows(_SpanRows):
    """The hits of a filter, each labelled with its path."""

    def make(self, row: Row[Any]) -> SpanRow:
        """The texts of a row."""
        return hit_line(row, self._view.root, self._view.digits)

    def path(self, row: Row[Any]) -> Path:
        """The path of a row's span in the file."""
        return row.node


def _in_corner(text: str) -> None:
    """Draw faint text at the right end of the last item."""
    low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
    padding, width = imgui.get_style().frame_padding, imgui.calc_text_size(text).x
    byte_range = ImVec2(high.x - width - padding.x, low.y + padding.y)
    imgui.get_window_draw_list().add_text(byte_range, color32(FAINT), text)


def _details(line: SpanRow) -> str:
    span = line.span
    byte_range = f"0x{span.offset:X} … 0x{max(span.end - 1, span.offset):X}, {counted(span.size, 'byte')}"
    value = value_text(span.value)
    follow = "" if span.target is None else "Double click: go to its target"
    follow = "Right click: show references to this" if span.sources and not follow else follow
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
