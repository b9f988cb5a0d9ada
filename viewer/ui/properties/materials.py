"""The pages of materials and textures: their files, values and images."""

from __future__ import annotations

import os

from imgui_bundle import ImVec2, imgui

from viewer.errors import printable
from viewer.scene.items import GeometryItem, Item, MaterialItem, TextureItem
from viewer.scene.material import Texture
from viewer.scene.missing_parts import advice
from viewer.scene.model import Model
from viewer.scene.names import JOINT
from viewer.session.state import State
from viewer.ui.item_text import short_name
from viewer.ui.kit.texts import label_text
from viewer.ui.kit.theme import FAINT, WARNING, color32
from viewer.ui.kit.widgets import colored, faint, hint, toggle, wrapped
from viewer.ui.properties.page_widgets import array_text, field, heading, jump, missing, path_line, section
from viewer.ui.properties.skin_choices import skin_choices
from viewer.view.view_info import PanelPicture

CHANNELS = ("RGB", "RGBA", "R", "G", "B", "A")
SMALL = 3.2
"""Side of a thumbnail in lines of text."""
CLOSEST = 32.0
ZOOM = 1.25


def material_page(state: State, item: Item) -> None:
    """Draw the page of a material with its textures."""
    model, number = state.model, item.number
    if model is None or number >= len(model.materials):
        return
    material = model.materials[number]
    heading(state, item)
    if short_name(material.name) != material.name:
        field("Name", material.name)
    found_in(state, material.found, material.searched)
    if material.technique:
        field("Technique", material.technique)
    field("Blend", material.blend)
    field("Cull", material.cull)
    field("Fill", material.fill)
    field("Diffuse", array_text(material.diffuse))
    field("Specular", array_text(material.specular), "Red green blue, exponent")
    if any(material.emissive):
        field("Emissive", array_text(material.emissive))
    if material.alpha_mask is not None:
        field("Alpha mask", array_text(material.alpha_mask))
    with section("Textures") as shown:
        if shown:
            for unit, texture in material.units.items():
                _unit(state, model, unit, texture)
            if not material.units:
                missing("None.")
    with section("Parameters", opened=bool(material.parameters)) as shown:
        if shown:
            for name, value in material.parameters.items():
                field(name, value)
    users = [n for n, each in enumerate(model.geometries) if each.material == number]
    with section("Used by") as shown:
        if shown:
            for user in users:
                jump(state, GeometryItem(user))


def _unit(state: State, model: Model, unit: str, number: int) -> None:
    """Draw the thumbnail of a texture, and beside it the texture unit's name and file."""
    texture = model.textures[number]
    side = imgui.get_text_line_height() * SMALL
    gallery = state.view_info.gallery
    if gallery is not None:
        picture = gallery.small(number)
        share = side / max(picture.size)
        imgui.image(imgui.ImTextureRef(picture.glo), ImVec2(picture.size[0] * share, picture.size[1] * share))
        if imgui.is_item_clicked():
            state.view.selection.pick(TextureItem(number))
        imgui.same_line(side + imgui.get_style().item_spacing.x * 2)
    imgui.begin_group()
    faint(unit)
    jump(state, TextureItem(number), short_name(texture.name))
    if not choose_file(state, number, texture) and texture.path is None:
        colored("Missing", WARNING)
    imgui.end_group()


def found_in(state: State, path: str | None, searched: tuple[str, ...]) -> None:
    """Draw the path of a found file.

    If the file was not found, draw all searched paths relative to the model.
    """
    if path is not None:
        field("File", path)
        return
    if not searched:
        field("File", "none, because the model names no file")
        return
    colored("Not found. Searched paths relative to the model, the nearest first:", WARNING)
    own = state.document.path.partition(JOINT)[0] if state.document else ""
    home = os.path.dirname(os.path.abspath(own))
    for number, path in enumerate(searched):
        imgui.push_id(number)
        path_line(path, home)
        imgui.pop_id()
    wrapped(advice(searched))


def choose_file(state: State, number: int, texture: Texture) -> bool:
    """Draw the choice of the file for a texture without a file name; return False for other textures.

    A texture whose file the game supplies, such as a creature skin, has a `kind` other than 0.
    """
    if not texture.kind:
        return False
    chosen = state.view.textures.get(number)
    files = [*texture.choices, *([chosen] if chosen and chosen not in texture.choices else ())]
    guessed = f"{_label(texture.path)} (guessed)" if texture.path else "none"
    imgui.set_next_item_width(-1)
    if imgui.begin_combo(f"##file {number}", _label(chosen) if chosen else guessed):
        if imgui.selectable(guessed, chosen is None)[0]:
            state.view.textures.pop(number, None)
        for path in files:
            if imgui.selectable(f"{_label(path)}###{path}", path == chosen)[0]:
                state.view.textures[number] = path
        imgui.end_combo()
    hint(f"The model names no file for the {printable(texture.name)} (type {texture.kind})")
    return True


def _label(path: str) -> str:
    return label_text(os.path.basename(path))


class TexturePage:
    """The page of a texture with its image. The wheel zooms the image, a drag moves it."""

    def __init__(self) -> None:
        self._item: Item | None = None
        self._channels = "RGB"
        self._level = 0
        self._zoom = 1.0
        self._middle = (0.5, 0.5)

    def __call__(self, state: State, item: Item) -> None:
        """Draw the page of a texture."""
        model, number = state.model, item.number
        if model is None or number >= len(model.textures):
            return
        if item != self._item:
            self._item, self._level, self._zoom, self._middle = item, 0, 1.0, (0.5, 0.5)
        texture = model.textures[number]
        heading(state, item)
        if choose_file(state, number, texture):
            skin_choices(state, number, texture)
        gallery = state.view_info.gallery
        picture = gallery.large(number, self._level, self._channels) if gallery else None
        if picture is None:
            colored(
                "No image to show."
                if (state.view.textures.get(number) or texture.path) is None
                else "The image could not be read.",
                WARNING,
            )
        else:
            self._tools(picture)
            self._zoomed(picture)
            width, height = picture.levels[0]
            field("Size", f"{width} × {height}")
            field("Encoding", picture.encoding or "unknown")
            field("Levels", str(len(picture.levels)))
        field("Name", texture.name)
        if texture.kind:
            field("Type", str(texture.kind), "Type of a texture for which the model names no file")
        replacement = state.view.textures.get(number)
        found_in(state, replacement or texture.path, texture.searched)
        field("Address", " ".join(texture.address))
        field("Filter", texture.filter)
        field("Colours", "sRGB" if texture.srgb else "linear")
        users = [n for n, each in enumerate(model.materials) if number in each.units.values()]
        with section("Used by") as shown:
            for user in users if shown else ():
                jump(state, MaterialItem(user))

    def _tools(self, picture: PanelPicture) -> None:
        for number, channels in enumerate(CHANNELS):
            if number:
                imgui.same_line(0, 2)
            if toggle(channels, channels == self._channels):
                self._channels = channels
        if len(picture.levels) > 1:
            imgui.set_next_item_width(-1)
            names = [f"level {n}   {w} × {h}" for n, (w, h) in enumerate(picture.levels)]
            self._level = imgui.combo("##level", min(self._level, len(names) - 1), names)[1]

    def _zoomed(self, picture: PanelPicture) -> None:
        """Draw the image as wide as the panel, and at most as high as the panel."""
        side = max(imgui.get_content_region_avail().x, 32.0)
        width, height = picture.size
        shown = ImVec2(side, min(side, max(side * height / width, 24.0)))
        low = imgui.get_cursor_screen_pos()
        imgui.invisible_button("texture", shown)
        self._mouse(low, shown)
        half = 0.5 / self._zoom
        (x, y), high = self._middle, ImVec2(low.x + shown.x, low.y + shown.y)
        draw = imgui.get_window_draw_list()
        corners = ImVec2(x - half, y - half), ImVec2(x + half, y + half)
        draw.add_image(imgui.ImTextureRef(picture.glo), low, high, *corners)
        draw.add_rect(low, high, color32(FAINT, 0.4))

    def _mouse(self, low: ImVec2, size: ImVec2) -> None:
        io = imgui.get_io()
        imgui.set_item_key_owner(imgui.Key.mouse_wheel_y)
        x, y = self._middle
        if imgui.is_item_hovered() and io.mouse_wheel:
            before = 1 / self._zoom
            self._zoom = max(1.0, min(CLOSEST, self._zoom * ZOOM**io.mouse_wheel))
            kept = before - 1 / self._zoom
            x += ((io.mouse_pos.x - low.x) / size.x - 0.5) * kept
            y += ((io.mouse_pos.y - low.y) / size.y - 0.5) * kept
        if imgui.is_item_active():
            x -= io.mouse_delta.x / size.x / self._zoom
            y -= io.mouse_delta.y / size.y / self._zoom
        edge = 0.5 / self._zoom
        self._middle = max(edge, min(1 - edge, x)), max(edge, min(1 - edge, y))
