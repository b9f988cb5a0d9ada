"""The two ways to give a missing file: choose it, or search a folder for everything that is missing."""

from __future__ import annotations

from imgui_bundle import imgui

from viewer.scene.items import Item, MaterialItem, TextureItem
from viewer.scene.model import Model
from viewer.session.requests import AddResourceFolder, GiveFile, Post
from viewer.ui.kit.widgets import hint

CHOOSE, SEARCH = "Choose a file…", "Search in a folder…"
ABOUT_SEARCH = "The folder is kept in File › Resource folders: all missing files are searched there"


def give_file(post: Post, name: str, texture: int | None = None) -> None:
    """Draw the buttons for the missing resource `name`; `texture` is its number if it is a texture."""
    if imgui.small_button(CHOOSE):
        post(GiveFile(name, texture))
    imgui.same_line()
    if imgui.small_button(SEARCH):
        post(AddResourceFolder())
    hint(ABOUT_SEARCH)


def give_file_menu(post: Post, name: str = "", texture: int | None = None) -> None:
    """Draw the same as entries of a menu; without a name only the search."""
    if name and imgui.menu_item_simple(CHOOSE):
        post(GiveFile(name, texture))
    if imgui.menu_item_simple(SEARCH):
        post(AddResourceFolder())


def missing_name(model: Model | None, item: Item) -> str:
    """The name of the texture or material of an item if its file is missing, else an empty text."""
    if model is None:
        return ""
    if isinstance(item, TextureItem) and item.number < len(model.textures):
        texture = model.textures[item.number]
        return "" if texture.decode is not None else texture.name
    if isinstance(item, MaterialItem) and item.number < len(model.materials):
        material = model.materials[item.number]
        return material.name if material.missing else ""
    return ""
