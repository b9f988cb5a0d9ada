"""The menu bar: the actions in menus, and the open documents as tabs."""

from __future__ import annotations

from imgui_bundle import imgui

from viewer.actions import ACTIONS
from viewer.actions.files import RECENT, has_recent
from viewer.errors import counted, printable
from viewer.scene.names import short_names
from viewer.session.requests import AddResourceFolder, CloseDocument, Open, Post, RemoveResourceFolder
from viewer.session.state import State
from viewer.ui.files.recent_files import recent_menu
from viewer.ui.item_menu import CHANGE, action_entry, reload_entry
from viewer.ui.kit.texts import label_text
from viewer.ui.kit.theme import ERROR, rgba
from viewer.ui.kit.widgets import hint, mark

TITLES = tuple(dict.fromkeys(action.menu[0] for action in ACTIONS))
LINES = frozenset(
    {
        *("previous_file", "cancel_loading", "view_screenshot", "export", "quit"),
        *("fit", "wireframe", "grid", "compare_off", "hide_panels", "statistics"),
        *("copy_picture", "deselect"),
        *("only_variant", "show_all"),
        *("previous_frame", "previous_animation", "add_layer", "loop", "range_start"),
        *("record_mp4", "stop_recording", "sample_urho3d"),
    }
)
"""Actions with a separator above them. If the action is the first entry of a submenu, the separator is above
the submenu.
"""
ANY_POPUP = int(imgui.PopupFlags_.any_popup)
PLUS = int(imgui.TabItemFlags_.trailing | imgui.TabItemFlags_.no_tooltip)
CROSS, LATEST = "\uf057", 3
"""The icon of errors, and the largest number of errors in its tooltip."""
NARROWEST = 8
"""The width in letters below which the bar has no tabs."""
TABS = int(
    imgui.TabBarFlags_.fitting_policy_scroll
    | imgui.TabBarFlags_.no_tooltip
    | imgui.TabBarFlags_.draw_selected_overline
)


class MenuBar:
    """The menu bar.

    It stores the document in view of the last frame, to distinguish clicks on tabs from other changes.
    """

    def __init__(self) -> None:
        self._before = (0, 0)
        self._pointed: tuple[str, ...] = ()

    def __call__(self, state: State, post: Post) -> None:
        """Draw the bar."""
        if not imgui.begin_main_menu_bar():
            return
        opens = self._opens(state)
        for title in TITLES:
            if _begin_menu(state, (title,), opens):
                _entries(state, post, (title,), opens)
                imgui.end_menu()
        _unseen_errors(state)
        if state.documents.opened and imgui.get_content_region_avail().x > imgui.get_font_size() * NARROWEST:
            imgui.dummy((imgui.get_font_size(), 0))
            self._documents(state, post)
        imgui.end_main_menu_bar()

    def _opens(self, state: State) -> bool:
        """Whether the menus that lead to the entry `interface.pointed` must open in this frame.

        The frame around the entry stays until the menus close.
        """
        if len(state.interface.pointed) == 1:  # the entry is a panel, and panels are in no menu
            return False
        before, self._pointed = self._pointed, state.interface.pointed
        if before == self._pointed and not imgui.is_popup_open("", ANY_POPUP):
            self._pointed = state.interface.pointed = ()
        return before != self._pointed

    def _documents(self, state: State, post: Post) -> None:
        """Draw the open files as tabs. A click on a tab shows the file; a click on its cross closes it."""
        now = (len(state.documents.opened), state.documents.current)
        changed, self._before = now != self._before, now
        if not imgui.begin_tab_bar("documents", TABS):
            return
        opened = state.documents.opened
        names = map(label_text, short_names([each.path for each in opened]))
        for number, (document, name) in enumerate(zip(opened, names, strict=True)):
            change = state.pending_files.change(document.path)
            flags = imgui.TabItemFlags_.set_selected if changed and number == state.documents.current else 0
            shown, is_open = imgui.begin_tab_item(
                f"{CHANGE}  {name}###{number}" if change else f"{name}###{number}", True, flags
            )
            hint("\n".join(filter(None, (printable(document.path), document.format, change))))
            if imgui.begin_popup_context_item(f"tab {number}"):
                reload_entry(state, post, document.path)
                if imgui.menu_item_simple("Close"):
                    post(CloseDocument(number))
                imgui.end_popup()
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


def _unseen_errors(state: State) -> None:
    """Draw how many errors the user has not seen in the list of messages. A click opens the list."""
    errors = state.unseen_errors
    if not errors:
        return
    imgui.push_style_color(imgui.Col_.text, rgba(ERROR))
    if imgui.menu_item_simple(f"{CROSS} {counted(len(errors), 'new error')}###unseen"):
        state.files.shows_batches = True
    imgui.pop_style_color()
    hint("\n".join(["Show the messages", *(printable(each.text) for each in errors[:LATEST])]))


def _begin_menu(state: State, path: tuple[str, ...], opens: bool) -> bool:
    """Begin a menu. With `opens`, the menu opens if it is on the path `interface.pointed`."""
    pointed = state.interface.pointed
    if opens and len(pointed) > len(path) and pointed[: len(path)] == path:
        imgui.open_popup(path[-1])
    empty = path == RECENT and not has_recent(state)
    begun = imgui.begin_menu(path[-1], False) if empty else imgui.begin_menu(path[-1])
    _mark(state, path)
    return begun


def _mark(state: State, path: tuple[str, ...]) -> None:
    """Draw a frame around the last drawn entry if `interface.pointed` names it."""
    if state.interface.pointed == path:
        mark(imgui.get_item_rect_min(), imgui.get_item_rect_max())


def _entries(state: State, post: Post, menu: tuple[str, ...], opens: bool) -> None:
    """Draw the actions of a menu in the order of the table. A submenu is drawn in place of its first action.

    With `opens`, the submenus on the path `interface.pointed` open.
    """
    depth = len(menu)
    inside = [action for action in ACTIONS if action.menu[:depth] == menu]
    shown: set[str] = set()
    if menu == RECENT:
        recent_menu(state, post)
    for action in inside:
        begins = action.menu == menu or action.menu[depth] not in shown
        if begins and action.name in LINES and action is not inside[0]:
            imgui.separator()
        if action.menu == menu:
            action_entry(state, post, action)
            _mark(state, (*menu, action.title))
            if action.name == "add_resource_folder":
                _resources(state, post)
            elif action.name == "free_camera":
                _cameras(state)
        elif action.menu[depth] not in shown:
            shown.add(action.menu[depth])
            if _begin_menu(state, action.menu[: depth + 1], opens):
                _entries(state, post, action.menu[: depth + 1], opens)
                imgui.end_menu()


def _resources(state: State, post: Post) -> None:
    """Draw the entries that add an archive and remove resource folders."""
    if imgui.menu_item_simple("Search for missing files in an archive or resources.cfg…"):
        post(AddResourceFolder(archive=True))
    paths = state.interface.preferences.resources
    if paths:
        imgui.separator()
    for path in paths:
        if imgui.menu_item_simple(f"Remove {label_text(path)}###{path}"):
            post(RemoveResourceFolder(path))


def _cameras(state: State) -> None:
    """Draw an entry for each camera of the file."""
    for number, camera in enumerate(state.model.cameras if state.model else ()):
        if imgui.menu_item_simple(
            f"{number}: {label_text(camera.name)}###{number}", "", state.view.file_camera_number == number
        ):
            state.view.file_camera_number = number
