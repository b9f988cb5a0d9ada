"""The parameters and texture units of a shader, with their values in a material of an open model."""

from __future__ import annotations

from collections.abc import Sequence

from imgui_bundle import ImVec2, imgui

from viewer.errors import printable
from viewer.scene.items import Item, NumberedItem, ParameterItem, UnitItem
from viewer.scene.material import Material, Texture
from viewer.scene.names import file_name
from viewer.scene.shader import CompiledShader, ShaderParameter, material_values
from viewer.session.state import State
from viewer.ui.compiled.colors import owner
from viewer.ui.kit.texts import label_text
from viewer.ui.kit.theme import FAINT, TEXT, color32
from viewer.ui.kit.widgets import WHOLE_ROW, clipped, colored, faint, mono

VISIBLE_ROWS = 14
TABLE = int(
    imgui.TableFlags_.row_bg
    | imgui.TableFlags_.no_borders_in_body
    | imgui.TableFlags_.scroll_y
    | imgui.TableFlags_.sizing_stretch_prop
    | imgui.TableFlags_.no_saved_settings
)


class MaterialParameters:
    """The choice of the material whose values are shown. It offers the materials of all open models."""

    def __init__(self) -> None:
        self._name = ""

    def __call__(self, state: State, shader: CompiledShader) -> dict[str, str]:
        """Draw the choice if there are materials; return the values of the chosen material by parameter or
        unit name.
        """
        known = materials(state)
        if not known:
            return {}
        fitting = {name: material_values(shader, *each) for name, each in known.items()}
        if self._name not in known:
            self._name = max(known, key=lambda name: len(fitting[name]))
        faint("Values of")
        imgui.same_line()
        imgui.set_next_item_width(-1)
        if imgui.begin_combo("##material", printable(self._name)):
            for name in known:
                if imgui.selectable(
                    f"{label_text(name)}   {len(fitting[name])} match###{name}", name == self._name
                )[0]:
                    self._name = name
            imgui.end_combo()
        return fitting[self._name]


def materials(state: State) -> dict[str, tuple[Material, Sequence[Texture]]]:
    """The materials of all open models by the title `material  (file)`, each with its model's textures."""
    models = ((document, document.model) for document in state.documents.opened)
    return {
        f"{file_name(material.name)}  ({file_name(document.path)})": (material, model.textures)
        for document, model in models
        for material in (model.materials if model else ())
        if model
    }


def parameters(state: State, shader: CompiledShader, values: dict[str, str]) -> None:
    """Draw a table of the parameters. A click selects a parameter and its bytes."""
    rows = [
        (each.name, each.register, _extent(each), values.get(each.name, "")) for each in shader.parameters
    ]
    _table(state, ParameterItem, ("name", "register", "extent", "value"), rows, bool(values))


def units(state: State, shader: CompiledShader, values: dict[str, str]) -> None:
    """Draw a table of the texture units. A click selects a unit and its bytes."""
    rows = [(each.name, each.register, "", values.get(each.name, "")) for each in shader.units]
    _table(state, UnitItem, ("name", "sampler", "", "value"), rows, bool(values))


def _extent(parameter: ShaderParameter) -> str:
    if parameter.buffer is None:
        return f"{parameter.size}" + (" register" if parameter.size == 1 else " registers")
    return f"{parameter.size} B at {parameter.start}"


def _table(
    state: State, kind: type[NumberedItem], heads: Sequence[str], rows: Sequence[Sequence[str]], valued: bool
) -> None:
    columns = [column for column, head in enumerate(heads) if head and (head != "value" or valued)]
    height = imgui.get_text_line_height() + 2 * imgui.get_style().cell_padding.y
    room = height * (min(len(rows), VISIBLE_ROWS) + 1) + 2
    if not rows or not imgui.begin_table(kind.kind, len(columns), TABLE, ImVec2(0, room)):
        return
    imgui.table_setup_scroll_freeze(0, 1)
    for column in columns:
        imgui.table_setup_column(heads[column].capitalize())
    imgui.table_headers_row()
    for number in clipped(len(rows), height):
        _row(state, kind(number), [rows[number][column] for column in columns])
    imgui.end_table()


def _row(state: State, item: Item, cells: Sequence[str]) -> None:
    imgui.table_next_row()
    imgui.table_next_column()
    if imgui.selectable(f"##{item}", state.view.selection.picked == item, WHOLE_ROW)[0]:
        state.view.selection.pick(item)
    if imgui.is_item_hovered():
        state.view.selection.point(item)
    imgui.same_line(0, 0)
    if isinstance(item, ParameterItem):
        _swatch(owner(item.number, state.options.light_theme))
    imgui.text_unformatted(printable(cells[0]))
    with mono():
        for cell in cells[1:]:
            imgui.table_next_column()
            colored(cell, TEXT if cell == cells[1] else FAINT)


def _swatch(color: object) -> None:
    """Draw the parameter's colour in the register map."""
    side = imgui.get_font_size() * 0.6
    low = imgui.get_cursor_screen_pos()
    top = low.y + (imgui.get_text_line_height() - side) / 2
    draw = imgui.get_window_draw_list()
    draw.add_rect_filled(ImVec2(low.x, top), ImVec2(low.x + side, top + side), color32(color))  # type: ignore[arg-type]
    imgui.dummy(ImVec2(side, side))
    imgui.same_line()
