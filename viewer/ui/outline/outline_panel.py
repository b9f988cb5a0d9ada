"""The outline panel: all named parts of a document."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from viewer.actions.effects import mute, muted
from viewer.actions.visibility import geometries_of, toggle
from viewer.dataclass import dataclass
from viewer.scene.effects import effect_of
from viewer.scene.items import CameraItem, EffectItem, GeometryItem, GeosetItem, Item, TextureItem
from viewer.scene.shader import CompiledShader
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.item_menu import action_entries, item_menu
from viewer.ui.item_text import bytes_of
from viewer.ui.kit.clipped_rows import clipped_tree
from viewer.ui.kit.theme import FAINT, WARNING, color32, mono_font, rgba
from viewer.ui.kit.tree_rows import Row
from viewer.ui.kit.widgets import Memo, filter_box, hint, nothing, tree_row
from viewer.ui.outline.nodes import OutlineNode
from viewer.ui.outline.row_texts import RowTexts
from viewer.ui.outline.tree import OutlineTree, outline

EYE, NO_EYE = "\uf06e", "\uf070"
OPEN_ALL, CLOSE_ALL = "\uf103", "\uf102"
MENU = ("usual_variants", "show_all")
DETAIL_GAP = 4.0
"""The points between the detail of a row and what is right of it."""
EYED = (GeometryItem, GeosetItem, EffectItem)


@dataclass(frozen=True, slots=True)
class OutlineFrame:
    """The values that all rows of a frame share.

    The screen position of the rows' end, the window's `origin`, the room for a row, and the style of details.
    """

    right: float
    origin: float
    room: float
    size: float
    draw: imgui.ImDrawList
    mono: imgui.ImFont
    faint: int

    @classmethod
    def now(cls) -> OutlineFrame:
        """The values before the first row."""
        left, room = imgui.get_cursor_screen_pos().x, imgui.get_content_region_avail().x
        return cls(
            left + room,
            left - imgui.get_cursor_pos_x(),
            room,
            imgui.get_font_size(),
            imgui.get_window_draw_list(),
            mono_font(),
            color32(FAINT),
        )


class OutlinePanel:
    """The panel: a click selects; the eye hides a geometry.

    An item selected elsewhere is scrolled into view.
    """

    def __init__(self) -> None:
        self._filter = ""
        self._outline = Memo()
        self._offsets = Memo()
        self._shown: Item | None = None
        self._texts = RowTexts()
        self._asked = False

    def __call__(self, state: State, post: Post) -> None:
        """Draw the visible rows of the document in view."""
        if state.document is None:
            nothing("Nothing is open.")
            return
        self._bar(state.interface.find_requested("outline"))
        wanted = self._filter.strip().casefold()
        model, skeleton, animations = state.model, state.skeleton, state.animations
        key = (state.document, wanted, tuple(map(id, animations)))
        content = state.document.content
        shader = content if isinstance(content, CompiledShader) else None
        found: OutlineTree = self._outline.get(
            key, lambda: outline(model, skeleton, animations, wanted, shader)
        )
        if imgui.begin_child("rows"):
            self._rows(state, post, found)
        imgui.end_child()

    def _bar(self, find: bool) -> None:
        """Draw the filter, which gets the focus with `find`, and the buttons that open and close all."""
        side = imgui.get_frame_height()
        gap = imgui.get_style().item_inner_spacing.x
        width = imgui.get_content_region_avail().x - 2 * (side + gap)
        if width > side:
            imgui.begin_child("filter", ImVec2(width, side))
        self._filter = filter_box("outline", self._filter, find)
        if width > side:
            imgui.end_child()
            for icon, told, act in ((OPEN_ALL, "Open all", _open), (CLOSE_ALL, "Close all", _close)):
                imgui.same_line(0, gap)
                if imgui.button(icon, ImVec2(side, side)) and self._outline.value is not None:
                    act(self._outline.value)
                hint(told)

    def _rows(self, state: State, post: Post, found: OutlineTree) -> None:
        height = imgui.get_text_line_height_with_spacing()
        focus = _row_item(state)
        self._follow(focus, found, height)
        page = OutlineFrame.now()
        for row in clipped_tree(found.tree, height):
            self._row(state, row, page, focus)
        _menu(state, post, self._asked)
        self._asked = False

    def _follow(self, focus: Item | None, found: OutlineTree, height: float) -> None:
        """Scroll to the item that was selected elsewhere since the last frame."""
        if focus == self._shown:
            return
        self._shown = focus
        path = found.paths.get(focus) if focus is not None else None
        if path is None:
            return
        top, room = found.tree.reveal(path) * height, imgui.get_window_height()
        if not imgui.get_scroll_y() <= top <= imgui.get_scroll_y() + room - height:
            imgui.set_scroll_y(max(top - room / 2, 0.0))

    def _row(self, state: State, row: Row[OutlineNode], page: OutlineFrame, focus: Item | None) -> None:
        node, item = row.node, row.node.item
        chosen = item is not None and item == focus
        replaced = isinstance(item, TextureItem) and item.number in state.view.textures
        color = WARNING if node.missing and not replaced else FAINT if _hidden(state, item) else None
        eye = _eye_width() if isinstance(item, EYED) else 0.0
        offset = self._offset(state, item) if item is not None and not node.detail else ""
        text = self._texts.get(node, row.depth, page.room, eye, offset)
        top = imgui.get_cursor_screen_pos().y
        imgui.set_next_item_allow_overlap()
        clicked = tree_row(row, f"{text.label}###row", chosen, color, moved=text.indentation)
        if item is not None and imgui.is_item_hovered():
            self._point(state, item, clicked)
        if text.whole:
            hint(text.whole)
        if eye and item is not None:
            _eye(state, item, page.right - page.origin)
        if text.detail:
            place = ImVec2(page.right - eye - text.width - DETAIL_GAP, top)
            page.draw.add_text(page.mono, page.size, place, page.faint, text.detail)

    def _point(self, state: State, item: Item, clicked: bool) -> None:
        """Note that the pointer is on the row of an item."""
        state.selection.point(item)
        if clicked or imgui.is_mouse_clicked(1):
            self._shown = item
            state.selection.pick(item)
        if isinstance(item, CameraItem) and imgui.is_mouse_double_clicked(0):
            state.view.file_camera_number = item.number
        self._asked = self._asked or imgui.is_mouse_released(1)

    def _offset(self, state: State, item: Item) -> str:
        offsets: dict[Item, str] = self._offsets.get(state.document, dict)
        if item not in offsets:
            span = bytes_of(state.document, item)
            offsets[item] = "" if span is None else f"{span.offset:X}"
        return offsets[item]


def _row_item(state: State) -> Item | None:
    """The selected item; for a particle its emitter."""
    return effect_of(state.marked) or state.marked


def _open(found: OutlineTree) -> None:
    found.tree.open_all()


def _close(found: OutlineTree) -> None:
    for number in range(len(found.tree.nodes)):
        found.tree.close(number)


def _hidden(state: State, item: Item | None) -> bool:
    if isinstance(item, EffectItem):
        return muted(state, item)
    numbers = geometries_of(state, item) if isinstance(item, EYED) else []
    return bool(numbers) and state.view.hidden.issuperset(numbers)


def _menu(state: State, post: Post, asked: bool) -> None:
    """Draw the context menu of the row that was clicked with the right button."""
    if asked:
        imgui.open_popup("menu")
    if not imgui.begin_popup("menu"):
        return
    item = state.selection.picked
    if item is not None:
        item_menu(state, post, item)
    action_entries(state, post, MENU)
    imgui.end_popup()


def _eye_width() -> float:
    return imgui.calc_text_size(EYE).x + 2 * imgui.get_style().frame_padding.x


def _eye(state: State, item: Item, right: float) -> None:
    """Draw the eye that ends at `right` in window points."""
    hidden = _hidden(state, item)
    imgui.same_line(right - _eye_width())
    imgui.push_style_color(imgui.Col_.text, rgba(FAINT, 0.6 if hidden else 1.0))
    imgui.push_style_color(imgui.Col_.button, rgba(FAINT, 0.0))
    if imgui.small_button(NO_EYE if hidden else EYE):
        if isinstance(item, EffectItem):
            mute(state, item, not hidden)
        else:
            toggle(state, geometries_of(state, item))
    imgui.pop_style_color(2)
    hint("Show" if hidden else "Hide")
