"""Finding: focuses the field that filters a panel's list."""

from __future__ import annotations

from viewer.actions.action import Action, has_document
from viewer.scene.package import Package
from viewer.scene.script import CompiledScript
from viewer.scene.shader import CompiledShader
from viewer.session.layouts import FILES, PANELS, VIEW
from viewer.session.requests import Post
from viewer.session.state import State

BYTES = "chunks"
FIELDS = tuple(panel.name for panel in PANELS if panel.finds)
PAGES = (Package, CompiledScript, CompiledShader)
"""The contents whose page has a find field."""


def panel_in_front(state: State) -> str:
    """The panel whose field `find` focuses.

    It is the wall if it shows, else the panel with the keyboard focus, else the page that replaces the
    picture, else the first open panel with a find field. An unread file has only its bytes.
    """
    interface = state.interface
    if state.files.wall:
        return FILES
    if _is_unread(state):
        return BYTES
    if interface.focused in FIELDS:
        return interface.focused
    if state.document is not None and isinstance(state.document.content, PAGES):
        return VIEW
    fields = [name for name in FIELDS if name != FILES or state.files.root]
    return next(filter(interface.shows, fields), fields[0])


def find(state: State, post: Post) -> None:
    """Focus the find field of the panel in front; open a panel if there is none."""
    panel = panel_in_front(state)
    if panel != VIEW and not state.files.wall and not _is_unread(state):
        state.interface.bring(panel)
    state.interface.finding = panel


def _is_unread(state: State) -> bool:
    return state.document is not None and state.document.unread


FIND = (Action("find", "Find…", ("Ctrl+F",), ("Edit",), find, has_document),)
