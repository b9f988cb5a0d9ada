"""The context menu of the picture: for the item under the pointer, and for the whole picture."""

from __future__ import annotations

from imgui_bundle import imgui

from viewer.scene.items import Item
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.item_menu import item_menu, picture_entries
from viewer.ui.item_text import item_title
from viewer.ui.kit.widgets import faint

POPUP = "picture menu"


class PictureMenu:
    """The menu, from a right click until it is closed."""

    def __init__(self) -> None:
        self._item: Item | None = None

    def open(self, item: Item | None) -> None:
        """Open the menu for an item; None: there is no item under the pointer."""
        self._item = item
        imgui.open_popup(POPUP)

    def __call__(self, state: State, post: Post) -> None:
        """Draw the menu while it is open."""
        if not imgui.begin_popup(POPUP):
            return
        if self._item is not None:
            faint(item_title(state, self._item))
            item_menu(state, post, self._item)
            imgui.separator()
        picture_entries(state, post)
        imgui.end_popup()
