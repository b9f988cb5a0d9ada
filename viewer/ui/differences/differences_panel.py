"""The Differences panel: what is different between two compared documents, by the kind of part."""

from __future__ import annotations

from imgui_bundle import imgui

from viewer.errors import printable
from viewer.scene.difference import Change, Difference, DifferenceGroup
from viewer.scene.names import short_names
from viewer.session.comparison import in_order
from viewer.session.comparison_result import ComparisonResult
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.differences.difference_tree import (
    DifferenceBranch,
    Node,
    difference_tree,
    told,
    whole,
)
from viewer.ui.differences.show_difference import present_difference, select_difference, show_bytes
from viewer.ui.kit.clipped_rows import clipped_tree
from viewer.ui.kit.copying import copy_text
from viewer.ui.kit.dialogs import entered
from viewer.ui.kit.fitted_text import fitted_row
from viewer.ui.kit.theme import FAINT, TEXT
from viewer.ui.kit.tree_keys import fold, walk
from viewer.ui.kit.tree_rows import Branch, Path, Row
from viewer.ui.kit.widgets import (
    TREE_TABLE,
    Memo,
    colored,
    faint,
    filter_box,
    hint,
    nothing,
    toggle,
    tree_row,
)

ICONS = {
    Change.ADDED: "\uf067",
    Change.REMOVED: "\uf068",
    Change.RENAMED: "\uf061",
    Change.CHANGED: "\uf303",
}
NOTE = "\uf05a  "
COLUMNS = (("part", 1.0), ("difference", 1.8))


class DifferencesPanel:
    """The table of differences. A click, or Enter, selects a difference in both documents, marks all of it
    and brings it into view; an arrow key only selects. In the list of bytes a double click shows the bytes.
    """

    def __init__(self) -> None:
        self._filter = ""
        self._closed: set[DifferenceGroup | None] = set()
        self._cursor: Path = ()
        self._bytes = False
        self._tree = Memo()

    def badge(self, state: State) -> str:
        """The number of differences, for the tab; empty without any."""
        found = state.comparison_result.differences if state.comparison_result else None
        return str(len(found.found)) if found is not None and found.found else ""

    def __call__(self, state: State, post: Post) -> None:
        """Draw the panel."""
        result = state.comparison_result
        if result is None:
            nothing("Nothing is compared.")
            return
        self._bar(state, result)
        rows = self._listed(result)
        if rows is None:
            nothing(result.error or "Comparing …")
            return
        tree = self._grouped(result, rows)
        if len(tree):
            self._table(state, post, tree)
        elif self._filter:
            nothing("No difference contains this text.")

    def _listed(self, result: ComparisonResult) -> tuple[Difference | str, ...] | None:
        """The notes and differences to be listed; None if they are not known."""
        result.wants_fields |= self._bytes
        if self._bytes:
            return result.fields
        found = result.differences
        return None if found is None else (*found.notes, *found.found)

    def _bar(self, state: State, result: ComparisonResult) -> None:
        """Draw the summary with the notes, the switch between meaning and bytes, and the filter."""
        if result.differences is not None:
            names = short_names([each.document.path for each in in_order(state) if each.document is not None])
            text = f"{printable(' → '.join(names))}: {result.differences.summary}"
            faint(text)
            hint(text)
        if toggle("Bytes", self._bytes):
            self._bytes = not self._bytes
            self._cursor = ()
        hint("List the fields of the files that differ, with both values")
        imgui.same_line()
        self._filter = filter_box("differences", self._filter, state.interface.find_requested("differences"))

    def _grouped(self, result: ComparisonResult, rows: tuple[Difference | str, ...]) -> Branch[Node]:
        before = self._tree.value
        key = (result, len(rows), self._bytes, self._filter)
        tree: Branch[Node] = self._tree.get(key, lambda: difference_tree(rows, self._filter, self._closed))
        if tree is not before:
            self._cursor = ()
        return tree

    def _table(self, state: State, post: Post, tree: Branch[Node]) -> None:
        if not imgui.begin_table("differences", len(COLUMNS), TREE_TABLE):
            return
        for name, share in COLUMNS:
            imgui.table_setup_column(name, imgui.TableColumnFlags_.width_stretch, share)
        height = imgui.get_text_line_height() + 2 * imgui.get_style().cell_padding.y
        self._keys(state, post, tree, height)
        for row in clipped_tree(tree, height):
            self._row(state, post, row)
        imgui.end_table()

    def _row(self, state: State, post: Post, row: Row[Node]) -> None:
        node, opened = row.node, row.open
        imgui.table_next_row()
        imgui.table_next_column()
        ink = FAINT if isinstance(node, Difference) and node.minor else TEXT
        moved, label = fitted_row(row.depth, *_named(node))
        clicked = tree_row(row, f"{label}###row", row.path == self._cursor, ink, True, moved)
        if isinstance(node, DifferenceBranch) and row.open != opened:
            self._closed ^= {node.group}
        if isinstance(node, Difference):
            hint(lambda: whole(node))
            self._menu(state, post, row, node)
            if clicked:
                self._cursor = row.path
                self._present(state, post, node, imgui.is_mouse_double_clicked(0))
            imgui.table_next_column()
            colored(told(node), ink)
        elif isinstance(node, str):
            hint(printable(node))
            imgui.table_next_column()
            colored(printable(node), TEXT)

    def _present(self, state: State, post: Post, difference: Difference, double: bool) -> None:
        """Show a difference. That of bytes is selected at first, so that the list stays in front."""
        if self._bytes and double:
            show_bytes(state, difference)
        else:
            present_difference(state, post, difference)

    def _menu(self, state: State, post: Post, row: Row[Node], node: Difference) -> None:
        if not imgui.begin_popup_context_item("menu"):
            return
        self._cursor = row.path
        if not self._bytes and imgui.menu_item_simple("Show"):
            present_difference(state, post, node)
        if (node.items or node.other_items) and imgui.menu_item_simple("Show bytes"):
            show_bytes(state, node)
        if imgui.menu_item_simple("Copy"):
            copy_text(whole(node))
        imgui.end_popup()

    def _keys(self, state: State, post: Post, tree: Branch[Node], height: float) -> None:
        """Handle the keys: arrows, Home, End and page keys choose a row, Right and Left open and close
        branches, Enter shows a difference.
        """
        if not imgui.is_window_focused():
            return
        walked_to = walk(tree, self._cursor, height)
        if walked_to is not None:
            self._cursor = walked_to.path
            if isinstance(walked_to.node, Difference):
                select_difference(state, walked_to.node)
        if not self._cursor:
            return
        row, self._cursor = fold(tree, self._cursor)
        if entered():
            if isinstance(row.node, Difference):
                self._present(state, post, row.node, double=True)
            elif isinstance(row.node, DifferenceBranch):
                row.toggle()


def _named(node: Node) -> tuple[str, str]:
    """The name of a row and its icon."""
    if isinstance(node, DifferenceBranch):
        return node.title, ""
    if isinstance(node, str):
        return "note", NOTE
    return printable(node.name), f"{ICONS[node.change]}  "
