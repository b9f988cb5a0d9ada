"""The parts of property pages: headings, fields with values to copy, links and small tables."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np
from imgui_bundle import ImVec2, imgui

from viewer.errors import printable
from viewer.scene.items import Item
from viewer.session.state import State
from viewer.ui.item_text import bytes_of, item_title
from viewer.ui.kit.texts import ExactText, exact_text, grouped, label_text, middled, number_text
from viewer.ui.kit.theme import ACCENT, FAINT, RAISED, rgba
from viewer.ui.kit.widgets import clipped, colored, copy_text, faint, hint, mono, wrapped

NAMES = 0.36
"""Share of a field's width for its name, and the largest width of the name in font sizes (LETTERS)."""
LETTERS = 9.0
VISIBLE_ROWS = 12
TABLE = int(
    imgui.TableFlags_.row_bg
    | imgui.TableFlags_.no_borders_in_body
    | imgui.TableFlags_.scroll_y
    | imgui.TableFlags_.sizing_fixed_fit
)


def heading(state: State, item: Item) -> None:
    """Draw an item's kind and name, the offset and size of its bytes, and the name of an attached file."""
    wrapped(item_title(state, item), ACCENT)
    document = state.view.selection.source or state.document
    span = bytes_of(document, item)
    if document is not None and span is not None:
        holder = document.holder(item)
        file = "" if holder is state.document else f"   {os.path.basename(holder.path)}"
        with mono():
            faint(f"@ 0x{span.offset:X}   {grouped(span.size)} bytes" + file)
    imgui.spacing()


@contextmanager
def section(title: str, opened: bool = True) -> Iterator[bool]:
    """Draw the header of a section that the user can close.

    The `with` block gets True if the section is open.
    """
    flags = imgui.TreeNodeFlags_.default_open if opened else 0
    imgui.push_style_color(imgui.Col_.header, rgba(RAISED))
    shown = imgui.collapsing_header(title, flags)
    imgui.pop_style_color()
    imgui.push_id(title)
    yield bool(shown)
    if shown:
        imgui.spacing()
    imgui.pop_id()


def array_text(values: Any) -> ExactText:
    """Join the numbers of an array from the file: `0.25 1 0`."""
    return ExactText.of(" ".join(map(number_text, np.asarray(values).ravel().tolist())), values)


def short(values: Any) -> ExactText:
    """Join calculated numbers with five digits: `0.25 1 0`. Values below 0.0000005 become 0."""
    rounded = (np.round(np.asarray(values).ravel(), 6) + 0.0).tolist()
    text = ExactText.of(" ".join(f"{value:.5g}" for value in rounded), values)
    text.calculated = True
    return text


def field(name: str, value: str, note: str = "") -> None:
    """Draw a name and its value. A click copies the value; numbers are copied with all digits."""
    name, value = printable(name), printable(value)
    _name(name)
    with mono():
        if _needs_line(name, value):
            imgui.new_line()
            imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + imgui.get_style().indent_spacing)
        shown = _fitting(value)
        _copyable(name, shown, lambda: exact_text(value), value if shown != value else note, name)


def _needs_line(name: str, value: str) -> bool:
    """Whether the value has a line of its own, because the line of its name has too little room.

    After a calculated number has needed a line, it has one until the width changes, so that the rows below do
    not move while the number changes.
    """
    room = imgui.get_content_region_avail().x
    wide = imgui.calc_text_size(value).x > room
    if isinstance(value, ExactText) and value.calculated:
        storage, key = imgui.get_state_storage(), imgui.get_id(f"{name}##room")
        wide |= storage.get_float(key) == room
        storage.set_float(key, room if wide else 0.0)
    return wide


def _fitting(text: str) -> str:
    """Cut a text to the available width: a path at its start, any other text at its end."""
    room, width = imgui.get_content_region_avail().x, imgui.calc_text_size(text).x
    if width <= room or not text:
        return text
    letters = max(int(room / width * len(text)) - 1, 1)
    is_path = not isinstance(text, ExactText) and ("/" in text or "\\" in text)
    return f"…{text[len(text) - letters :]}" if is_path else f"{text[:letters]}…"


def path_line(path: str, home: str) -> None:
    """Draw a path on one line. The path is relative to the folder `home` if the relative path is shorter.

    A long path is shortened in the middle. A click copies the absolute path.
    """
    try:
        shortest = min((path, os.path.relpath(path, home)), key=len)
    except ValueError:  # no relative path leads to another drive
        shortest = path
    with mono():
        room, letter = imgui.get_content_region_avail().x, imgui.calc_text_size("0").x
        path, shortest = printable(path), printable(shortest)
        _copyable("path", middled(shortest, int(room / letter)), lambda: path, path)


def matrix(name: str, rows: Any) -> None:
    """Draw a name, and below it rows of numbers in columns."""
    faint(name)
    with mono():
        cells = [[f"{value:.4g}" for value in row] for row in (np.round(np.asarray(rows), 6) + 0.0).tolist()]
        wide = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
        lines = ["  ".join(map(str.rjust, row, wide)) for row in cells]
        for number, line in enumerate(lines):
            _copyable(f"{name} {number}", line, lambda: _exact_rows(rows), label=name)


def _exact_rows(rows: Any) -> str:
    return "\n".join(array_text(row).exact for row in np.asarray(rows))


def link(state: State, name: str, item: Item | None, label: str = "") -> None:
    """Draw a name and a link to another item, or "none". A click selects the item."""
    _name(name)
    if item is None:
        faint("none")
    else:
        jump(state, item, label)


def jump(state: State, item: Item, label: str = "") -> None:
    """Draw a link to an item: `label`, or by default its title. A click selects the item."""
    text = label_text(label or item_title(state, item))
    imgui.push_style_color(imgui.Col_.text, rgba(ACCENT))
    if imgui.selectable(f"{text}###{item}", False, 0, ImVec2(imgui.calc_text_size(text).x, 0))[0]:
        state.view.selection.pick(item)
    imgui.pop_style_color()
    if imgui.is_item_hovered():
        state.view.selection.point(item)


def table(name: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Draw a table of values, at most VISIBLE_ROWS rows high. A click copies a value."""
    height = imgui.get_text_line_height() + 2 * imgui.get_style().cell_padding.y
    room = height * (min(len(rows), VISIBLE_ROWS) + 1) + 2
    if not rows or not imgui.begin_table(name, len(columns), TABLE, ImVec2(0, room)):
        return
    imgui.table_setup_scroll_freeze(0, 1)
    for column in columns:
        imgui.table_setup_column(column[:1].upper() + column[1:])
    imgui.table_headers_row()
    with mono():
        for number in clipped(len(rows), height):
            imgui.table_next_row()
            _cells(number, rows[number])
    imgui.end_table()


def _cells(number: int, cells: Iterable[str]) -> None:
    for column, cell in enumerate(map(printable, cells)):
        imgui.table_next_column()
        _copyable(f"{number} {column}", cell, partial(exact_text, cell))


def _name(name: str) -> None:
    start = imgui.get_cursor_pos_x()
    faint(name)
    room, size = imgui.get_content_region_avail().x, imgui.get_font_size()
    taken = start + imgui.get_item_rect_size().x + size / 2
    imgui.same_line(max(min(room * NAMES, size * LETTERS), taken))


def _copyable(name: str, text: str, whole: Callable[[], str], note: str = "", label: str = "") -> None:
    """Draw text that the user can copy with a click or the context menu; `whole` returns the text to copy.

    With a `label`, the menu also has an entry that copies label and text.
    """
    width = imgui.calc_text_size(text).x
    if imgui.selectable(f"{text}###{name} {imgui.get_cursor_pos_y():.0f}", False, 0, ImVec2(width, 0))[0]:
        copy_text(whole())
    if imgui.begin_popup_context_item():
        if imgui.menu_item_simple("Copy value"):
            copy_text(whole())
        if label and imgui.menu_item_simple("Copy name and value"):
            copy_text(f"{label}: {whole()}")
        imgui.end_popup()
    hint(f"{note}\nClick to copy".strip())


def missing(text: str) -> None:
    """Draw a faint line that says what is missing on a page."""
    colored(text, FAINT)
