"""The tooltip of a listed file: its picture, and what is known of it."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from viewer.session.file_table import FileTable
from viewer.session.state import State
from viewer.ui.files.file_texts import details

HINT = 12.0
"""The side of the picture in line heights."""


def picture_hint(state: State, table: FileTable, row: int) -> None:
    """Show the tooltip of the last item: the thumbnail of a file, and what is known of the file."""
    if not imgui.is_item_hovered(imgui.HoveredFlags_.for_tooltip):
        return
    path = table.path(row)
    if table.is_pictured(row):
        state.files.shown, state.files.side = (path,), imgui.get_font_size() * HINT
    found = state.files.picture(path)
    if not imgui.begin_tooltip():
        return
    if not isinstance(found, str):
        side = imgui.get_font_size() * HINT
        imgui.image(imgui.ImTextureRef(found.glo), ImVec2(side, side))
    imgui.text_unformatted(details(state.files, table, row))
    imgui.end_tooltip()
