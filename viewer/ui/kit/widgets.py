"""Widgets and helpers that panels share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, ClassVar, TypeVar
from weakref import WeakSet

from imgui_bundle import ImVec2, imgui

from viewer.errors import counted, printable
from viewer.scene.document import Document
from viewer.scene.text_filter import EVERYTHING, TextFilter
from viewer.session.state import State
from viewer.ui.kit.overlays import is_under_overlay
from viewer.ui.kit.texts import shortened, visible, visible_lines
from viewer.ui.kit.theme import ACCENT, FAINT, Color, color32, mono_font, rgba
from viewer.ui.kit.tree_rows import Branch, Row

_copied: list[str] = []
"""The texts copied since the last call of `take_copied`."""


def copy_text(text: str) -> None:
    """Copy a text to the clipboard."""
    imgui.set_clipboard_text(text)
    _copied.append(text)


def take_copied() -> str:
    """Return the status line's note about a text that was copied since the last call; empty if no text was
    copied.
    """
    if not _copied:
        return ""
    lines = _copied[-1].splitlines() or [""]
    _copied.clear()
    more = f" and {counted(len(lines) - 1, 'more line')}" if len(lines) > 1 else ""
    return f"Copied {shortened(printable(lines[0].expandtabs(2)))}{more}"


FIXED = int(imgui.WindowFlags_.no_move | imgui.WindowFlags_.no_docking | imgui.WindowFlags_.no_saved_settings)
"""The flags of a window whose position the program sets."""
BARE = FIXED | int(imgui.WindowFlags_.no_decoration)
DIALOG = FIXED | int(imgui.WindowFlags_.no_collapse) | int(imgui.WindowFlags_.no_resize)
WHOLE_ROW = int(imgui.SelectableFlags_.span_all_columns | imgui.SelectableFlags_.allow_overlap)
"""The flags of a selectable that covers a whole row, below the other widgets of the row."""
SHIFT = int(imgui.Key.mod_shift)
MARKED = 0.35
"""The opacity of the marks on words that a filter has found."""


def faint(text: str) -> None:
    """Draw text with less emphasis."""
    colored(text, FAINT)


def colored(text: str, color: Color) -> None:
    """Draw a line of text in a colour. `%` has no special meaning."""
    imgui.push_style_color(imgui.Col_.text, rgba(color))
    imgui.text_unformatted(visible(text))
    imgui.pop_style_color()


def wrapped(text: str, color: Color | None = None, wanted: TextFilter = EVERYTHING) -> None:
    """Draw text with line breaks at the window's width. The words of `wanted` are marked."""
    room = imgui.get_content_region_avail().x
    imgui.push_text_wrap_pos(0.0)
    if color is not None:
        imgui.push_style_color(imgui.Col_.text, rgba(color))
    imgui.text_unformatted(visible_lines(text))
    if color is not None:
        imgui.pop_style_color()
    imgui.pop_text_wrap_pos()
    mark_words(wanted, visible_lines(text), room=room)


def hint(text: str | Callable[[], str], corner: ImVec2 | None = None) -> None:
    """Show a tooltip for the last drawn widget, at the pointer or at a `corner`.

    If `text` is a function, it is called only when the tooltip shows. An empty text shows no tooltip.
    """
    if imgui.is_item_hovered(imgui.HoveredFlags_.for_tooltip) and not is_under_overlay():
        shown = text if isinstance(text, str) else text()
        if shown:
            tooltip(shown, corner)


def tooltip(text: str, corner: ImVec2 | None = None) -> None:
    """Show a tooltip at the pointer, or with its upper left `corner` at a point of the screen.

    A window behind a dialog shows no tooltip, because the tooltip would cover the dialog.
    """
    if is_under_overlay():
        return
    if corner is not None:
        imgui.set_next_window_pos(corner)
    if imgui.begin_tooltip():
        imgui.push_text_wrap_pos(imgui.get_font_size() * 32)
        imgui.text_unformatted(visible_lines(text))
        imgui.pop_text_wrap_pos()
        imgui.end_tooltip()


class _Mono:
    """The context manager that `mono` returns.

    Every row uses it, and a generator would take three times as long.
    """

    def __enter__(self) -> None:
        imgui.push_font(mono_font(), 0.0)

    def __exit__(self, *error: object) -> None:
        imgui.pop_font()


_MONO = _Mono()


def mono() -> AbstractContextManager[None]:
    """Use the fixed-width font inside the `with` block."""
    return _MONO


def right_aligned(text: str, color: Color | None = None) -> None:
    """Draw text aligned to the right edge of the column."""
    room = imgui.get_content_region_avail().x - imgui.calc_text_size(text).x
    imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + max(room, 0.0))
    if color is None:
        imgui.text_unformatted(visible(text))
    else:
        colored(text, color)


def same_line_if_fits(width: float) -> None:
    """Put the next widget into the line of the last one, if the rest of the line has `width` points."""
    edge = imgui.get_cursor_screen_pos().x + imgui.get_content_region_avail().x
    if imgui.get_item_rect_max().x + imgui.get_style().item_spacing.x + width <= edge:
        imgui.same_line()


def button_width(label: str) -> float:
    """The width of a button in points."""
    return float(imgui.calc_text_size(label).x + 2 * imgui.get_style().frame_padding.x)


def filter_box(
    name: str,
    wanted: TextFilter,
    focus: bool = False,
    tip: str = "Filter",
    beside: str = "",
    width: float | None = None,
) -> TextFilter:
    """Draw a filter field; return its filter. The field is `width` points wide; without a width it takes the
    full width, less the room for a button with the label `beside`.

    `focus` gives the field the keyboard focus. `tip` is shown while the field is empty. Escape empties the
    field.
    """
    if focus:
        imgui.set_keyboard_focus_here()
    if width is None:
        width = -button_width(beside) - imgui.get_style().item_spacing.x if beside else -1
    imgui.set_next_item_width(width)
    text = imgui.input_text_with_hint(f"##{name}", tip, wanted.text)[1]
    if imgui.is_item_deactivated() and imgui.is_key_pressed(imgui.Key.escape, False):
        text = ""
    return wanted if text == wanted.text else TextFilter(text)


def mark_words(wanted: TextFilter, text: str, corner: ImVec2 | None = None, room: float = 0.0) -> None:
    """Mark the words of a filter in a text that was drawn at `corner`, by default the last widget.

    `text` is what was drawn, in the current font; a text with line breaks at a width of `room` points.
    """
    if not wanted:
        return
    corner = corner or imgui.get_item_rect_min()
    ranges, start = wanted.marks(text), 0
    while room and ranges and start < len(text):
        wrap = imgui.get_font().calc_word_wrap_position_python(imgui.get_font_size(), text[start:], room)
        end = start + max(wrap, 1)
        line = [(max(a, start) - start, min(b, end) - start) for a, b in ranges if a < end and b > start]
        mark_ranges(line, text[start:end], corner)
        corner = ImVec2(corner.x, corner.y + imgui.get_text_line_height())
        start = end + len(text[end:]) - len(text[end:].lstrip(" \t"))
    if not room:
        mark_ranges(ranges, text, corner)


def found_line(text: str, id: str, chosen: bool, wanted: TextFilter, flags: int = 0) -> bool:
    """Draw a line of a list, with the words of a filter marked; return whether it was clicked."""
    corner = imgui.get_cursor_screen_pos()
    clicked = imgui.selectable(f"{text}###{id}", chosen, flags)[0]
    mark_words(wanted, text, corner)
    return bool(clicked)


def mark_ranges(ranges: Sequence[tuple[int, int]], text: str, corner: ImVec2) -> None:
    """Mark the ranges (first, end) of letters in a line of text that was drawn at `corner`."""
    draw, high, color = imgui.get_window_draw_list(), imgui.get_text_line_height(), color32(ACCENT, MARKED)
    x, before = corner.x, 0
    for first, end in ranges:
        left = x + imgui.calc_text_size(text[before:first]).x
        x, before = left + imgui.calc_text_size(text[first:end]).x, end
        draw.add_rect_filled(ImVec2(left, corner.y), ImVec2(x, corner.y + high), color)


def focus_window() -> None:
    """Give the current window the keyboard focus, and take it from the active text field."""
    imgui.internal.clear_active_id()
    imgui.set_window_focus()


def walked(row: int, rows: int, page: int, columns: int = 1, sideways: bool = False) -> int | None:
    """Return the row to which a pressed arrow, Home, End or page key moves from `row`, among `rows` rows.

    None if no such key was pressed. Shift may be held. In a grid of several `columns`, Left and Right move by
    one cell, Up and Down by one row of the grid, if there is one. In a list they move by one row if
    `sideways`. A `row` of -1 is before the first one.
    """
    key = imgui.Key
    below = row + columns if row >= 0 else 0
    moves = {
        key.up_arrow: row - columns if row >= columns else row,
        key.down_arrow: below if below // columns <= (rows - 1) // columns else row,
        key.page_up: row - page,
        key.page_down: row + page,
        key.home: 0,
        key.end: rows,
    }
    if columns > 1 or sideways:
        moves |= {key.left_arrow: row - 1, key.right_arrow: row + 1}
    hit = [to for each, to in moves.items() if _pressed(int(each))]
    return max(0, min(hit[-1], rows - 1)) if hit and rows else None


def _pressed(key: int) -> bool:
    """Whether a key was pressed in the focused window, with or without Shift. The key then runs no action."""
    alone = imgui.shortcut(key, imgui.InputFlags_.repeat)
    return imgui.shortcut(key | SHIFT, imgui.InputFlags_.repeat) or alone


def toggle(label: str, on: bool, size: ImVec2 | None = None, color: Color = ACCENT) -> bool:
    """Draw an on/off button, with its text in `color` while it is on; return whether it was clicked."""
    imgui.push_style_color(imgui.Col_.text, rgba(color if on else FAINT))
    clicked = imgui.button(label, size)
    imgui.pop_style_color()
    return clicked


def still(state: State) -> str:
    """The text of the timeline panels while no animation plays."""
    some = "Nothing plays. Click an animation to play it."
    return some if state.playback.animations else "No animations."


def nothing(text: str) -> None:
    """Draw the text of an empty panel."""
    wrapped(text, FAINT)


def mark(low: ImVec2, high: ImVec2) -> None:
    """Draw a frame in the accent colour around a rectangle. It is drawn over everything else."""
    width = imgui.get_font_size() / 6
    imgui.get_foreground_draw_list().add_rect(low, high, color32(ACCENT), width * 2, thickness=width)


class Memo:
    """A cached value, which is computed again when its key changes.

    `drop_closed` drops the value when a document is closed, because the value may keep the document in
    memory. A `lasting` value is not dropped: either it refers to no document, or its owner is dropped with
    the document.
    """

    _of_documents: ClassVar[WeakSet[Memo]] = WeakSet()

    def __init__(self, lasting: bool = False) -> None:
        self._key: Any = None
        self._value: Any = None
        if not lasting:
            self._of_documents.add(self)

    @property
    def value(self) -> Any:
        """The last value; None before the first call."""
        return self._value

    def get(self, key: Any, make: Callable[[], Any]) -> Any:
        """Return the value for `key`.

        The value is computed if the key has changed, or if the last value is None.
        """
        if self._value is None or self._key != key:
            self._value = make()
            self._key = key
        return self._value

    @classmethod
    def drop_closed(cls, opened: Collection[Document]) -> None:
        """Drop the value of each object of this class. A value is kept if its key has at least one document,
        and all documents of the key are in `opened`.
        """
        for memo in cls._of_documents:
            key = memo._key if isinstance(memo._key, tuple) else (memo._key,)
            named = [each for each in key if isinstance(each, Document)]
            if not named or any(each not in opened for each in named):
                memo._key = memo._value = None


Node = TypeVar("Node")
NO_HEIGHT = -1.0
"""The row height that ImGui's clipper assumes while it measures the first row."""


def clipped_ranges(count: int, height: float = NO_HEIGHT) -> Iterator[tuple[int, int]]:
    """Yield the ranges (first, end) of visible rows among `count` rows of `height` points.

    The caller must draw the rows of a range before it requests the next range.
    """
    clipper = imgui.ListClipper()
    clipper.begin(count, height)
    while clipper.step():
        yield clipper.display_start, clipper.display_end


def clipped(count: int, height: float = NO_HEIGHT) -> Iterator[int]:
    """Yield the indices of the visible rows.

    The caller must draw each row before it requests the next one.
    """
    for first, end in clipped_ranges(count, height):
        yield from range(first, end)


def clipped_tree(tree: Branch[Node], height: float) -> Iterator[Row[Node]]:
    """Yield the visible rows of a tree. Each has a separate ImGui id scope."""
    for first, end in clipped_ranges(len(tree), height):
        for number, row in enumerate(tree.in_sight(first, end), first):
            imgui.push_id(number)
            yield row
            imgui.pop_id()


class ResizableChild:
    """A child window that the user can resize: at its right edge if `sideways`, otherwise at its lower edge.

    It stores one size for each arrangement. It is the same window in all arrangements, so its contents keep
    their scroll positions and the focus.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._sizes: dict[object, float] = {}
        self._last: object = None

    def begin(self, arrangement: object, sideways: bool, size: float) -> bool:
        """Begin the window with its size in this arrangement. The first size is `size` points.

        Return whether the window is visible. Call `end_child` in both cases.
        """
        room = imgui.get_content_region_avail()
        known = self._sizes.get(arrangement, size)
        if arrangement != self._last:
            self._last = arrangement
            imgui.set_next_window_size(ImVec2(known, room.y) if sideways else ImVec2(room.x, known))
        flags = imgui.ChildFlags_.resize_x if sideways else imgui.ChildFlags_.resize_y
        shown = imgui.begin_child(self._name, ImVec2(known, 0) if sideways else ImVec2(0, known), flags)
        now = imgui.get_window_size()
        self._sizes[arrangement] = now.x if sideways else now.y
        return bool(shown)
