"""The parts of the window's file dialog that ask for a file to write: its name, and the button."""

from __future__ import annotations

import os

from imgui_bundle import imgui

from viewer.session.pending_files import FolderListing
from viewer.session.requests import Browse, Post, answered
from viewer.ui.kit.dialogs import default_button
from viewer.ui.kit.theme import WARNING
from viewer.ui.kit.widgets import colored


def name_field(browser: FolderListing) -> None:
    """Draw the field for the name of the file."""
    imgui.set_next_item_width(-1)
    changed, browser.name = imgui.input_text_with_hint("##file name", "File name", browser.name or "")
    if changed:
        browser.cursor = -1


def save_button(browser: FolderListing, post: Post, enter: bool) -> None:
    """Draw the button that takes the name; with `enter`, Enter presses it."""
    name = os.path.expanduser((browser.name or "").strip())
    if default_button("Replace" if browser.replaces else "Save", bool(name), enter):
        post(answered(browser.question, (os.path.join(browser.folder, name),)))
        post(Browse(None))


def replacement(browser: FolderListing) -> None:
    """Say beside the buttons if there is a file of the name."""
    if browser.name is not None and browser.replaces:
        imgui.same_line()
        colored("A file of this name is there.", WARNING)
