"""The two ways to give a missing file: choose it, or search a folder for everything that is missing."""

from __future__ import annotations

from imgui_bundle import imgui

from viewer.scene.items import AnimationItem, Item, MaterialItem, TextureItem
from viewer.session.requests import AddResourceFolder, GiveFile, Post
from viewer.session.state import State
from viewer.ui.kit.widgets import hint

CHOOSE, SEARCH = "Choose a file…", "Search in a folder…"
ABOUT_SEARCH = "The folder is kept in File › Resource folders: all missing files are searched there"


def give_file(post: Post, name: str, texture: int | None = None) -> None:
    """Draw the buttons for the missing resource `name`; `texture` is its number if it is a texture. Without a
    name only the search.
    """
    if name:
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


def missing_name(state: State, item: Item) -> str:
    """The name of an item's file if it is missing, else an empty text: of a texture, a material, or the keys
    of an animation.
    """
    model = state.model
    if isinstance(item, AnimationItem) and 0 <= item.number < len(state.animations):
        file = state.animations[item.number].missing_file
        return file.name if file is not None else ""
    if model is None:
        return ""
    if isinstance(item, TextureItem) and 0 <= item.number < len(model.textures):
        texture = model.textures[item.number]
        return "" if texture.decode is not None else texture.name
    if isinstance(item, MaterialItem) and 0 <= item.number < len(model.materials):
        material = model.materials[item.number]
        return material.name if material.missing else ""
    return ""
