"""The dialog that asks whether unfinished work is awaited or stopped before the program ends."""

from __future__ import annotations

from imgui_bundle import imgui

from viewer.session.requests import Post, Quit
from viewer.session.state import State
from viewer.ui.kit.dialogs import default_button, settings_window
from viewer.ui.kit.widgets import hint, wrapped
from viewer.ui.view.loading_overlay import progress_lines


def quit_dialog(state: State, post: Post) -> None:
    """Draw the dialog while `state.interface.quits` is set."""
    if state.interface.quits and not settings_window("Quit###quit", lambda: _inside(state, post)):
        state.interface.quits = False


def _inside(state: State, post: Post) -> None:
    wrapped("Files are still being written. Quit when they are complete, or stop now?")
    progress_lines(state.unfinished)
    imgui.separator()
    if default_button("Wait"):
        post(Quit("wait"))
    hint("The window closes when the work is done")
    imgui.same_line()
    if imgui.button("Stop"):
        post(Quit("stop"))
    hint("Complete files stay, unfinished files are removed")
    imgui.same_line()
    if imgui.button("Cancel"):
        state.interface.quits = False
