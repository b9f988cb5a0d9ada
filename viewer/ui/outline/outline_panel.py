"""The outline panel: all named parts of a document."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from viewer.actions import ACTIONS
from viewer.actions.effects import mute, muted
from viewer.actions.visibility import geometries_of, toggle
from viewer.dataclass import dataclass
from viewer.errors import printable
from viewer.scene.document import Document
from viewer.scene.effects import effect_of
from viewer.scene.items import CameraItem, EffectItem, GeometryItem, GeosetItem, Item, TextureItem
from viewer.scene.shader import CompiledShader
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.item_text import bytes_of
from viewer.ui.kit.theme import FAINT, WARNING, color32, mono_font, rgba
from viewer.ui.kit.tree_rows import Row
from viewer.ui.kit.widgets import Memo, filter_box, hint, indent, mono, nothing, tree_row
from viewer.ui.outline.nodes import OutlineNode
from viewer.ui.outline.tree import OutlineTree, outline

EYE, NO_EYE = "\uf06e", "\uf070"
OPEN_ALL, CLOSE_ALL = "\uf103", "\uf102"
MENU = ("frame_selected", "hide", "isolate", "only_variant", "usual_variants", "show_all")
BY_NAME = {action.name: action for action in ACTIONS}
EYED = (GeometryItem, GeosetItem, EffectItem)


@dataclass(frozen=True, slots=True)
class OutlineFrame:
    """The values that all rows of a frame share.

    The screen positions of the rows' start and end, the window's `origin`, the room for a row, the width of a
    fixed-width letter, and the style of details.
    """

    left: float
    right: float
    origin: float
    room: float
    digit: float
    size: float
    draw: imgui.ImDrawList
    mono: imgui.ImFont
    faint: int

    @classmethod
    def now(cls) -> OutlineFrame:
        """The values before the first row."""
        left, room = imgui.get_cursor_screen_pos().x, imgui.get_content_region_avail().x
        with mono():
            digit = imgui.calc_text_size("0").x
        return cls(
            left + imgui.get_tree_node_to_label_spacing() + imgui.get_style().item_spacing.x,
            left + room,
            left - imgui.get_cursor_pos_x(),
            room,
            digit,
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
        self._offsets: dict[Item, str] = {}
        self._offsets_of: Document | None = None
        self._shown: Item | None = None
        self._widths: dict[str, float] = {}
        self._widths_of = 0.0
        self._asked = False

    def __call__(self, state: State, post: Post) -> None:
        """Draw the visible rows of the document in view."""
        if state.document is None:
            self._outline, self._offsets_of, self._widths_of = Memo(), None, 0.0
            nothing("Nothing is open.")
            return
        self._bar()
        wanted = self._filter.strip().casefold()
        model, skeleton, animations = state.model, state.skeleton, state.animations
        key = (state.document, wanted, tuple(map(id, animations)))
        content = state.document.content
        shader = content if isinstance(content, CompiledShader) else None
        found: OutlineTree = self._outline.get(
            key, lambda: outline(model, skeleton, animations, wanted, shader)
        )
        if self._offsets_of is not state.document:
            self._offsets_of, self._offsets = state.document, {}
        if imgui.begin_child("rows"):
            self._rows(state, post, found)
        imgui.end_child()

    def _bar(self) -> None:
        """Draw the filter and the buttons that open and close everything."""
        side = imgui.get_frame_height()
        gap = imgui.get_style().item_inner_spacing.x
        width = imgui.get_content_region_avail().x - 2 * (side + gap)
        if width > side:
            imgui.begin_child("filter", ImVec2(width, side))
        self._filter = filter_box("outline", self._filter)
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
        clipper = imgui.ListClipper()
        clipper.begin(len(found.tree), height)
        while clipper.step():
            rows = found.tree.in_sight(clipper.display_start, clipper.display_end)
            for number, row in enumerate(rows, clipper.display_start):
                imgui.push_id(number)
                self._row(state, row, page, focus)
                imgui.pop_id()
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
        text = f"{node.icon}  {printable(node.label)}"
        start, right = page.left + indent(row.depth, page.room) + self._width(text, page.size), page.right
        eyed = isinstance(item, EYED)
        if eyed and start > right - _eye_width():
            text = self._cut(text, self._width(text, page.size) - (start - right + _eye_width()), page.size)
        top = imgui.get_cursor_screen_pos().y
        imgui.set_next_item_allow_overlap()
        clicked = tree_row(row, f"{text}###row", chosen, color)
        detail = node.detail
        if item is not None:
            if imgui.is_item_hovered():
                self._point(state, item, clicked)
                if start > right:
                    hint(printable(node.label))
            if eyed:
                right -= _eye(state, item, right - page.origin)
            detail = detail or self._offset(state, item)
        x = right - len(detail) * page.digit - 4
        if detail and x >= start:
            page.draw.add_text(page.mono, page.size, ImVec2(x, top), page.faint, detail)

    def _point(self, state: State, item: Item, clicked: bool) -> None:
        """Note that the pointer is on the row of an item."""
        state.selection.point(item)
        if clicked or imgui.is_mouse_clicked(1):
            self._shown = item
            state.selection.pick(item)
        if isinstance(item, CameraItem) and imgui.is_mouse_double_clicked(0):
            state.view.file_camera_number = item.number
        self._asked = self._asked or imgui.is_mouse_released(1)

    def _width(self, text: str, size: float) -> float:
        """The width of a text of that size in points."""
        if self._widths_of != size:
            self._widths_of, self._widths = size, {}
        if text not in self._widths:
            self._widths[text] = imgui.calc_text_size(text).x
        return self._widths[text]

    def _cut(self, text: str, room: float, size: float) -> str:
        """The text, shortened to the available room in points."""
        while len(text) > 1 and self._width(text + "…", size) > room:
            text = text[:-1]
        return text + "…"

    def _offset(self, state: State, item: Item) -> str:
        if item not in self._offsets:
            span = bytes_of(state.document, item)
            self._offsets[item] = "" if span is None else f"{span.offset:X}"
        return self._offsets[item]


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
    for action in map(BY_NAME.__getitem__, MENU):
        key = action.keys[0] if action.keys else ""
        if imgui.menu_item_simple(action.title, key, False, action.enabled(state)):
            action.run(state, post)
    imgui.end_popup()


def _eye_width() -> float:
    return imgui.calc_text_size(EYE).x + 2 * imgui.get_style().frame_padding.x


def _eye(state: State, item: Item, right: float) -> float:
    """Draw the eye that ends at `right` in window points; returns its width."""
    hidden = _hidden(state, item)
    width = _eye_width()
    imgui.same_line(right - width)
    imgui.push_style_color(imgui.Col_.text, rgba(FAINT, 0.6 if hidden else 1.0))
    imgui.push_style_color(imgui.Col_.button, rgba(FAINT, 0.0))
    if imgui.small_button(NO_EYE if hidden else EYE):
        if isinstance(item, EffectItem):
            mute(state, item, not hidden)
        else:
            toggle(state, geometries_of(state, item))
    imgui.pop_style_color(2)
    hint("Show" if hidden else "Hide")
    return width
