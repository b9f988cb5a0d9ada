"""The action Find: focuses the filter field of a panel."""

from __future__ import annotations

from viewer.actions.action import PAGES, Action, has_document, otherwise
from viewer.session.layouts import FILES, MANUAL, PANELS, VIEW
from viewer.session.requests import Post
from viewer.session.state import State

BYTES = "chunks"
FIELDS = tuple(panel.name for panel in PANELS if panel.finds)


def panel_in_front(state: State) -> str:
    """Return the name of the panel whose filter field `find` focuses.

    The first of these panels that is visible is chosen: the panel with the keyboard focus, the wall, the
    manual if no file is open, the panel with the bytes of an unread file, the page that replaces the 3D view,
    any open panel with a filter field.
    """
    interface = state.interface
    if interface.focused in FIELDS:
        return interface.focused
    if state.files.wall:
        return FILES
    if state.document is None:
        return MANUAL
    if _is_unread(state):
        return BYTES
    if isinstance(state.document.content, PAGES):
        return VIEW
    fields = [name for name in FIELDS if name != FILES or state.files.root]
    return next(filter(interface.shows, fields), fields[0])


def find(state: State, post: Post) -> None:
    """Focus the filter field of the panel in front; open that panel if it is closed."""
    panel = panel_in_front(state)
    if panel != VIEW and not state.files.wall and not _is_unread(state):
        state.interface.bring(panel)
    state.interface.finding = panel


def _is_unread(state: State) -> bool:
    return state.document is not None and state.document.unread


@otherwise("No panel with a filter is open")
def has_field(state: State) -> bool:
    """Whether anything with a filter field is shown."""
    return has_document(state) or state.files.wall or state.interface.shows(MANUAL)


FIND = (Action("find", "Find…", ("Ctrl+F",), ("Edit",), find, has_field, words="search filter"),)
