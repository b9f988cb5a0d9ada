"""The windows over the panels, and the Escape key, which closes the topmost window.

Escape does the first of these things that is possible: it closes the topmost menu or popup, ends the editing
of a text field, closes the topmost overlay, ends fly mode, ends the choice of points to measure, clears the
query of the Files panel, or closes the wall. Otherwise it runs the action with this key.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter

from imgui_bundle import imgui
from msgspec import Struct

from viewer.actions.action import sets
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.view.measures import finished, pending

NAVIGATION = int(imgui.ConfigFlags_.nav_enable_keyboard)
POPUP = int(imgui.WindowFlags_.popup)


class Overlay(Struct, frozen=True):
    """A window over the panels.

    `window` is its ImGui name. `close` closes the window. If the overlay `has_fields`, Tab and the arrow keys
    walk them while the window has the focus, and keys that type or edit stay in the window.
    """

    window: str
    is_open: Callable[[State], bool]
    close: Callable[[State, Post], None]
    has_fields: bool = True


def _overlay(window: str, path: str, closed: object = False, has_fields: bool = True) -> Overlay:
    """Make the row of an overlay that is open unless the value `path` of the State is `closed`."""
    read = attrgetter(path)
    return Overlay(window, lambda state: bool(read(state) != closed), sets(path, closed), has_fields)


OVERLAYS = (
    _overlay("palette", "interface.palette", has_fields=False),
    _overlay("###keys", "interface.help", has_fields=False),
    _overlay("shading pie", "interface.pie", has_fields=False),
    _overlay("###record", "interface.records"),
    _overlay("###export", "interface.exports"),
    _overlay("###settings", "interface.settings", None),
    _overlay("###about", "interface.about", None),
    _overlay("###dropped", "pending_files.dropped", ""),
    _overlay("###batches", "files.shows_batches"),
    _overlay("###browser", "pending_files.browser", None, has_fields=False),
    _overlay("###quit", "interface.quits"),
)


def take_escape(state: State, post: Post) -> bool:
    """Give a pressed Escape to its first receiver.

    Return False if there is none, and Escape may run an action.
    """
    if not imgui.is_key_pressed(imgui.Key.escape, False):
        return False
    if close_popup():
        return True
    top = topmost(state)
    if imgui.get_io().want_text_input and (top is None or not _is_edited(top)):
        return True
    if top is not None:
        top.close(state, post)
        return True
    flying, state.interface.flying = state.interface.flying, False
    return flying or _end_measuring(state) or state.files.escape()


def _end_measuring(state: State) -> bool:
    """Drop the start of a distance, or else end the choice of points; return False if neither is active."""
    if not state.interface.measuring:
        return False
    if pending(state.view.measures) is None:
        state.interface.measuring = False
    state.view.measures = finished(state.view.measures)
    return True


def close_popup() -> bool:
    """Close the topmost popup, or the topmost menu with its submenus; return False if no popup or menu is
    open.

    A submenu is never closed alone, because it would open again under the pointer.
    """
    stack = imgui.get_current_context().open_popup_stack
    if stack.empty():
        return False
    level = stack.size() - 1
    while level and _is_submenu(stack[level].window):
        level -= 1
    imgui.internal.close_popup_to_level(level, True)
    return True


def _is_submenu(window: imgui.internal.Window | None) -> bool:
    return window is not None and bool(window.flags & imgui.WindowFlags_.child_window)


def topmost(state: State) -> Overlay | None:
    """The topmost open overlay, None if none is open. An overlay that opens in this frame is topmost."""
    return max((each for each in OVERLAYS if each.is_open(state)), key=_height, default=None)


def focused_overlay(state: State) -> Overlay | None:
    """The open overlay whose window, or a popup of it, has the keyboard focus."""
    used, inside = imgui.get_current_context().nav_window, imgui.internal.is_window_child_of
    windows = ((each, _window(each)) for each in OVERLAYS if each.is_open(state))
    focused = (each for each, own in windows if used and own and inside(used, own, True, False))
    return next(focused, None)


def navigate(state: State) -> None:
    """Switch ImGui's keyboard navigation: it is on while a menu, a popup or an overlay that has fields has
    the focus. It is off otherwise, because panels use Tab and the arrow keys.
    """
    io, used, overlay = imgui.get_io(), imgui.get_current_context(), focused_overlay(state)
    popup = not used.open_popup_stack.empty()
    walks = popup or (overlay is not None and overlay.has_fields)
    walks &= not state.interface.capturing
    io.config_flags = io.config_flags | NAVIGATION if walks else io.config_flags & ~NAVIGATION
    if walks:  # Escape is given out by `take_escape`
        imgui.internal.set_key_owner(imgui.Key.escape, NAVIGATION)
    window = used.nav_window
    if walks and window is not None and window.flags & POPUP and not used.nav_cursor_visible:
        # the first arrow key goes to the first entry
        start = imgui.internal.ImRect(0, 0, 0, 0)
        imgui.internal.set_nav_id(0, used.nav_layer, used.nav_focus_scope_id, start)


def is_under_overlay() -> bool:
    """Whether an overlay covers the current window. The windows of overlays and popups never count as
    covered.
    """
    root = imgui.internal.get_current_window().root_window
    shown = [window.id_ for window in map(_window, OVERLAYS) if window is not None and window.was_active]
    return bool(shown) and root.id_ not in shown and not root.flags & imgui.WindowFlags_.popup


def _height(overlay: Overlay) -> float:
    """The index of the overlay's window in ImGui's focus order; infinite if the window is not drawn yet."""
    window = _window(overlay)
    return window.focus_order if window is not None and window.was_active else float("inf")


def _is_edited(overlay: Overlay) -> bool:
    """Whether the overlay's window contains the active widget."""
    used, own = imgui.get_current_context().active_id_window, _window(overlay)
    return used is not None and own is not None and used.root_window.id_ == own.id_


def _window(overlay: Overlay) -> imgui.internal.Window | None:
    return imgui.internal.find_window_by_id(imgui.internal.im_hash_str(overlay.window))
