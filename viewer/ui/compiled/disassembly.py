"""The disassembly as coloured lines, linked with their bytes."""

from __future__ import annotations

from collections.abc import Sequence

from imgui_bundle import ImVec2, imgui

from viewer.errors import printable
from viewer.scene.disassembly import InstructionKind, ListingLine, ShaderProgram
from viewer.scene.items import InstructionItem, Item
from viewer.session.layouts import VIEW
from viewer.session.state import State
from viewer.ui.compiled.colors import marked
from viewer.ui.kit.theme import ACCENT, FAINT, TEXT, color32
from viewer.ui.kit.widgets import Memo, clipped, copy_text, filter_box, hint, mono, walked

INDENT = 2
"""Indentation of a block in letters."""
NOTES = 48
"""The largest column at which notes begin; longer lines push their own note."""
OFFSETS = 8
"""Width of the offset column in letters."""
WHOLE = int(imgui.SelectableFlags_.span_all_columns | imgui.SelectableFlags_.allow_overlap)


class Disassembly:
    """The list of lines, with a filter; it draws visible lines only.

    A line selected elsewhere is scrolled into view.
    """

    def __init__(self) -> None:
        self._filter = ""
        self._fitting, self._longest = Memo(), Memo()
        self._shown: Item | None = None
        self._named = ""

    def __call__(self, state: State, number: int, program: ShaderProgram, named: str) -> None:
        """Draw the program of that number; lines that use the parameter or unit `named` are highlighted."""
        self._named, lines = named, program.lines
        self._filter = filter_box("disassembly", self._filter, state.interface.find_requested(VIEW))
        wanted = self._filter.casefold().split()
        rows: list[int] = self._fitting.get((program, tuple(wanted)), lambda: _fitting(lines, wanted))
        with mono():
            if imgui.begin_child("lines"):
                notes = self._longest.get(program, lambda: _longest(lines))
                self._rows(state, number, lines, rows, notes)
            imgui.end_child()

    def _rows(
        self, state: State, number: int, lines: Sequence[ListingLine], rows: list[int], notes: int
    ) -> None:
        height = imgui.get_text_line_height_with_spacing()
        chosen = _line_of(state.view.selection.picked, number)
        if imgui.is_window_focused():
            chosen = self._keys(state, number, lines, rows, chosen)
        self._follow(state.view.selection.picked, chosen, rows, height)
        for row in clipped(len(rows), height):
            index = rows[row]
            _row(state, InstructionItem(number, index), lines[index], index == chosen, notes, self._named)
        if imgui.begin_popup_context_window("copy lines"):
            _copy_menu(lines, chosen)
            imgui.end_popup()

    def _follow(self, picked: Item | None, chosen: int | None, rows: list[int], height: float) -> None:
        """Scroll to a line that was selected since the last frame, unless it is visible."""
        if picked == self._shown:
            return
        self._shown = picked
        if chosen is None or chosen not in rows:
            return
        top, room, scrolled = rows.index(chosen) * height, imgui.get_window_height(), imgui.get_scroll_y()
        if not scrolled <= top <= scrolled + room - 2 * height:
            imgui.set_scroll_y(max(top - room / 2, 0.0))

    def _keys(
        self, state: State, number: int, lines: Sequence[ListingLine], rows: list[int], chosen: int | None
    ) -> int | None:
        """Handle the keys and return the selected line.

        Arrows walk, Ctrl+C copies a line.
        """
        key, ctrl = imgui.Key, imgui.Key.mod_ctrl
        if chosen is not None and imgui.shortcut(int(ctrl | key.c)):
            copy_text(lines[chosen].text)
        row = rows.index(chosen) if chosen in rows else -1
        page = max(int(imgui.get_window_height() / imgui.get_text_line_height_with_spacing()) - 1, 1)
        target = walked(row, len(rows), page)
        if target is not None:
            chosen = rows[target]
            state.view.selection.pick(InstructionItem(number, chosen))
        return chosen


def _row(
    state: State, item: InstructionItem, line: ListingLine, chosen: bool, notes: int, named: str
) -> None:
    """Draw the offset, the coloured line, and from column `notes` on its note."""
    low, letter = imgui.get_cursor_screen_pos(), imgui.calc_text_size("0").x
    imgui.push_id(item.number)
    if imgui.selectable("##line", chosen, WHOLE, ImVec2(0, imgui.get_text_line_height()))[0]:
        state.view.selection.pick(item)
    imgui.pop_id()
    draw, light = imgui.get_window_draw_list(), state.options.light_theme
    if imgui.is_item_hovered():
        state.view.selection.point(item)
        hint(lambda: _details(line))
    elif state.view.selection.hover == item:
        draw.add_rect(imgui.get_item_rect_min(), imgui.get_item_rect_max(), color32(ACCENT, 0.5))
    draw.add_text(low, color32(FAINT, 0.7), f"{line.offset:06X}")
    x = low.x + (OFFSETS + INDENT * line.depth) * letter
    for text, mark in line.pieces:
        draw.add_text(ImVec2(x, low.y), color32(marked(mark, light)), text)
        x += len(text) * letter
    if line.note:
        at = max(x + 2 * letter, low.x + (OFFSETS + notes) * letter)
        meant = named and any(each.partition("[")[0] == named for each in line.note.split(", "))
        draw.add_text(
            ImVec2(at, low.y), color32(ACCENT) if meant else color32(TEXT, 0.6), printable(line.note)
        )


def _details(line: ListingLine) -> str:
    parts = (printable(line.text), printable(line.note), f"0x{line.offset:X}, {line.size} bytes")
    return "\n".join(filter(None, parts))


def _longest(lines: Sequence[ListingLine]) -> int:
    """The column of the notes: behind all lines except long declarations."""
    does = (line for line in lines if line.note and line.kind is not InstructionKind.DECLARATION)
    lengths = [len(line.text) + INDENT * line.depth for line in does]
    return min(max(lengths, default=0) + 2, NOTES)


def _line_of(item: Item | None, program: int) -> int | None:
    """The line of an item, None if it is not in this program."""
    return item.number if isinstance(item, InstructionItem) and item.program == program else None


def _fitting(lines: Sequence[ListingLine], wanted: Sequence[str]) -> list[int]:
    """The numbers of the lines that contain all these words."""
    texts = ((number, f"{line.text} {line.note}".casefold()) for number, line in enumerate(lines))
    return [number for number, text in texts if all(word in text for word in wanted)]


def _copy_menu(lines: Sequence[ListingLine], chosen: int | None) -> None:
    """Draw the menu that copies the selected line, or all lines."""
    if imgui.menu_item_simple("Copy line", "Ctrl+C", enabled=chosen is not None) and chosen is not None:
        copy_text(lines[chosen].text)
    if imgui.menu_item_simple("Copy all"):
        copy_text("\n".join("  " * line.depth + line.text for line in lines))
