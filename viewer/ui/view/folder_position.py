"""The position in the walk through a folder: a part of the status line, or the last line of a page."""

from __future__ import annotations

from collections.abc import Callable

from imgui_bundle import ImVec2, imgui

from viewer.scene.names import path_key
from viewer.session.state import State
from viewer.ui.kit.widgets import faint


def position_text(state: State) -> str:
    """`model 3 of 12`, with the end of the folder if the walk ended here; empty if the file in view is not
    the file of the last step.
    """
    stepped = state.pending_files.stepped
    if stepped is None or state.document is None or path_key(state.document.path) != path_key(stepped.path):
        return ""
    return "   ".join(filter(None, (f"{stepped.noun} {stepped.number} of {stepped.count}", stepped.end)))


def above_position(state: State, draw: Callable[[], None]) -> None:
    """Draw a page, and below it the position of its file."""
    text = position_text(state)
    below = -imgui.get_text_line_height_with_spacing() if text else 0.0
    if imgui.begin_child("page", ImVec2(0.0, below)):
        draw()
    imgui.end_child()
    if text:
        faint(text)
