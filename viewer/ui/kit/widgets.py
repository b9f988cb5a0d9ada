"""The widgets that panels share, so that they look alike."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager
from typing import Any, ClassVar, TypeVar
from weakref import WeakSet

from imgui_bundle import ImVec2, imgui

from viewer.errors import counted, printable
from viewer.scene.document import Document
from viewer.session.state import State
from viewer.ui.kit.overlays import is_under_overlay
from viewer.ui.kit.texts import shortened, visible, visible_lines
from viewer.ui.kit.theme import ACCENT, FAINT, Color, mono_font, rgba
from viewer.ui.kit.tree_rows import Branch, Row

_copied: list[str] = []
"""The texts copied since the last call of `take_copied`."""


def copy_text(text: str) -> None:
    """Copy a text to the clipboard."""
    imgui.set_clipboard_text(text)
    _copied.append(text)


def take_copied() -> str:
    """The status line's note about the texts copied since the last call; empty if none were."""
    if not _copied:
        return ""
    lines = _copied[-1].splitlines() or [""]
    _copied.clear()
    more = f" and {counted(len(lines) - 1, 'more line')}" if len(lines) > 1 else ""
    return f"Copied {shortened(printable(lines[0]))}{more}"


FIXED = int(imgui.WindowFlags_.no_move | imgui.WindowFlags_.no_docking | imgui.WindowFlags_.no_saved_settings)
"""The flags of a window that the program places."""
BARE = FIXED | int(imgui.WindowFlags_.no_decoration)
DIALOG = FIXED | int(imgui.WindowFlags_.no_collapse) | int(imgui.WindowFlags_.no_resize)
SHIFT = int(imgui.Key.mod_shift)


def faint(text: str) -> None:
    """Draw text with less emphasis."""
    colored(text, FAINT)


def colored(text: str, color: Color) -> None:
    """Draw a line of text in a colour, literally: `%` is not a format."""
    imgui.push_style_color(imgui.Col_.text, rgba(color))
    imgui.text_unformatted(visible(text))
    imgui.pop_style_color()


def wrapped(text: str, color: Color | None = None) -> None:
    """Draw text over as many lines as it needs."""
    imgui.push_text_wrap_pos(0.0)
    if color is not None:
        imgui.push_style_color(imgui.Col_.text, rgba(color))
    imgui.text_unformatted(visible_lines(text))
    if color is not None:
        imgui.pop_style_color()
    imgui.pop_text_wrap_pos()


def hint(text: str | Callable[[], str]) -> None:
    """Show a tooltip for the last item; `text` may be a function, called when the tooltip shows."""
    if imgui.is_item_hovered(imgui.HoveredFlags_.for_tooltip) and not is_under_overlay():
        tooltip(text if isinstance(text, str) else text())


def tooltip(text: str) -> None:
    """Show a tooltip at the pointer, except under a dialog, which it would cover."""
    if not is_under_overlay() and imgui.begin_tooltip():
        imgui.push_text_wrap_pos(imgui.get_font_size() * 32)
        imgui.text_unformatted(visible_lines(text))
        imgui.pop_text_wrap_pos()
        imgui.end_tooltip()


class _Mono:
    """A class, not a generator: it is entered for every row, and a generator takes three times as long."""

    def __enter__(self) -> None:
        imgui.push_font(mono_font(), 0.0)

    def __exit__(self, *error: object) -> None:
        imgui.pop_font()


_MONO = _Mono()


def mono() -> AbstractContextManager[None]:
    """Draw fixed-width text inside the block: for numbers in columns."""
    return _MONO


def right_aligned(text: str, color: Color | None = None) -> None:
    """Draw text that ends at the right edge of the column."""
    room = imgui.get_content_region_avail().x - imgui.calc_text_size(text).x
    imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + max(room, 0.0))
    if color is None:
        imgui.text_unformatted(visible(text))
    else:
        colored(text, color)


def filter_box(name: str, text: str, focus: bool = False) -> str:
    """Draw a filter field over the full width and return its text; `focus` gives it the keyboard focus."""
    if focus:
        imgui.set_keyboard_focus_here()
    imgui.set_next_item_width(-1)
    return imgui.input_text_with_hint(f"##{name}", "Filter", text)[1]


def walked(row: int, rows: int, page: int, columns: int = 1) -> int | None:
    """The new row, of `rows`, after an arrow, Home, End or page key; None if no such key was pressed.

    Shift may be held. In a grid of several `columns`, Left and Right move by one cell.
    """
    key = imgui.Key
    moves = {
        key.up_arrow: row - columns,
        key.down_arrow: row + columns,
        key.page_up: row - page,
        key.page_down: row + page,
        key.home: 0,
        key.end: rows,
    }
    if columns > 1:
        moves |= {key.left_arrow: row - 1, key.right_arrow: row + 1}
    hit = [to for each, to in moves.items() if _pressed(int(each))]
    return max(0, min(hit[-1], rows - 1)) if hit and rows else None


def _pressed(key: int) -> bool:
    """Whether a key was pressed in the focused window, also with Shift; actions do not get it."""
    alone = imgui.shortcut(key, imgui.InputFlags_.repeat)
    return imgui.shortcut(key | SHIFT, imgui.InputFlags_.repeat) or alone


def toggle(label: str, on: bool, size: ImVec2 | None = None, color: Color = ACCENT) -> bool:
    """Draw a button with an on/off state, in `color` while on; returns True when it is clicked."""
    imgui.push_style_color(imgui.Col_.text, rgba(color if on else FAINT))
    clicked = imgui.button(label, size)
    imgui.pop_style_color()
    return clicked


def still(state: State) -> str:
    """Draw the text of the time panels if nothing plays."""
    some = "Nothing plays. Click an animation to play it."
    return some if state.playback.animations else "No animations."


def nothing(text: str) -> None:
    """Draw the text of an empty panel."""
    wrapped(text, FAINT)


class Memo:
    """A cached value, computed again when its key changes.

    When a document is closed the value is dropped, because it may hold a part of it, see `drop_closed`. A
    `lasting` value stays: it holds no part of a document, or its owner is dropped.
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
        """The value for `key`; computed if the key has changed."""
        if self._value is None or self._key != key:
            self._value = make()
            self._key = key
        return self._value

    @classmethod
    def drop_closed(cls, opened: Collection[Document]) -> None:
        """Drop all values except those whose key contains `opened` documents only, at least one."""
        for memo in cls._of_documents:
            key = memo._key if isinstance(memo._key, tuple) else (memo._key,)
            named = [each for each in key if isinstance(each, Document)]
            if not named or any(each not in opened for each in named):
                memo._key = memo._value = None


Node = TypeVar("Node")
NO_HEIGHT = -1.0
"""The height for rows that the clipper measures itself."""


def clipped_ranges(count: int, height: float = NO_HEIGHT) -> Iterator[tuple[int, int]]:
    """Ranges (first, end) of the visible rows, of `count` rows, each `height` points high.

    Draw the rows of a range before asking for the next range.
    """
    clipper = imgui.ListClipper()
    clipper.begin(count, height)
    while clipper.step():
        yield clipper.display_start, clipper.display_end


def clipped(count: int, height: float = NO_HEIGHT) -> Iterator[int]:
    """The numbers of the visible rows; draw each row before asking for the next."""
    for first, end in clipped_ranges(count, height):
        yield from range(first, end)


def clipped_tree(tree: Branch[Node], height: float) -> Iterator[Row[Node]]:
    """The visible rows of a tree; each row has its own ImGui ids."""
    for first, end in clipped_ranges(len(tree), height):
        for number, row in enumerate(tree.in_sight(first, end), first):
            imgui.push_id(number)
            yield row
            imgui.pop_id()
