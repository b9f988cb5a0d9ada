"""The dialog that asks which of two compared models a dropped model replaces."""

from __future__ import annotations

import os

from imgui_bundle import imgui

from viewer.scene.names import short_names
from viewer.session.requests import Exchange, Open, Post
from viewer.session.state import State
from viewer.ui.kit.dialogs import default_button, settings_window
from viewer.ui.kit.texts import label_text
from viewer.ui.kit.widgets import hint, wrapped


def dropped_dialog(state: State, post: Post) -> None:
    """Draw the dialog while `state.pending_files.dropped` is set."""
    if not settings_window("Two models are compared###dropped", lambda: _inside(state, post)):
        state.pending_files.dropped = ""


def _inside(state: State, post: Post) -> None:
    pending, documents = state.pending_files, state.documents
    pair = [each.path for each in (documents.document, documents.compared) if each is not None]
    wrapped(f"Where does {label_text(os.path.basename(pending.dropped))} open?")
    for number, (path, name) in enumerate(zip(pair, short_names(pair), strict=True)):
        if imgui.button(f"Replace {label_text(name)}###{number}", (-1, 0)):
            post(Exchange(pending.dropped, path))
            pending.dropped = ""
            return
        hint(label_text(path))
    if default_button("Open as a tab"):
        post(Open((pending.dropped,)))
        pending.dropped = ""
    imgui.same_line()
    if imgui.button("Cancel"):
        pending.dropped = ""
