"""The page of a compiled shader under a fake mouse."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from imgui_bundle import imgui
from msgspec.structs import force_setattr

from tests.contrast import contrast
from tests.shader_files import TRANSFORM, old_bytes, parameter, shader_bytes, unit, vs4_bytes, words
from tests.synthetic import write_pair
from viewer.scene.items import InstructionItem, ParameterItem
from viewer.scene.material import Material
from viewer.scene.shader import CompiledShader, PieceKind, sdbm
from viewer.scene.text_filter import TextFilter
from viewer.session.state import State
from viewer.storage.documents import open_document
from viewer.ui.compiled import shader_page
from viewer.ui.compiled.colors import marked, owner
from viewer.ui.compiled.disassembly import Disassembly
from viewer.ui.compiled.parameters import MaterialParameters, materials, parameters
from viewer.ui.compiled.register_map import register_map
from viewer.ui.compiled.registers import banks
from viewer.ui.compiled.shader_page import ShaderPage
from viewer.ui.kit.theme import PALETTES, ThemeColors

Open = Callable[..., CompiledShader]


@pytest.fixture
def opened(desk: Any, tmp_path: Path) -> Open:
    """Opens a shader on the desk."""

    def open_one(data: bytes, name: str = "Basic_9A6030F6.vs3") -> CompiledShader:
        (tmp_path / name).write_bytes(data)
        desk.state.put(open_document(tmp_path / name))
        content = desk.state.document.content
        assert isinstance(content, CompiledShader)
        return content

    return open_one


FILES = {
    "model 3": shader_bytes(units=[unit("DiffMap", 0)]),
    "model 4": vs4_bytes(),
    "a wrong element hash": vs4_bytes(element_hash=7),
    "several programs": old_bytes({"": words(*TRANSFORM), "SKINNED": words(*TRANSFORM)}),
    "no program": shader_bytes(b"12345678"),
    "another model": b"USHD\0\0\5\0" + bytes(8),
}


@pytest.mark.parametrize("case", FILES)
def test_every_kind_draws(desk: Any, opened: Open, case: str) -> None:
    opened(FILES[case])
    desk.show(ShaderPage())
    desk.frames(3)
    assert desk.posted == []


def test_another_document_begins_a_new_page(desk: Any, opened: Open) -> None:
    page = ShaderPage()
    opened(FILES["several programs"], "a.vs3")
    desk.show(page)
    desk.state.view.selection.pick(InstructionItem(1, 2))
    desk.frames(2)
    assert page._number == 1
    opened(FILES["model 3"], "b.vs3")
    desk.frames(2)
    assert page._number == 0


def lines_shown(desk: Any, shader: CompiledShader) -> Disassembly:
    shown = Disassembly()
    desk.show(lambda state, post: shown(state, 0, shader.programs[0], ""))
    return shown


def row_at(desk: Any, number: int) -> float:
    """The middle of a line below the filter."""
    return float(imgui.get_frame_height_with_spacing() + (number + 0.4) * desk.line)


def test_a_click_on_a_line_selects_its_bytes(desk: Any, opened: Open) -> None:
    shader = opened(FILES["model 3"])
    lines_shown(desk, shader)
    desk.click(120, row_at(desk, 3))
    assert desk.state.view.selection.picked == InstructionItem(0, 3)
    span = desk.state.document.origin.span(desk.state.view.selection.picked)
    assert span.offset == shader.programs[0].lines[3].offset
    desk.state.purge()
    assert desk.state.view.selection.hover == InstructionItem(0, 3)


def test_arrows_walk_from_line_to_line(desk: Any, opened: Open) -> None:
    lines_shown(desk, opened(FILES["model 3"]))
    desk.click(120, row_at(desk, 2))
    desk.key("DOWN")
    assert desk.state.view.selection.picked == InstructionItem(0, 3)
    desk.key("HOME")
    assert desk.state.view.selection.picked == InstructionItem(0, 0)
    desk.key("END")
    assert desk.state.view.selection.picked == InstructionItem(0, 10)


def test_a_line_selected_elsewhere_comes_into_sight(desk: Any, opened: Open) -> None:
    tokens = (TRANSFORM[0], *[0] * 200, TRANSFORM[-1])
    shown = lines_shown(desk, opened(shader_bytes(tokens)))
    desk.state.view.selection.pick(InstructionItem(0, 180))
    desk.frames(3)
    desk.click(120, 150)
    desk.frames()
    assert 165 <= desk.state.view.selection.picked.number <= 195
    assert shown._shown == desk.state.view.selection.picked


def test_the_filter_keeps_what_has_all_words(desk: Any, opened: Open) -> None:
    shown = lines_shown(desk, opened(FILES["model 3"]))
    shown._table.filter = TextFilter("dp4 viewproj[2]")
    desk.frames(2)
    assert shown._table._found.value.nodes == [7]
    desk.click(120, row_at(desk, 0))
    assert desk.state.view.selection.picked == InstructionItem(0, 7)


def test_a_row_of_the_table_selects_a_parameter(desk: Any, opened: Open) -> None:
    shader = opened(shader_bytes(parameters=[parameter("A", 0), parameter("ViewProj", 4, 4)]))
    desk.show(lambda state, post: parameters(state, shader, {}))
    desk.click(40, 2.4 * (imgui.get_text_line_height() + 2 * imgui.get_style().cell_padding.y))
    assert desk.state.view.selection.picked == ParameterItem(1)


def test_a_cell_of_the_map_selects_its_parameter(desk: Any, opened: Open) -> None:
    shader = opened(FILES["model 3"])
    found = banks(shader, shader.programs[0])
    desk.show(lambda state, post: register_map(state, shader, found))
    low = desk.line + 1.3 * imgui.get_font_size()
    desk.click(60, low)
    assert desk.state.view.selection.picked == ParameterItem(0)
    assert desk.state.document.origin.span(ParameterItem(0)).value == "ViewProj"


def test_values_come_from_the_material_that_gives_most(desk: Any, opened: Open, tmp_path: Path) -> None:
    desk.state.put(open_document(write_pair(tmp_path)))
    model = desk.state.document.content
    poor, rich = Material("poor.xml"), Material("rich.xml", parameters={"ViewProj": "1 0 0 1"})
    force_setattr(model, "materials", (poor, rich))
    shader = opened(FILES["model 3"])
    chooser, found = MaterialParameters(), []
    desk.show(lambda state, post: found.append(chooser(state, shader)))
    assert found[-1] == {"ViewProj": "1 0 0 1"}
    assert list(materials(desk.state)) == ["poor.xml  (Post.mdl)", "rich.xml  (Post.mdl)"]


def test_without_a_model_nothing_is_given(desk: Any, opened: Open) -> None:
    shader = opened(FILES["model 3"])
    assert MaterialParameters()(desk.state, shader) == {} and materials(State()) == {}


def test_defines_are_tested_as_they_are_typed(
    desk: Any, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, verdicts, spelled = ShaderPage(), [], []
    monkeypatch.setattr(shader_page, "wrapped", lambda text, color: verdicts.append(text))
    monkeypatch.setattr(shader_page, "field", lambda name, value, note="": spelled.append((value, note)))
    opened(FILES["model 3"], f"Basic_{sdbm('DIFFMAP'):08X}.vs3")
    desk.show(page)
    for typed in ("diffmap", "NORMALMAP"):
        page._typed = typed
        verdicts.clear()
        spelled.clear()
        desk.frames()
        found = any(text.startswith("Match") and "DIFFMAP" in text for text in verdicts)
        assert found == (typed == "diffmap")
        assert ((f"{sdbm(typed):08X}", typed) in spelled) == (typed == "NORMALMAP")


@pytest.mark.parametrize(("light", "theme"), [(False, "dark"), (True, "light")])
def test_colours_are_readable_on_their_ground(light: bool, theme: str) -> None:
    ground = PALETTES[theme][ThemeColors.GROUND]
    colors = [marked(mark, light) for mark in PieceKind] + [owner(number, light) for number in range(6)]
    for color in colors:
        seen = PALETTES[theme][color] if isinstance(color, ThemeColors) else color
        assert contrast(seen, ground) >= 4.5
