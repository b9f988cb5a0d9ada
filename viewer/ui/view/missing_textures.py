"""The badge in the corner of the picture with the number of missing files, and the list that it opens."""

from __future__ import annotations

import os

from imgui_bundle import ImVec2, imgui

from viewer.scene.document import Document
from viewer.scene.items import TextureItem
from viewer.scene.names import JOINT
from viewer.scene.needs import Need, advice, summary, unmet
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.kit.texts import fitted, visible
from viewer.ui.kit.theme import FAINT, GROUND, TEXT, WARNING, rgba
from viewer.ui.kit.widgets import colored, faint, hint, wrapped
from viewer.ui.needs import shown_needs
from viewer.ui.properties.page_widgets import path_line

ICON = "\uf071"
POPUP = "missing textures"
WIDEST, HIGHEST = 40.0, 26.0
"""Largest width and height of the list in letter heights."""
CLEAR = 0.72


class MissingTexturesBadge:
    """The badge, drawn while a file, material or texture is missing or cannot be used."""

    def __call__(self, state: State, post: Post, low: ImVec2, high: ImVec2) -> float:
        """Draw the badge in the lower right corner of the picture from `low` to `high`, and its open list.

        Return the width of the badge in points, including the space beside it; 0 if the badge is not drawn.
        """
        document = state.document
        listed = shown_needs(state, document) if document is not None and document.model is not None else ()
        needs = unmet(listed)
        if not needs:
            return 0.0
        text, style = f"{ICON}  {summary(needs)}", imgui.get_style()
        pad = style.window_padding
        wide = imgui.calc_text_size(text).x + 2 * style.frame_padding.x
        corner = ImVec2(high.x - pad.x - wide, high.y - pad.y - imgui.get_frame_height())
        if corner.x < low.x + pad.x:
            return 0.0
        imgui.set_cursor_screen_pos(corner)
        imgui.push_style_color(imgui.Col_.button, rgba(GROUND, CLEAR))
        imgui.push_style_color(imgui.Col_.text, rgba(WARNING))
        if imgui.button(f"{text}###missing"):
            imgui.open_popup(POPUP)
        imgui.pop_style_color(2)
        hint("List the missing files and the searched paths")
        imgui.set_next_window_pos(ImVec2(high.x - pad.x, corner.y), imgui.Cond_.always, ImVec2(1.0, 1.0))
        em = imgui.get_font_size()
        largest = ImVec2(min(WIDEST * em, high.x - low.x - 2 * pad.x), min(HIGHEST * em, corner.y - low.y))
        imgui.set_next_window_size_constraints(ImVec2(largest.x, 0.0), largest)
        if imgui.begin_popup(POPUP):
            for number, need in enumerate(needs):
                imgui.push_id(number)
                unmet_need(state, post, need)
                imgui.pop_id()
            for need in listed:
                if need.help:
                    wrapped(visible(need.text), TEXT)
            imgui.end_popup()
        return wide + style.item_spacing.x


def unmet_need(state: State, post: Post, need: Need) -> None:
    """Draw an unmet need: its name, the buttons to choose the file, and the searched paths or the reason why
    the found file cannot be used.
    """
    kind = imgui.calc_text_size(need.kind).x + imgui.get_style().item_spacing.x
    name = visible(need.name) or "(no name)"
    colored(fitted(name, imgui.get_content_region_avail().x - kind), WARNING)
    hint(name)
    imgui.same_line()
    faint(need.kind)
    _give(state, post, need)
    if need.error:
        wrapped(need.error, FAINT)
        return
    wrapped(advice(need.searched), TEXT)
    if need.searched:
        faint("Searched paths, the nearest first:")
    home = os.path.dirname(os.path.abspath(_file(state.document)))
    imgui.indent()
    for number, path in enumerate(need.searched):
        imgui.push_id(number)
        path_line(path, home)
        imgui.pop_id()
    imgui.unindent()


def _give(state: State, post: Post, need: Need) -> None:
    """Draw the buttons to choose the missing file, and a link to the properties of the part that needs it.

    For a texture without a file name, also draw thumbnails of the files to choose from.
    """
    # imported late, because most models have no missing files
    from viewer.ui.item_menu import give_file
    from viewer.ui.properties.materials import choose_file
    from viewer.ui.properties.skin_choices import skin_choices

    item = next(iter(need.items), None)
    texture_item = item if isinstance(item, TextureItem) else None
    give_file(post, need.name, texture_item.number if texture_item else None)
    if item is None:
        return
    imgui.same_line()
    if imgui.small_button("Properties"):
        state.view.selection.pick(item)
        state.interface.bring("properties")
        imgui.close_current_popup()
    model = state.model
    if texture_item and model is not None:
        texture = model.textures[texture_item.number]
        if choose_file(state, texture_item.number, texture):
            skin_choices(state, texture_item.number, texture)


def _file(document: Document | None) -> str:
    return document.path.partition(JOINT)[0] if document else ""
