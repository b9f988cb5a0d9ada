"""The menu bar: the actions in menus, and the open documents as tabs."""

from __future__ import annotations

from imgui_bundle import imgui

from viewer.actions import ACTIONS, Action
from viewer.actions.bindings import active
from viewer.errors import printable
from viewer.scene.names import file_name
from viewer.session.requests import AddResourceFolder, CloseDocument, Open, Post, RemoveResourceFolder
from viewer.session.state import State
from viewer.ui.kit.texts import label_text
from viewer.ui.kit.widgets import hint

TITLES = tuple(dict.fromkeys(action.menu[0] for action in ACTIONS))
LINES = frozenset(
    {
        *("previous_file", "cancel_loading", "screenshot", "export", "quit"),
        *("fit", "wireframe", "grid", "compare_off", "hide_panels", "statistics"),
        *("copy_picture", "deselect"),
        *("only_variant", "show_all"),
        *("previous_frame", "previous_animation", "add_layer", "loop", "range_start"),
        *("record_gif", "stop_recording", "sample_urho3d"),
    }
)
"""The actions with a separator above them, or above their submenu if they are its first."""
PLUS = int(imgui.TabItemFlags_.trailing | imgui.TabItemFlags_.no_tooltip)
NARROWEST = 8
"""The width in letters below which the bar has no tabs."""
TABS = int(
    imgui.TabBarFlags_.fitting_policy_scroll
    | imgui.TabBarFlags_.no_tooltip
    | imgui.TabBarFlags_.draw_selected_overline
)


class MenuBar:
    """The bar. It remembers the document in view, to distinguish clicks on tabs from other changes."""

    def __init__(self) -> None:
        self._before = (0, 0)

    def __call__(self, state: State, post: Post) -> None:
        """Draw the bar."""
        if not imgui.begin_main_menu_bar():
            return
        for title in TITLES:
            if imgui.begin_menu(title):
                _entries(state, post, (title,))
                imgui.end_menu()
        if state.documents.opened and imgui.get_content_region_avail().x > imgui.get_font_size() * NARROWEST:
            imgui.dummy((imgui.get_font_size(), 0))
            self._documents(state, post)
        imgui.end_main_menu_bar()

    def _documents(self, state: State, post: Post) -> None:
        """Draw the open files as tabs. A click shows a file, the cross closes it."""
        now = (len(state.documents.opened), state.documents.current)
        changed, self._before = now != self._before, now
        if not imgui.begin_tab_bar("documents", TABS):
            return
        for number, document in enumerate(state.documents.opened):
            name = file_name(document.path)
            flags = imgui.TabItemFlags_.set_selected if changed and number == state.documents.current else 0
            shown, is_open = imgui.begin_tab_item(f"{label_text(name)}###{number}", True, flags)
            hint(f"{printable(document.path)}\n{document.format}")
            if shown:
                imgui.end_tab_item()
                if not changed and number != state.documents.current:
                    state.show(number)
            if not is_open:
                post(CloseDocument(number))
        if imgui.tab_item_button("+", PLUS):
            post(Open())
        hint("Open…")
        imgui.end_tab_bar()


def _entries(state: State, post: Post, menu: tuple[str, ...]) -> None:
    """Draw the actions of a menu in the order of the table. A submenu is drawn at its first action."""
    depth = len(menu)
    inside = [action for action in ACTIONS if action.menu[:depth] == menu]
    shown: set[str] = set()
    for action in inside:
        begins = action.menu == menu or action.menu[depth] not in shown
        if begins and action.name in LINES and action is not inside[0]:
            imgui.separator()
        if action.menu == menu:
            _entry(state, post, action)
            if action.name == "open_folder":
                _recent(state, post)
                _resources(state, post)
            elif action.name == "free_camera":
                _cameras(state)
        elif action.menu[depth] not in shown:
            shown.add(action.menu[depth])
            if imgui.begin_menu(action.menu[depth]):
                _entries(state, post, action.menu[: depth + 1])
                imgui.end_menu()


def _recent(state: State, post: Post) -> None:
    """Draw the submenu of recent files."""
    paths = state.interface.preferences.recent
    if not paths or not imgui.begin_menu("Open recent"):
        return
    for number, path in enumerate(paths):
        name = file_name(path)
        if imgui.menu_item_simple(f"{label_text(name)}###{number}"):
            post(Open((path,)))
        hint(printable(path))
    imgui.end_menu()


def _resources(state: State, post: Post) -> None:
    """Draw the submenu of resource folders, which adds and removes them."""
    if not imgui.begin_menu("Resource folders"):
        return
    if imgui.menu_item_simple("Add a folder…"):
        post(AddResourceFolder())
    if imgui.menu_item_simple("Add an archive or resources.cfg…"):
        post(AddResourceFolder(archive=True))
    paths = state.interface.preferences.resources
    if paths:
        imgui.separator()
    for path in paths:
        if imgui.menu_item_simple(f"Remove {label_text(path)}###{path}"):
            post(RemoveResourceFolder(path))
    imgui.end_menu()


def _cameras(state: State) -> None:
    """Draw an entry for each camera of the file."""
    for number, camera in enumerate(state.model.cameras if state.model else ()):
        if imgui.menu_item_simple(
            f"{number}: {label_text(camera.name)}###{number}", "", state.view.file_camera_number == number
        ):
            state.view.file_camera_number = number


def _entry(state: State, post: Post, action: Action) -> None:
    keys = active(state.interface.preferences)[action.name]
    checked = action.checked is not None and action.checked(state)
    if imgui.menu_item_simple(action.caption(state), keys[0] if keys else "", checked, action.enabled(state)):
        action.run(state, post)
