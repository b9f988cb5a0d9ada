"""The register map: one cell per component of a register, in the colour of its parameter."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui
from msgspec import Struct

from viewer.errors import printable
from viewer.scene.items import ParameterItem
from viewer.scene.shader import CompiledShader
from viewer.session.state import State
from viewer.ui.compiled.colors import owner
from viewer.ui.compiled.registers import NOBODY, PARTS, PROGRAM, Bank
from viewer.ui.kit.theme import FAINT, LINE, TEXT, color32
from viewer.ui.kit.widgets import faint, hint, mono

CELL = 0.8
"""Size of a cell in letter heights."""
GAP = 4.0
GROUPS = (4, 2)
"""The possible numbers of registers per row, the best number first. With four registers, a row shows a whole
matrix.
"""
READ, UNREAD = 0.85, 0.30
"""Opacity of the registers that the program reads, and of the other registers."""


def register_map(state: State, shader: CompiledShader, banks: tuple[Bank, ...]) -> None:
    """Draw all banks. Registers that the program does not read are dim.

    A click on a cell selects its parameter.
    """
    for bank in banks:
        if len(bank.owners):
            imgui.push_id(bank.file)
            faint(bank.title)
            _bank(state, shader, bank)
            imgui.pop_id()


class _CellGrid(Struct, frozen=True):
    """The positions of the cells in points.

    A row is `line` high. It begins with a label of width `label`, followed by `groups` registers of width
    `step`.
    """

    origin: ImVec2
    label: float
    cell: float
    step: float
    line: float
    groups: int

    def corner(self, number: int) -> ImVec2:
        """The upper left corner of a register."""
        row, column = divmod(number, self.groups)
        return ImVec2(self.origin.x + self.label + column * self.step, self.origin.y + row * self.line)

    def at(self, x: float, y: float) -> tuple[int, int] | None:
        """The register and component at a point on the screen; None outside the cells."""
        column, within = divmod(x - self.origin.x - self.label, self.step)
        part, row = int(within // self.cell), int((y - self.origin.y) // self.line)
        inside = 0 <= column < self.groups and part < PARTS
        return (row * self.groups + int(column), part) if inside else None


def _grid() -> _CellGrid:
    """Return the widest grid that fits at ImGui's cursor."""
    with mono():
        label = imgui.calc_text_size("0000").x + imgui.calc_text_size("0").x / 2
    cell = CELL * imgui.get_font_size()
    step = PARTS * cell + 2 * GAP
    fit = int((imgui.get_content_region_avail().x - label) / step)
    return _CellGrid(
        imgui.get_cursor_screen_pos(),
        label,
        cell,
        step,
        cell + 2,
        next((each for each in GROUPS if each <= fit), 1),
    )


def _bank(state: State, shader: CompiledShader, bank: Bank) -> None:
    grid, count = _grid(), len(bank.owners)
    rows = -(-count // grid.groups)
    imgui.invisible_button("map", ImVec2(grid.label + grid.groups * grid.step, rows * grid.line + GAP))
    for row in range(rows):
        low = ImVec2(grid.origin.x, grid.origin.y + row * grid.line)
        if not imgui.is_rect_visible(low, ImVec2(low.x + 1, low.y + grid.line)):
            continue
        middle = ImVec2(low.x, low.y + (grid.cell - imgui.get_text_line_height()) / 2)
        first = row * grid.groups
        with mono():
            imgui.get_window_draw_list().add_text(middle, color32(FAINT), f"{first:>4}")
        for number in range(first, min(first + grid.groups, count)):
            _register(state, bank, number, grid.corner(number), grid.cell)
    mouse = imgui.get_mouse_pos()
    found = grid.at(mouse.x, mouse.y) if imgui.is_item_hovered() else None
    if found is not None and 0 <= found[0] < count:
        _hover_register(state, shader, bank, *found, imgui.is_item_clicked())


def _register(state: State, bank: Bank, number: int, low: ImVec2, cell: float) -> None:
    """Draw the four cells of one register, and an outline if its parameter is selected."""
    draw, light = imgui.get_window_draw_list(), state.options.light_theme
    picked = state.view.selection.picked
    for part, each in enumerate(bank.owners[number].tolist()):
        corner = ImVec2(low.x + part * cell, low.y)
        end = ImVec2(corner.x + cell - 1, corner.y + cell - 1)
        if each == NOBODY:
            draw.add_rect(corner, end, color32(LINE))
            continue
        strength = READ if bank.read[number] else UNREAD
        color = color32(FAINT if each == PROGRAM else owner(each, light), strength)
        draw.add_rect_filled(corner, end, color)
        if picked == ParameterItem(each) or state.view.selection.hover == ParameterItem(each):
            draw.add_rect(corner, end, color32(TEXT), 0.0, 1.5)


def _hover_register(
    state: State, shader: CompiledShader, bank: Bank, number: int, part: int, clicked: bool
) -> None:
    """Show the tooltip of a cell; a click selects its parameter."""
    each = int(bank.owners[number, part])
    named = "no parameter"
    if each == PROGRAM:
        named = "defined in the program"
    elif each != NOBODY:
        named = printable(shader.parameters[each].name)
        state.view.selection.point(ParameterItem(each))
        if clicked:
            state.view.selection.pick(ParameterItem(each))
    read = "read by the program" if bank.read[number] else "not read"
    hint(f"{bank.register(number)}.{'xyzw'[part]}  {named}\n{read}")
