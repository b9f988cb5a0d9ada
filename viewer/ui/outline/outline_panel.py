"""The Outline panel: the parts of a document as a tree."""

from __future__ import annotations

from collections.abc import Sequence
from weakref import ref

from imgui_bundle import ImVec2, imgui
from msgspec import Struct

from viewer.actions.effects import mute, muted
from viewer.actions.visibility import toggle
from viewer.scene.display import effect_of
from viewer.scene.document import Document
from viewer.scene.items import CameraItem, EffectItem, GeometryItem, GeosetItem, Item, TextureItem
from viewer.scene.parts import PartOwner
from viewer.scene.text_filter import EVERYTHING
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.item_menu import PARTS, action_entries, item_menu
from viewer.ui.item_text import bytes_of
from viewer.ui.kit.theme import FAINT, WARNING, Color, color32, mono_font, rgba
from viewer.ui.kit.tree_rows import Row
from viewer.ui.kit.tree_table import TableRows, TreeTable
from viewer.ui.kit.widgets import Memo, hint, nothing
from viewer.ui.outline.row_texts import RowTexts
from viewer.ui.outline.tree import OutlineNode, OutlineTree, outline
from viewer.view.item_geometries import geometries_of

EYE, NO_EYE = "\uf06e", "\uf070"
OPEN_ALL, CLOSE_ALL = "\uf103", "\uf102"
MENU = ("usual_variants", "show_all")
DETAIL_GAP = 4.0
"""Space in points to the right of a row's detail."""
EYED = (GeometryItem, GeosetItem, EffectItem)


class OutlineFrame(Struct, frozen=True):
    """The values that all rows of a frame share, such as positions and the style of details.

    `right` is the right end of the rows and `origin` the left edge of the window, both in screen positions.
    `room` is the width of a row in points.
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
        """Read the values of this frame. Call it before the first row is drawn."""
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
    """The panel. A click on a row selects the item of the row; a click on an eye hides the item.

    An item that another panel selects is scrolled into view. The filter is empty for each document that comes
    into view.
    """

    def __init__(self) -> None:
        self._outline = Memo()
        self._offsets = Memo()
        self._document: ref[Document] | None = None
        self._shown: Item | None = None
        self._texts = RowTexts()
        self._table = TreeTable[OutlineNode]("outline")

    def __call__(self, state: State, post: Post) -> None:
        """Draw the visible rows of the document in view."""
        document = state.document
        if document is None:
            nothing("No file is open.")
            return
        if self._document is None or self._document() is not document:
            self._document, self._table.filter = ref(document), EVERYTHING
            self._table.restart()
        self._bar(state.interface.find_requested("outline"))
        wanted = self._table.filter
        owner = PartOwner.shown(document, state.playback.animations)
        key = (document, wanted, tuple(map(id, owner.animations)))
        found: OutlineTree = self._outline.get(key, lambda: outline(owner, wanted))
        self._rows(state, post, found)

    def _bar(self, find: bool) -> None:
        """Draw the filter and the buttons that open and close all rows. `find` focuses the filter."""
        side = imgui.get_frame_height()
        gap = imgui.get_style().item_inner_spacing.x
        width = imgui.get_content_region_avail().x - 2 * (side + gap)
        if width > side:
            imgui.begin_child("filter", ImVec2(width, side))
        self._table.filter_line(find)
        if width > side:
            imgui.end_child()
            for icon, title, act in ((OPEN_ALL, "Open all", _open), (CLOSE_ALL, "Close all", _close)):
                imgui.same_line(0, gap)
                if imgui.button(icon, ImVec2(side, side)) and self._outline.value is not None:
                    act(self._outline.value)
                hint(title)

    def _rows(self, state: State, post: Post, found: OutlineTree) -> None:
        """Draw the rows, and scroll to an item that another panel has selected since the last frame."""
        focus = _row_item(state)
        if focus != self._shown:
            self._shown = focus
            self._table.cursor = found.paths.get(focus, ()) if focus is not None else ()
            self._table.show(self._table.cursor)
        offsets: dict[Item, str] = self._offsets.get(state.document, dict)
        self._table(found.tree, _OutlineRows(self, state, post, self._texts, offsets))

    def pick(self, state: State, item: Item) -> None:
        """Select the item of a visible row. The panel does not scroll."""
        self._shown = item
        state.view.selection.pick(item)

    def pick_group(self, state: State, items: tuple[Item, ...]) -> None:
        """Select the items of a visible row that has no item of its own."""
        self._shown = None
        state.view.selection.pick(None)
        state.view.selection.group = items


class _OutlineRows(TableRows[OutlineNode]):
    """The rows. `offsets` caches, as text, the offset of each item's bytes."""

    overlap = True

    def __init__(
        self, panel: OutlinePanel, state: State, post: Post, texts: RowTexts, offsets: dict[Item, str]
    ) -> None:
        self._panel, self._state, self._post, self._texts, self._offsets = panel, state, post, texts, offsets
        self._focus, self._eye, self._top = _row_item(state), _eye_width(), 0.0
        interface = state.interface
        self._in_bytes = interface.shows("chunks") and "chunks" not in interface.covered
        self._page: OutlineFrame | None = None

    def line(self, row: Row[OutlineNode]) -> tuple[float, str]:
        """Fit the row's texts to the panel; return its indentation and its label."""
        self._page = self._page or OutlineFrame.now()
        self._top = imgui.get_cursor_screen_pos().y
        node, item = row.node, row.node.item
        eye = self._eye if isinstance(item, EYED) else 0.0
        offset = self._offset(item) if item is not None and self._in_bytes and not node.detail else ""
        row.texts = self._texts.get(node, row.depth, self._page.room, eye, offset)
        return row.texts.indentation, row.texts.label

    def color(self, row: Row[OutlineNode]) -> Color | None:
        """The colour of a missing file or a hidden item; None for other rows."""
        item = row.node.item
        if row.node.missing:
            replaced = isinstance(item, TextureItem) and item.number in self._state.view.textures
            if not replaced:
                return WARNING
        return FAINT if isinstance(item, EYED) and _hidden(self._state, item) else None

    def label_marks(self, row: Row[OutlineNode], label: str) -> Sequence[tuple[int, int]]:
        """The words of the filter, in the rows that have all of them; not in their ancestors."""
        node = row.node
        return self.filter.marks(label) if node.item is not None and self.filter.fits(node.label) else ()

    def is_chosen(self, row: Row[OutlineNode], at_cursor: bool) -> bool:
        """Whether the row's item is selected."""
        return at_cursor if row.node.item is None else row.node.item == self._focus

    def on_line(self, row: Row[OutlineNode]) -> None:
        """Hover the row's item; on a double click, look through a camera."""
        item = row.node.item
        if item is not None and imgui.is_item_hovered():
            self._state.view.selection.point(item)
            if isinstance(item, CameraItem) and imgui.is_mouse_double_clicked(0):
                self._state.view.file_camera_number = item.number
        offset = self._offset(item) if item is not None and self._in_bytes else ""
        hint("\n".join(filter(None, (row.texts.whole, offset and f"Bytes from 0x{offset}"))))

    def has_menu(self, row: Row[OutlineNode]) -> bool:
        """Whether the row has an item or a group."""
        return row.node.item is not None or bool(_group(row.node))

    def menu(self, row: Row[OutlineNode]) -> None:
        """Select the item or the group and draw the entries for it."""
        self.choose(row, False)
        if row.node.item is not None:
            item_menu(self._state, self._post, row.node.item)
        else:
            action_entries(self._state, self._post, PARTS[:2])
        action_entries(self._state, self._post, MENU)

    def behind(self, row: Row[OutlineNode]) -> None:
        """Draw the eye and the detail of a row."""
        page, text, item = self._page, row.texts, row.node.item
        if page is None:
            return
        eye = self._eye if isinstance(item, EYED) else 0.0
        if eye and item is not None:
            _eye(self._state, item, page.right - page.origin)
        if text.detail:
            corner = ImVec2(page.right - eye - text.width - DETAIL_GAP, self._top)
            page.draw.add_text(page.mono, page.size, corner, page.faint, text.detail)

    def choose(self, row: Row[OutlineNode], by_key: bool) -> None:
        """Select the row's item, or the geometries and geosets of a group."""
        if row.node.item is not None:
            self._panel.pick(self._state, row.node.item)
        elif _group(row.node):
            self._panel.pick_group(self._state, _group(row.node))

    def open(self, row: Row[OutlineNode]) -> None:
        """Select the row's item, and open or close a branch."""
        self.choose(row, True)
        super().open(row)

    def _offset(self, item: Item) -> str:
        if item not in self._offsets:
            span = bytes_of(self._state.document, item)
            self._offsets[item] = "" if span is None else f"{span.offset:X}"
        return self._offsets[item]


def _group(node: OutlineNode) -> tuple[Item, ...]:
    """The geometries or geosets directly below a row."""
    return tuple(each.item for each in node.below if isinstance(each.item, GeometryItem | GeosetItem))


def _row_item(state: State) -> Item | None:
    """The item whose row is selected: the selected item; for a particle, its emitter."""
    return effect_of(state.marked) or state.marked


def _open(found: OutlineTree) -> None:
    found.tree.open_all()


def _close(found: OutlineTree) -> None:
    for number in range(len(found.tree.nodes)):
        found.tree.close(number)


def _hidden(state: State, item: Item) -> bool:
    """Whether an item with an eye is not drawn."""
    if isinstance(item, EffectItem):
        return muted(state, item)
    hidden = state.view.hidden
    if not hidden:
        return False
    numbers = geometries_of(state.model, item)
    return bool(numbers) and hidden.issuperset(numbers)


def _eye_width() -> float:
    return imgui.calc_text_size(EYE).x + 2 * imgui.get_style().frame_padding.x


def _eye(state: State, item: Item, right: float) -> None:
    """Draw the eye button. The x of its right edge is `right`, in points from the left edge of the window."""
    hidden = _hidden(state, item)
    imgui.same_line(right - _eye_width())
    imgui.push_style_color(imgui.Col_.text, rgba(FAINT, 0.6 if hidden else 1.0))
    imgui.push_style_color(imgui.Col_.button, rgba(FAINT, 0.0))
    if imgui.small_button(NO_EYE if hidden else EYE):
        if isinstance(item, EffectItem):
            mute(state, item, not hidden)
        else:
            toggle(state, geometries_of(state.model, item))
    imgui.pop_style_color(2)
    hint("Show" if hidden else "Hide")
