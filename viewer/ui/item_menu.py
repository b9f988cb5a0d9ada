"""The context menu of an item, and the buttons that provide a missing file."""

from __future__ import annotations

from imgui_bundle import imgui

from viewer.actions import ACTIONS_BY_NAME
from viewer.actions.action import Action
from viewer.actions.animations import picked_animation, play_picked
from viewer.actions.bindings import shown_key
from viewer.errors import printable
from viewer.scene.items import AttachmentItem, BoneItem, CameraItem, Item, TextureItem
from viewer.scene.parts import PART_KINDS
from viewer.session.pending_files import GONE
from viewer.session.requests import AddResourceFolder, GiveFile, Post, Reload
from viewer.session.state import State
from viewer.ui.item_text import item_bytes, item_name, shown_part
from viewer.ui.kit.widgets import copy_text, hint

CHOOSE, SEARCH = "Choose a file…", "Search in a folder…"
ABOUT_SEARCH = "Adds the folder to File › Resource folders. All missing files are searched for there"


def give_file(post: Post, name: str, texture: int | None = None) -> None:
    """Draw buttons to choose the missing file `name` and to search a folder for it.

    For a texture, `texture` is its index. Without a name, only the button for the folder is drawn.
    """
    if name:
        if imgui.small_button(CHOOSE):
            post(GiveFile(name, texture))
        imgui.same_line()
    if imgui.small_button(SEARCH):
        post(AddResourceFolder())
    hint(ABOUT_SEARCH)


def give_file_menu(post: Post, name: str = "", texture: int | None = None) -> None:
    """Draw the buttons of `give_file` as entries of a menu."""
    if name and imgui.menu_item_simple(CHOOSE):
        post(GiveFile(name, texture))
    if imgui.menu_item_simple(SEARCH):
        post(AddResourceFolder())


CHANGE = "\uf021"
"""The mark of an open file that changed on the disk."""


def reload_entry(state: State, post: Post, path: str) -> None:
    """Draw the entry that reloads an open file, with the key if the file is in view. It is grey while the
    file is gone.
    """
    shown = state.document is not None and state.document.path == path
    key = shown_key(state.interface.preferences, "reload") if shown else ""
    gone = state.pending_files.change(path) == GONE
    if imgui.menu_item_simple("Reload", key, False, not gone):
        post(Reload(path))
    if gone:
        hint(f"The file {GONE}")


def missing_name(state: State, item: Item) -> str:
    """The name of the missing file of a texture, a material or an animation; empty if no file is missing."""
    part = shown_part(state, item)
    return "" if part is None else PART_KINDS[type(item)].missing(part)


PARTS = ("hide", "isolate", "only_variant")
LAYERS = ("add_layer", "add_additive", "cross_fade")
PICTURE = (
    *("fit", "home", "show_all", "usual_variants"),
    *("remove_measure", "clear_measures", "copy_picture", "view_screenshot"),
)
"""The actions for the whole picture, as entries of its context menu."""


def item_menu(state: State, post: Post, item: Item) -> None:
    """Draw the menu entries of an item, and select the item."""
    if state.view.selection.picked != item:
        state.view.selection.pick(item)
    if picked_animation(state) is not None:
        if imgui.menu_item_simple("Play"):
            play_picked(state)
        action_entries(state, post, LAYERS)
        action_entries(state, post, ("export",))
    if isinstance(item, CameraItem) and imgui.menu_item_simple("Look through"):
        state.view.file_camera_number = item.number
    if item.placed:
        action_entries(state, post, ("frame_selected",))
    if isinstance(item, BoneItem | AttachmentItem):
        action_entries(state, post, ("trail",))
    action_entries(state, post, PARTS)
    name = item_name(state, item)
    if name and imgui.menu_item_simple("Copy name"):
        copy_text(printable(name))
    if item_bytes(state, item) is not None and imgui.menu_item_simple("Show bytes"):
        state.interface.bring("chunks")
    missing = missing_name(state, item)
    if missing:
        give_file_menu(post, missing, item.number if isinstance(item, TextureItem) else None)


def picture_entries(state: State, post: Post) -> None:
    """Draw the menu entries for the whole picture."""
    action_entries(state, post, PICTURE)


def action_entries(state: State, post: Post, names: tuple[str, ...]) -> None:
    """Draw a menu entry for each available action of `names`."""
    for action in map(ACTIONS_BY_NAME.__getitem__, names):
        if action.enabled(state):
            action_entry(state, post, action)


def action_entry(state: State, post: Post, action: Action) -> None:
    """Draw the menu entry of an action, with the key and the check mark of the action. If the action is not
    available, the entry is grey, and its tooltip says why.
    """
    key = shown_key(state.interface.preferences, action.name)
    checked = action.checked is not None and action.checked(state)
    if imgui.menu_item_simple(action.caption(state), key, checked, action.enabled(state)):
        action.run(state, post)
    hint(lambda: action.refusal(state))
