"""Thumbnails of the image files to choose from for a texture without a file name."""

from __future__ import annotations

import os

from imgui_bundle import ImVec2, imgui

from viewer.errors import printable
from viewer.scene.material import Texture
from viewer.session.state import State
from viewer.ui.kit.theme import ACCENT, FAINT, RAISED, color32
from viewer.ui.kit.widgets import faint, hint
from viewer.view.view_info import PanelPicture, PanelPictures, Preview

SIDE = 4.5
"""Side of a thumbnail in lines of text."""
FRAME = 2.0
UNREADABLE = "\uf127"


def skin_choices(state: State, number: int, texture: Texture) -> None:
    """Draw the files whose names fit the texture; if no name fits, draw all files. A click uses a file."""
    gallery = state.view_info.gallery
    files = texture.choices[: texture.fitting] or texture.choices
    if gallery is None or not files or files == (texture.path,):
        return
    faint("Files with a fitting name" if texture.fitting else "Files beside the model")
    used = state.view.textures.get(number) or texture.path
    side = imgui.get_text_line_height() * SIDE
    gap = imgui.get_style().item_spacing.y
    columns = max(int((imgui.get_content_region_avail().x + gap) / (side + gap)), 1)
    left = imgui.get_cursor_pos_x()
    for at, path in enumerate(files):
        if at % columns:
            imgui.same_line(left + at % columns * (side + gap))
        if _thumbnail(state, gallery, path, side, path == used):
            state.view.textures[number] = path


def _thumbnail(state: State, gallery: PanelPictures, path: str, side: float, used: bool) -> bool:
    """Draw a thumbnail; return whether it was clicked. The file of an invisible thumbnail is not read."""
    low = imgui.get_cursor_screen_pos()
    clicked = imgui.invisible_button(path, ImVec2(side, side))
    if not imgui.is_item_visible():
        return bool(clicked)
    preview = gallery.preview(path, state.context)
    state.pending_files.unsettled |= preview == ""
    high = ImVec2(low.x + side, low.y + side)
    draw = imgui.get_window_draw_list()
    draw.add_rect_filled(low, high, color32(RAISED, 1.0))
    if isinstance(preview, PanelPicture):
        wide, tall = (side * each / max(preview.size) / 2 for each in preview.size)
        middle = ImVec2(low.x + side / 2, low.y + side / 2)
        corners = ImVec2(middle.x - wide, middle.y - tall), ImVec2(middle.x + wide, middle.y + tall)
        draw.add_image(imgui.ImTextureRef(preview.glo), *corners)
    elif preview:
        extent = imgui.calc_text_size(UNREADABLE)
        corner = ImVec2(low.x + (side - extent.x) / 2, low.y + (side - extent.y) / 2)
        draw.add_text(corner, color32(FAINT, 1.0), UNREADABLE)
    if used or imgui.is_item_hovered():
        draw.add_rect(low, high, color32(ACCENT if used else FAINT, 1.0), 0.0, FRAME)
    hint(_tooltip(path, preview))
    return bool(clicked)


def _tooltip(path: str, preview: Preview) -> str:
    why = "" if isinstance(preview, PanelPicture) else preview
    return "\n".join(filter(None, (printable(os.path.basename(path)), printable(why))))
