"""The disassembly as coloured lines. Selecting a line selects its bytes."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from imgui_bundle import ImVec2, imgui

from viewer.errors import printable
from viewer.scene.items import InstructionItem, Item
from viewer.scene.shader import InstructionKind, ListingLine, ShaderProgram
from viewer.session.layouts import VIEW
from viewer.session.state import State
from viewer.ui.compiled.colors import marked
from viewer.ui.kit.theme import ACCENT, FAINT, TEXT, color32
from viewer.ui.kit.tree_rows import Row, flat
from viewer.ui.kit.tree_table import TableRows, TreeTable
from viewer.ui.kit.widgets import WHOLE_ROW, Memo, copy_text, hint, mark_words, mono

INDENT = 2
"""Indentation of a block in letters."""
NOTES = 48
"""The largest column, in letters, at which notes begin. If a line is longer, its note begins after the
line.
"""
OFFSETS = 8
"""Width of the offset column in letters."""


class Disassembly:
    """The list of lines, with a filter.

    A line that another panel selects is scrolled into view.
    """

    def __init__(self) -> None:
        self._longest = Memo()
        self._table = TreeTable[int]("lines")
        self._shown: Item | None = None

    def __call__(self, state: State, number: int, program: ShaderProgram, named: str) -> None:
        """Draw program `number`; highlight the notes that name the parameter or texture unit `named`."""
        lines = program.lines
        self._table.filter_line(state.interface.find_requested(VIEW))
        texts = (f"{line.text} {line.note}" for line in lines)
        tree = self._table.kept((program,), lambda: flat(self._table.filter.matching(texts)))
        rows = tree.nodes
        item = state.view.selection.picked
        chosen = _line_of(item, number)
        at = bisect_left(rows, chosen) if chosen is not None else len(rows)
        self._table.cursor = (at,) if at < len(rows) and rows[at] == chosen else ()
        if item != self._shown:
            self._shown = item
            self._table.show(self._table.cursor)
        notes = self._longest.get(program, lambda: _longest(lines))
        with mono():
            self._table(tree, _InstructionRows(state, number, lines, notes, named, chosen))


class _InstructionRows(TableRows[int]):
    """The lines of program `number`; their notes begin at the column `notes`."""

    def __init__(
        self,
        state: State,
        number: int,
        lines: Sequence[ListingLine],
        notes: int,
        named: str,
        chosen: int | None,
    ) -> None:
        self._state, self._number, self._lines, self._notes = state, number, lines, notes
        self._named, self._chosen = named, chosen

    def draw(self, row: Row[int], chosen: bool, wide: bool) -> bool:
        """Draw the offset, the coloured line and its note; return whether the line was clicked."""
        state, line, item = self._state, self._lines[row.node], InstructionItem(self._number, row.node)
        low, letter = imgui.get_cursor_screen_pos(), imgui.calc_text_size("0").x
        clicked = imgui.selectable("##line", chosen, WHOLE_ROW, ImVec2(0, imgui.get_text_line_height()))[0]
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
        mark_words(self.filter, line.text, ImVec2(low.x + (OFFSETS + INDENT * line.depth) * letter, low.y))
        if line.note:
            at = max(x + 2 * letter, low.x + (OFFSETS + self._notes) * letter)
            meant = self._named and any(
                each.partition("[")[0] == self._named for each in line.note.split(", ")
            )
            ink = color32(ACCENT) if meant else color32(TEXT, 0.6)
            note = printable(line.note)
            draw.add_text(ImVec2(at, low.y), ink, note)
            mark_words(self.filter, note, ImVec2(at, low.y))
        return bool(clicked)

    def has_menu(self, row: Row[int]) -> bool:
        """Always False, because `after` draws one menu for all lines."""
        return False

    def choose(self, row: Row[int], by_key: bool) -> None:
        """Select the instruction of a line."""
        self._state.view.selection.pick(InstructionItem(self._number, row.node))

    def open(self, row: Row[int]) -> None:
        """Select the instruction of a line."""
        self.choose(row, False)

    def keys(self) -> None:
        """Copy the selected line on Ctrl+C."""
        if self._chosen is not None and imgui.shortcut(int(imgui.Key.mod_ctrl | imgui.Key.c)):
            copy_text(self._lines[self._chosen].text)

    def after(self) -> None:
        """Draw the menu with entries to copy the selected line or all lines."""
        if not imgui.begin_popup_context_window("copy lines"):
            return
        chosen = self._chosen
        if imgui.menu_item_simple("Copy line", "Ctrl+C", enabled=chosen is not None) and chosen is not None:
            copy_text(self._lines[chosen].text)
        if imgui.menu_item_simple("Copy all"):
            copy_text("\n".join("  " * line.depth + line.text for line in self._lines))
        imgui.end_popup()


def _details(line: ListingLine) -> str:
    parts = (printable(line.text), printable(line.note), f"0x{line.offset:X}, {line.size} bytes")
    return "\n".join(filter(None, parts))


def _longest(lines: Sequence[ListingLine]) -> int:
    """Return the column at which notes begin: to the right of all lines with a note, but at most NOTES.

    Lines of declarations do not count.
    """
    does = (line for line in lines if line.note and line.kind is not InstructionKind.DECLARATION)
    lengths = [len(line.text) + INDENT * line.depth for line in does]
    return min(max(lengths, default=0) + 2, NOTES)


def _line_of(item: Item | None, program: int) -> int | None:
    """The line index of an item; None if the item is not an instruction of this program."""
    return item.number if isinstance(item, InstructionItem) and item.program == program else None
