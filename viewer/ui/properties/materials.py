"""The pages of materials and textures: their files, values and images."""

from __future__ import annotations

import os

from imgui_bundle import ImVec2, imgui

from viewer.errors import counted, printable
from viewer.scene.items import GeometryItem, Item, MaterialItem, TextureItem
from viewer.scene.material import Image, Material, Texture
from viewer.scene.model import Model
from viewer.scene.names import JOINT, short_name
from viewer.scene.needs import advice
from viewer.session.requests import GiveFile, Post
from viewer.session.state import State
from viewer.ui.item_text import shown_part
from viewer.ui.kit.texts import label_text
from viewer.ui.kit.theme import TEXT, WARNING
from viewer.ui.kit.widgets import colored, faint, hint, wrapped
from viewer.ui.needs import shown_needs
from viewer.ui.properties.page_widgets import array_text, field, heading, jump, missing, path_line, section
from viewer.ui.properties.skin_choices import skin_choices
from viewer.view.item_geometries import geometries_of
from viewer.view.texture_shot import whole_shot
from viewer.view.view_info import PanelPictures

SMALL = 3.2
"""Side of a thumbnail in lines of text."""
FOUND_BY = {"name": " (guessed)", "game": " (from the game's tables)"}
"""What follows the name of a file that the model does not name, by the way in which the file was found."""


def material_page(state: State, item: Item) -> None:
    """Draw the page of a material with its textures."""
    model = state.model
    material: Material | None = shown_part(state, item)
    if model is None or material is None:
        return
    heading(state, item)
    if short_name(material.name) != material.name:
        field("Name", material.name)
    found_in(state, material.found, material.searched)
    _found_how(state, item)
    if material.technique:
        field("Technique", material.technique)
    field("Blend", material.blend)
    field("Cull", material.cull)
    field("Fill", material.fill)
    field("Diffuse", array_text(material.diffuse))
    field("Specular", array_text(material.specular), "Red green blue, exponent")
    if material.surface is not None:
        field("Roughness", array_text(material.surface.roughness))
        field("Metalness", array_text(material.surface.metalness))
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
    with section("Used by") as shown:
        if shown:
            for user in geometries_of(model, item):
                jump(state, GeometryItem(user))


def material_candidates(post: Post, model: Model) -> None:
    """Draw the different materials that scenes give to a model, with their uses. A click chooses one."""
    if not model.candidates:
        return
    drawn = {each.found for each in model.materials}
    with section("Materials in scenes", opened=not drawn) as shown:
        for number, each in enumerate(model.candidates if shown else ()):
            text = f"{label_text(each.name)}, {counted(each.uses, 'use')}###candidate {number}"
            imgui.begin_disabled(not each.files)
            if imgui.selectable(text, bool(drawn) and {path for _, path in each.files} == drawn)[0]:
                for name, path in each.files:
                    post(GiveFile(name, None, path))
            imgui.end_disabled()
            hint(
                "Draw the model with this material" if each.files else "The file of this material is missing"
            )


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

    If the file was not found, draw a list of the searched paths, written relative to the model's folder.
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


def _found_how(state: State, item: Item) -> None:
    """Draw what is wrong with the found file of a part: the engine does not find it, or it cannot be used."""
    for need in shown_needs(state, state.document) if state.document is not None else ():
        if item in need.items and need.rule and need.state != "missing":
            wrapped(printable(need.fault), TEXT if need.is_met else WARNING)


def choose_file(state: State, number: int, texture: Texture) -> bool:
    """Draw the choice of the file for a texture without a file name; return False for other textures.

    A texture whose file the game supplies, such as a creature skin, has a `kind` other than 0.
    """
    if not texture.kind:
        return False
    chosen = state.view.textures.get(number)
    files = [*texture.choices, *([chosen] if chosen and chosen not in texture.choices else ())]
    origin = FOUND_BY.get(texture.by or "", "")
    found = f"{_label(texture.path)}{origin}" if texture.path else "none"
    imgui.set_next_item_width(-1)
    if imgui.begin_combo(f"##file {number}", _label(chosen) if chosen else found):
        if imgui.selectable(found, chosen is None)[0]:
            state.view.textures.pop(number, None)
        for path in files:
            if imgui.selectable(f"{_label(path)}###{path}", path == chosen)[0]:
                state.view.textures[number] = path
        imgui.end_combo()
    hint(f"The model names no file for the {printable(texture.name)} (type {texture.kind})")
    return True


def _label(path: str) -> str:
    return label_text(os.path.basename(path))


def texture_page(state: State, item: Item) -> None:
    """Draw the page of a texture with its image."""
    model, number = state.model, item.number
    texture: Texture | None = shown_part(state, item)
    if model is None or texture is None:
        return
    heading(state, item)
    if choose_file(state, number, texture):
        skin_choices(state, number, texture)
    gallery = state.view_info.gallery
    image = gallery.image(number) if gallery else None
    if gallery is None or image is None:
        colored(
            "No image to show."
            if (state.view.textures.get(number) or texture.path) is None
            else "The image could not be read.",
            WARNING,
        )
    else:
        _image(state, gallery, number, image)
        field("Size", f"{image.size[0]} × {image.size[1]}")
        field("Encoding", image.encoding or "unknown")
        field("Levels", str(len(image.levels)))
    field("Name", texture.name)
    if texture.kind:
        field("Type", str(texture.kind), "Type of a texture for which the model names no file")
    replacement = state.view.textures.get(number)
    found_in(state, replacement or texture.path, texture.searched)
    _found_how(state, item)
    field("Address", " ".join(texture.address))
    field("Filter", texture.filter)
    field("Colours", "sRGB" if texture.srgb else "linear")
    users = [n for n, each in enumerate(model.materials) if number in each.units.values()]
    with section("Used by") as shown:
        for user in users if shown else ():
            jump(state, MaterialItem(user))


def _image(state: State, gallery: PanelPictures, number: int, image: Image) -> None:
    """Draw the image as wide as the panel, and at most as high as the panel is wide. A click shows it in the
    Texture panel.
    """
    side = max(imgui.get_content_region_avail().x, 32.0)
    share = side / max(image.size)
    size = ImVec2(max(image.size[0] * share, 1.0), max(image.size[1] * share, 1.0))
    density = imgui.get_io().display_framebuffer_scale.x or 1.0
    pixels = max(round(size.x * density), 1), max(round(size.y * density), 1)
    picture = gallery.view("page", whole_shot(number, 0, "RGB", pixels))
    imgui.image(imgui.ImTextureRef(picture.glo), size, ImVec2(0, 1), ImVec2(1, 0))
    hint("Show the image with zoom, channels and layouts in the Texture panel")
    if imgui.is_item_clicked():
        state.view.texture_view.show(number)
        state.interface.bring("texture")
