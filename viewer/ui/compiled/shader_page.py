"""The page of a compiled shader: engine parameters, register map, statistics, disassembly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from imgui_bundle import ImVec2, imgui

from viewer.scene.items import InstructionItem, ParameterItem, UnitItem
from viewer.scene.shader import CompiledShader, ShaderProgram, fitting, ranges, spellings
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.compiled.disassembly import Disassembly
from viewer.ui.compiled.parameters import MaterialParameters, parameters, units
from viewer.ui.compiled.register_map import register_map
from viewer.ui.compiled.registers import banks
from viewer.ui.kit.texts import label_text
from viewer.ui.kit.theme import ACCENT, ERROR, FAINT, TEXT, WARNING, color32
from viewer.ui.kit.widgets import Memo, ResizableChild, colored, faint, mono, nothing, wrapped
from viewer.ui.properties.page_widgets import field, section, table

LEAST = 26.0
"""Width in letter heights that each column needs. A narrower page stacks the columns."""
SHARE = 0.40


class ShaderPage:
    """The page of a compiled shader. Its state stays when the file is reloaded."""

    def __init__(self) -> None:
        self._begin("")

    def _begin(self, path: str) -> None:
        self._of = path
        self._number = 0
        self._typed = ""
        self._banks = Memo()
        self._given = MaterialParameters()
        self._lines = Disassembly()
        self._left = ResizableChild("facts")

    def __call__(self, state: State, post: Post) -> None:
        """Draw the page of the shader in view."""
        document = state.document
        if document is None or not isinstance(document.content, CompiledShader):
            return
        if document.path != self._of:
            self._begin(document.path)
        shader = document.content
        self._follow(state, len(shader.programs))
        program = shader.programs[self._number] if self._number < len(shader.programs) else None
        self._head(shader, program)
        room, em = imgui.get_content_region_avail(), imgui.get_font_size()
        side_by_side = room.x > 2 * LEAST * em * 0.8
        size = room.x * SHARE if side_by_side else room.y / 2
        if self._left.begin(side_by_side, side_by_side, size):
            self._facts(state, shader, program)
        imgui.end_child()
        if side_by_side:
            imgui.same_line()
        if imgui.begin_child("program"):
            if program is not None and program.lines:
                self._lines(state, self._number, program, _meant(state, shader))
            else:
                nothing("No instruction could be read.")
        imgui.end_child()

    def _follow(self, state: State, count: int) -> None:
        """Show the program of a selected instruction; clamp the program's index to `count` programs."""
        picked = state.view.selection.picked
        if isinstance(picked, InstructionItem):
            self._number = picked.program
        self._number = max(min(self._number, count - 1), 0)

    def _head(self, shader: CompiledShader, program: ShaderProgram | None) -> None:
        """Draw the summary line and, for several programs, the chooser."""
        colored(f"{shader.stage} shader, model {shader.model}", ACCENT)
        if program is None:
            return
        imgui.same_line()
        faint(f"{program.profile}   {program.statistics.instructions} instructions")
        if program.checksum is not None:
            imgui.same_line()
            colored(
                "checksum right" if program.checksum else "checksum wrong",
                FAINT if program.checksum else ERROR,
            )
        if shader.element_hash is not None and shader.expected_hash is not None:
            agrees = shader.element_hash == shader.expected_hash
            imgui.same_line()
            text = f"element hash {shader.element_hash:08X}" + (
                "" if agrees else " does not match the inputs"
            )
            colored(text, FAINT if agrees else WARNING)
        if len(shader.programs) > 1:
            self._chooser(shader.programs)

    def _chooser(self, programs: Sequence[ShaderProgram]) -> None:
        names = [label_text(each.name) or "(no defines)" for each in programs]
        imgui.set_next_item_width(-1)
        if imgui.begin_combo("##program", names[self._number]):
            for number, name in enumerate(names):
                if imgui.selectable(f"{name}##{number}", number == self._number)[0]:
                    self._number = number
            imgui.end_combo()

    def _facts(self, state: State, shader: CompiledShader, program: ShaderProgram | None) -> None:
        with section("Parameters") as shown:
            if shown:
                values = self._given(state, shader)
                parameters(state, shader, values)
                units(state, shader, values)
                if not shader.parameters and not shader.units:
                    faint("No parameters.")
        with section("Registers") as shown:
            if shown:
                found = self._banks.get((shader, program), lambda: banks(shader, program))
                register_map(state, shader, found)
        with section("Defines") as shown:
            if shown:
                self._defines(shader)
        if program is not None:
            with section("Statistics") as shown:
                if shown:
                    _statistics(program)
            with section("Signatures", opened=False) as shown:
                if shown:
                    _signatures(program)

    def _defines(self, shader: CompiledShader) -> None:
        """Draw a field for defines; their hash is compared with the hash in the file name."""
        if shader.hash is None:
            wrapped("The file name contains no hash of the defines.", FAINT)
            return
        field("Hash in the name", f"{shader.hash:08X}", "Hash of the defines of this shader")
        imgui.set_next_item_width(-1)
        self._typed = imgui.input_text_with_hint("##defines", "DIFFMAP VERTEXCOLOR", self._typed)[1]
        fit = fitting(self._typed, shader.hash)
        if fit is not None:
            named = f"“{fit.text}”" if fit.text else "no defines"
            wrapped(f"Match, {fit.how}: {named}", ACCENT)
        elif self._typed:
            for each in spellings(self._typed):
                field(each.how, f"{each.hash:08X}", each.text)


def _meant(state: State, shader: CompiledShader) -> str:
    """Return the name of the hovered parameter or texture unit.

    If none is hovered, return the name of the selected parameter or texture unit; empty without a selection.
    """
    for item in (state.view.selection.hover, state.view.selection.picked):
        if isinstance(item, ParameterItem) and item.number < len(shader.parameters):
            return shader.parameters[item.number].name
        if isinstance(item, UnitItem) and item.number < len(shader.units):
            return shader.units[item.number].name
    return ""


def _statistics(program: ShaderProgram) -> None:
    """Draw bars for the kinds of instructions and for the most frequent opcodes, then the used registers."""
    counts = program.statistics
    if not counts.kinds:
        return
    _bars({kind.value: count for kind, count in counts.kinds.items()})
    imgui.spacing()
    _bars(counts.opcodes)
    imgui.spacing()
    for file, numbers in counts.registers.items():
        field(file, f"{len(numbers)}: {ranges(numbers)}", "Registers that the program uses")


def _bars(counts: Mapping[str, int], most: int = 12) -> None:
    """Draw a bar for each of the first `most` counts. The bar of the first count has the full width."""
    shown = list(counts.items())[:most]
    with mono():
        letter, height = imgui.calc_text_size("0").x, imgui.get_text_line_height()
        wide = (max(len(name) for name, _ in shown) + 2) * letter
        room = imgui.get_content_region_avail().x - wide - 5 * letter
        for name, count in shown:
            low = imgui.get_cursor_screen_pos()
            left, length = low.x + wide + 5 * letter, max(room, 1.0) * count / shown[0][1]
            corner, end = ImVec2(left, low.y + height * 0.2), ImVec2(left + length, low.y + height * 0.8)
            imgui.get_window_draw_list().add_rect_filled(corner, end, color32(ACCENT, 0.55))
            colored(name, TEXT)
            imgui.same_line(wide)
            colored(f"{count:>4}", FAINT)
    if len(counts) > most:
        faint(f"and {len(counts) - most} more")


def _signatures(program: ShaderProgram) -> None:
    for title, elements in (("in", program.inputs), ("out", program.outputs)):
        rows = [
            (
                f"{each.semantic}{each.index or ''}",
                f"{'v' if title == 'in' else 'o'}{each.register}",
                each.type,
                each.components,
                each.used,
            )
            for each in elements
        ]
        if rows:
            table(title, (title, "register", "type", "has", "used"), rows)
    if not program.inputs and not program.outputs:
        faint("This kind of program has declarations instead of signatures.")
