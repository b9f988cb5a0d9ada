"""The Chunks panel: chunk tree, hex view and data inspector of the document in view or another open file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from imgui_bundle import ImVec2, imgui
from msgspec import Struct

from viewer.actions.bindings import shown_key
from viewer.errors import counted
from viewer.scene.document import Document
from viewer.scene.items import ByteItem, Item
from viewer.scene.names import file_name
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.bytes.byte_selection import ByteSelection
from viewer.ui.bytes.chunk_tree import ChunkTree
from viewer.ui.bytes.data_inspector import DataInspector
from viewer.ui.bytes.find_bar import FindBar
from viewer.ui.bytes.hex_view import HexView
from viewer.ui.bytes.span_filter import Problem
from viewer.ui.item_text import item_bytes
from viewer.ui.kit.texts import grouped, label_text
from viewer.ui.kit.theme import ERROR, FAINT, WARNING, rgba
from viewer.ui.kit.widgets import Memo, ResizableChild, clipped, colored, hint, mono, nothing, toggle

TWO_COLUMNS = 66.0
"""Least width of the panel, in letter heights, for the tree and the bytes side by side. In a narrower panel,
the bytes are below the tree.
"""
LOW_COLUMNS = 34.0
"""Least width, in letter heights, for the tree and the bytes side by side, if the panel is too low for one
above the other.
"""
THREE_COLUMNS = 100.0
"""Least panel width, in letter heights, with a separate column for the inspector."""
TALL = 34.0
"""Least panel height, in letter heights, with the inspector below the bytes."""
BYTES, COLUMN, BELOW = 39.5, 25.0, 12.0
"""Sizes in letter heights: the width of the bytes, the width of the inspector beside the bytes, and the
height of the inspector below the bytes.
"""
LEAST_TREE, LEAST_BYTES = 12.0, 14.0
"""Two sizes in letter heights: the least width of the tree beside the bytes, and the least height of the
bytes below the tree.
"""
TREE_ABOVE = 0.42
"""Initial share of the height for the tree when the bytes are below the tree."""


class PanelParts(Struct, frozen=True):
    """The sizes of the panel's parts in points.

    `tree` is the initial size of the tree, `least` the least and `most` the largest size. These sizes are
    widths if tree and bytes are `side_by_side`, otherwise heights. `column` is the width of an inspector
    beside the bytes, `below` the height of an inspector below the bytes. Both are 0 without an inspector.
    """

    side_by_side: bool
    tree: float
    least: float
    most: float
    column: float
    below: float


def share(width: float, height: float, em: float, gap: float, inspector: bool | None = None) -> PanelParts:
    """Divide a panel of `width` × `height` points. `em` is the letter height, `gap` the space between
    columns.

    `inspector` shows or hides the inspector; with None, the inspector is shown if there is room.
    """
    tall = height > TALL * em
    low = height < (6 + LEAST_BYTES) * em and width > LOW_COLUMNS * em
    shown = inspector if inspector is not None else tall or width > THREE_COLUMNS * em
    aside = width > THREE_COLUMNS * em or (width > TWO_COLUMNS * em and not tall)
    column = COLUMN * em if shown and aside else 0.0
    below = max(min(BELOW * em, height - LEAST_BYTES * em), 0.0) if shown and not aside else 0.0
    if width > TWO_COLUMNS * em or low:
        least = LEAST_TREE * em
        most = max(width - BYTES * em - gap - (column + gap if column else 0.0), least)
        return PanelParts(True, most, least, most, column, below)
    least = 6 * em
    most = max(height - LEAST_BYTES * em - below, least)
    return PanelParts(False, min(height * TREE_ABOVE, most), least, most, column, below)


MARK = "\uf071"
LEAST_FILTER = 5.0
"""The least width, in letter heights, of the filter beside the button of problems."""
SHOWN = 12
"""The largest number of problems that the list shows without scrolling."""


def problems(view: ByteSelection) -> bool:
    """Draw a button that shows the number of problems and opens their list.

    Without problems, draw nothing and return False.
    """
    found = view.problems.found
    view.problems.advance()
    if not found:
        return False
    worst = ERROR if any(problem.error for problem in found) else WARNING
    imgui.push_style_color(imgui.Col_.text, rgba(worst))
    text, room = _counts(found), imgui.get_content_region_avail().x - LEAST_FILTER * imgui.get_font_size()
    if imgui.calc_text_size(text).x > room:
        text = f"{MARK} {len(found)}"
    clicked = imgui.button(f"{text}###problems")
    imgui.pop_style_color()
    hint("List the errors and the bytes that belong to no field")
    if clicked:
        imgui.open_popup("problems")
    low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
    imgui.set_next_window_pos(ImVec2(low.x, high.y))
    if imgui.begin_popup("problems"):
        _listed(view, found)
        imgui.end_popup()
    return True


def _counts(found: list[Problem]) -> str:
    """The text of the button: `2 errors, 8 unexplained`."""
    errors = sum(each.error for each in found)
    left = len(found) - errors
    parts = [counted(errors, "error")] * bool(errors) + [f"{left} unexplained"] * bool(left)
    return ", ".join(parts)


def _listed(view: ByteSelection, found: list[Problem]) -> None:
    em = imgui.get_font_size()
    height = min(len(found), SHOWN) * imgui.get_text_line_height_with_spacing()
    if imgui.begin_child("list", ImVec2(34 * em, height)):
        for number in clipped(len(found)):
            _row(view, found[number], number)
    imgui.end_child()


def _row(view: ByteSelection, problem: Problem, number: int) -> None:
    if imgui.selectable(f"##{number}", False)[0]:
        jump(view, problem)
    imgui.same_line(0, 0)
    with mono():
        colored(f"{problem.offset:0{view.digits}X}", FAINT)
    imgui.same_line()
    colored(problem.text, ERROR if problem.error else WARNING)


def jump(view: ByteSelection, problem: Problem) -> None:
    """Select the span of a problem. If the problem has no span, select the offset at which reading ended."""
    if problem.path:
        view.choose(problem.path)
    else:
        view.select(problem.offset, problem.size)


SOURCE = 9.0
"""Width of the file chooser, in letter heights."""


class BytesPanel:
    """The Chunks panel: a file as a tree and as bytes, with one selection shared with the picture."""

    def __init__(self) -> None:
        self._views: dict[str, ByteSelection] = {}
        self._tree, self._hex = ChunkTree(), HexView()
        self._inspector, self._find = DataInspector(), FindBar()
        self._left = ResizableChild("tree")
        self._source = ""
        self._last = ""
        self._inspect: bool | None = None
        self._followed: tuple[Item | None, str] = (None, "")
        self._hovered = Memo()

    @property
    def marked(self) -> tuple[str, int, int] | None:
        """The path of the selected span, the first selected byte, and the offset after the last selected
        byte. The result is None before the panel has shown a file.
        """
        view = self._views.get(self._source) or next(iter(self._views.values()), None)
        return (view.name, view.first, view.last + 1) if view else None

    def __call__(self, state: State, post: Post) -> None:
        """Draw the panel for the chosen file, which is the document in view at first."""
        document = state.document
        if document is None:
            nothing("Open a file to see its bytes.")
            return
        if document.path != self._last:
            self._last, self._source = document.path, ""
        others = (each for each in state.documents.opened if each is not document)
        sources = tuple(dict.fromkeys((document, *document.attached, *others)))
        self._follow(state, sources)
        view = self._view(sources)
        view.turn()
        self._hover(state, sources, view)
        if state.interface.find_requested("chunks"):
            (self._tree if self._tree.focused else self._find).focus_field()
        self._find.keys(view, everywhere=document.unread)
        self._find.shown_key = shown_key(state.interface.preferences, "find")
        self._body(view, sources)
        working = self._tree.busy or self._find.busy or not view.problems.done
        state.pending_files.unsettled |= working or view.changed
        if view.take_change():
            selection, source = state.view.selection, None if view.document is document else view.document
            selection.pick(item_at(state, view.document, view.first), source)
            self._followed = selection.picked, source.path if source is not None else ""

    def keep(self, documents: Iterable[Document]) -> None:
        """Drop the selections of closed documents. Renew the selections of reloaded documents."""
        opened = [each for top in documents for each in (top, *top.attached)]
        by_path = {each.path: each for each in opened}
        self._views = {path: view for path, view in self._views.items() if path in by_path}
        for path, view in self._views.items():
            if view.document not in opened:
                view.renew(by_path[path])

    def _view(self, sources: Sequence[Document]) -> ByteSelection:
        """Return the selection of the chosen file.

        If that file is closed, return the selection of the document in view.
        """
        document = next((each for each in sources if each.path == self._source), sources[0])
        view = self._views.get(document.path)
        if view is None:
            view = self._views[document.path] = ByteSelection(document)
        elif view.document is not document:
            view.renew(document)
        return view

    def _follow(self, state: State, sources: Sequence[Document]) -> None:
        """Select the bytes of the item that was selected in another panel."""
        picked, source, before = state.view.selection.picked, state.view.selection.source, self._followed
        self._followed = picked, source.path if source is not None else ""
        changed = picked is not None and self._followed != before
        found = item_bytes(state, picked, sources) if picked is not None and changed else None
        if found is not None:
            self._source = found[0].path
            view = self._view(sources)
            view.select(found[1].offset, found[1].size)
            view.take_change()

    def _hover(self, state: State, sources: Sequence[Document], view: ByteSelection) -> None:
        """Hover the item whose bytes are under the pointer.

        Outline the bytes of an item that is hovered in another panel.
        """
        hover, item = view.hover, state.view.selection.hover
        if hover is not None:
            key = (view.document, hover)
            hovered_item = self._hovered.get(key, lambda: item_at(state, view.document, hover[0]) or ())
            if hovered_item and view.document is state.document:
                state.view.selection.point(hovered_item)
        elif item is not None:
            found = self._hovered.get((view.document, item), lambda: item_bytes(state, item, sources) or ())
            if found and found[0] is view.document:
                view.hover = (found[1].offset, found[1].end)

    def _body(self, view: ByteSelection, sources: Sequence[Document]) -> None:
        """Draw the tree, the bytes and the inspector. They are side by side if they fit."""
        room, gap = imgui.get_content_region_avail(), imgui.get_style().item_spacing.x
        inspect = True if self._inspect is None and view.document.unread else self._inspect
        parts = share(room.x, room.y, imgui.get_font_size(), gap, inspect)
        if self._begin_tree(parts, room):
            self._tops(view, sources)
            self._tree(view)
        imgui.end_child()
        if parts.side_by_side:
            imgui.same_line()
        left = imgui.get_content_region_avail()
        width = left.x - (parts.column + gap if parts.column else 0.0)
        self._bytes(view, ImVec2(max(width, 1.0), max(left.y, 1.0)), parts)
        if parts.column:
            imgui.same_line()
            if imgui.begin_child("inspector"):
                self._inspector(view)
            imgui.end_child()

    def _begin_tree(self, parts: PanelParts, room: ImVec2) -> bool:
        """Begin the resizable child window of the tree."""
        if parts.side_by_side:
            least, most = ImVec2(parts.least, 0), ImVec2(parts.most, room.y)
        else:
            least, most = ImVec2(0, parts.least), ImVec2(room.x, parts.most)
        imgui.set_next_window_size_constraints(least, most)
        return self._left.begin((parts.side_by_side, bool(parts.column)), parts.side_by_side, parts.tree)

    def _tops(self, view: ByteSelection, sources: Sequence[Document]) -> None:
        """Draw the file chooser, the problems and the filter above the tree."""
        if len(sources) > 1:
            imgui.set_next_item_width(SOURCE * imgui.get_font_size())
            if imgui.begin_combo("##source", _name(view.document)):
                for number, each in enumerate(sources):
                    if imgui.selectable(f"{_name(each)}##{number}", each is view.document)[0]:
                        self._source = each.path
                imgui.end_combo()
            imgui.same_line()
        if problems(view):
            imgui.same_line()

    def _bytes(self, view: ByteSelection, size: ImVec2, parts: PanelParts) -> None:
        """Draw the bytes between the search line and the status line, and the inspector."""
        if imgui.begin_child("bytes", size):
            self._find(view)
            room = imgui.get_content_region_avail()
            below = imgui.get_frame_height_with_spacing() + parts.below
            self._hex(view, self._find.search, ImVec2(0, max(room.y - below, imgui.get_font_size())))
            inspected = bool(parts.column or parts.below)
            if _status(view, inspected):
                self._inspect = not inspected
            if parts.below:
                self._inspector(view)
        imgui.end_child()


def _name(document: Document) -> str:
    return label_text(file_name(document.path))


def _status(view: ByteSelection, inspected: bool) -> bool:
    """Draw the selection's offset, size and path; return whether the Inspector button was clicked."""
    style, corner = imgui.get_style(), imgui.get_cursor_screen_pos()
    size = view.last - view.first + 1 if view.data else 0
    button = imgui.calc_text_size("Inspector").x + 2 * style.frame_padding.x
    edge = imgui.get_content_region_avail().x - button
    far = ImVec2(corner.x + max(edge - style.item_spacing.x, 1), corner.y + imgui.get_frame_height())
    imgui.push_clip_rect(corner, far, True)
    imgui.align_text_to_frame_padding()
    with mono():
        imgui.text_unformatted(f"{view.first:0{view.digits}X}")
        imgui.same_line()
        colored(f"+ {grouped(size)} byte{'' if size == 1 else 's'}", FAINT)
    imgui.same_line()
    note = view.node.note
    colored(f"{view.name}  ·  {note}" if note else view.name, FAINT)
    imgui.pop_clip_rect()
    imgui.same_line(max(edge, 0.0))
    return toggle("Inspector", inspected)


def item_at(state: State, document: Document, offset: int) -> Item | None:
    """Return the item to which the byte at `offset` belongs; None if the byte belongs to no item.

    If no item owns the byte and `document` is the document in view, return the byte itself as an item.
    """
    item = document.origin.item(offset)
    return ByteItem(offset) if item is None and document is state.document else item
