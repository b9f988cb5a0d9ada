"""A row of buttons for a folder and its parents."""

from __future__ import annotations

import os
from collections.abc import Iterable

from imgui_bundle import imgui

from viewer.ui.kit.texts import label_text
from viewer.ui.kit.widgets import faint

GAP = 1.6
"""The width in line heights that a button takes in addition to its text."""


def path_bar(folder: str) -> str | None:
    """Draw the buttons of a folder and its parents. Return the clicked folder; None without a click."""
    return folder_buttons(parents(folder))


def folder_buttons(folders: Iterable[str]) -> str | None:
    """Draw the buttons of `folders` from the last to the first. Return the clicked folder; None without a
    click.

    If the line has too little room, only the first of `folders` get buttons.
    """
    room, used, clicked = imgui.get_content_region_avail().x, 0.0, None
    fitting: list[str] = []
    for part in folders:
        used += imgui.calc_text_size(_title(part)).x + imgui.get_font_size() * GAP
        if fitting and used > room:
            break
        fitting.append(part)
    for number, part in enumerate(reversed(fitting)):
        if number:
            imgui.same_line(0, 2)
            faint("›")
            imgui.same_line(0, 2)
        if imgui.small_button(f"{_title(part)}##{part}"):
            clicked = part
    return clicked


def parents(folder: str) -> list[str]:
    """Return the folder, then its parents up to the root."""
    found = [folder]
    while os.path.dirname(found[-1]) != found[-1]:
        found.append(os.path.dirname(found[-1]))
    return found


def _title(folder: str) -> str:
    return label_text(os.path.basename(folder) or folder)
