"""The Differences panel: the differences between two compared documents, grouped by kind of part."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from imgui_bundle import imgui
from msgspec import Struct

from viewer.errors import printable
from viewer.scene.choices import CompareMode
from viewer.scene.difference import Change, Difference, DifferenceGroup
from viewer.scene.names import short_names
from viewer.scene.text_filter import TextFilter
from viewer.session.comparison import in_order
from viewer.session.comparison_result import ComparisonResult
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.differences.motion_list import MotionList
from viewer.ui.differences.show_difference import present_difference, select_difference, show_bytes
from viewer.ui.kit.texts import fitted_row, grouped
from viewer.ui.kit.theme import FAINT, TEXT, Color
from viewer.ui.kit.tree_rows import Branch, Row
from viewer.ui.kit.tree_table import Column, TableRows, TreeTable
from viewer.ui.kit.widgets import copy_text, faint, hint, nothing, toggle


class DifferenceBranch(Struct, frozen=True, eq=False):
    """A branch of the tree: the differences of one kind of part, or the notes about the comparison if `group`
    is None.
    """

    group: DifferenceGroup | None
    rows: tuple[Difference | str, ...]

    @property
    def title(self) -> str:
        """The name of the group and its number of rows: `Bones (3)`."""
        word = self.group.word.capitalize() if self.group is not None else "Notes"
        return f"{word} ({grouped(len(self.rows))})"


Node = Difference | DifferenceBranch | str


def difference_tree(
    differences: Iterable[Difference | str], wanted: TextFilter, closed: Collection[DifferenceGroup | None]
) -> Branch[Node]:
    """Group the differences and notes that the filter fits. All groups are open except those in `closed`."""
    groups: dict[DifferenceGroup | None, list[Difference | str]] = {}
    for each in differences:
        group, texts = None if isinstance(each, str) else each.group, searched(each)
        if wanted.fits(*texts):
            groups.setdefault(group, []).append(each)
    nodes = [DifferenceBranch(group, tuple(rows)) for group, rows in groups.items()]
    tree: Branch[Node] = Branch(nodes, _children)
    for number, node in enumerate(nodes):
        if node.group not in closed:
            tree.open(number)
    return tree


def change_text(difference: Difference) -> str:
    """Describe a difference in one line: `removed, under Root`."""
    change = "" if difference.change is Change.CHANGED and difference.text else difference.change.value
    return ", ".join(filter(None, [change, printable(difference.text)]))


def whole(difference: Difference) -> str:
    """Describe a difference in two lines: the part, then its change."""
    return f"{difference.group.word}: {printable(difference.name)}\n{change_text(difference)}"


def searched(difference: Difference | str) -> tuple[str, ...]:
    """The texts of a difference or note that the filter searches."""
    if isinstance(difference, str):
        return (difference,)
    return difference.name, difference.text, difference.change.value, difference.group.word


def _children(node: Node) -> Sequence[Node]:
    return node.rows if isinstance(node, DifferenceBranch) else ()


ICONS = {
    Change.ADDED: "\uf067",
    Change.REMOVED: "\uf068",
    Change.RENAMED: "\uf061",
    Change.CHANGED: "\uf303",
}
NOTE = "\uf05a  "


def _text(node: Node) -> str:
    """The text of a difference or note."""
    if isinstance(node, DifferenceBranch):
        return ""
    return change_text(node) if isinstance(node, Difference) else printable(node)


COLUMNS: tuple[Column[Node], ...] = (
    Column("part"),
    Column("difference", share=1.8, text=_text, searched=True),
)


class DifferencesPanel:
    """The table of differences of two documents.

    A click or Enter selects a difference in both documents, marks all its items and brings them into view. An
    arrow key selects a difference without bringing it into view. While the panel lists fields of the files
    (the switch Bytes), a double click shows the bytes. If motions are compared, the panel has the page of
    `MotionList`.
    """

    def __init__(self) -> None:
        self._closed: set[DifferenceGroup | None] = set()
        self._table = TreeTable[Node]("differences", COLUMNS)
        self._bytes = False
        self._motion = MotionList()

    def badge(self, state: State) -> str:
        """The number of differences, shown in the tab; empty if there are none."""
        found = state.comparison_result.differences if state.comparison_result else None
        return str(len(found.found)) if found is not None and found.found else ""

    def __call__(self, state: State, post: Post) -> None:
        """Draw the panel."""
        result = state.comparison_result
        if result is None:
            nothing("No files are compared.")
            return
        comparison = state.documents.comparison
        if comparison.itself or comparison.mode is CompareMode.MOTION:
            self._motion(state, post, state.interface.find_requested("differences"))
            return
        self._bar(state, result)
        rows = self._listed(result)
        if rows is None:
            nothing(result.error or "Comparing …")
            return
        tree = self._grouped(result, rows)
        if len(tree):
            self._table(tree, _DifferenceRows(state, post, self._closed, self._bytes))
        elif self._table.filter:
            nothing("No difference contains this text.")

    def _listed(self, result: ComparisonResult) -> tuple[Difference | str, ...] | None:
        """The notes and differences to list, None until they are computed."""
        result.wants_fields |= self._bytes
        if self._bytes:
            return result.fields
        found = result.differences
        return None if found is None else (*found.notes, *found.found)

    def _bar(self, state: State, result: ComparisonResult) -> None:
        """Draw the summary, the switch between items and fields of the files, and the filter."""
        if result.differences is not None:
            names = short_names([each.document.path for each in in_order(state) if each.document is not None])
            text = f"{printable(' → '.join(names))}: {result.differences.summary}"
            faint(text)
            hint(text)
        if toggle("Bytes", self._bytes):
            self._bytes = not self._bytes
            self._table.cursor = ()
        hint("List the fields that differ between the files, with both values")
        imgui.same_line()
        self._table.filter_line(state.interface.find_requested("differences"))

    def _grouped(self, result: ComparisonResult, rows: tuple[Difference | str, ...]) -> Branch[Node]:
        return self._table.kept(
            (result, len(rows), self._bytes),
            lambda: difference_tree(rows, self._table.filter, self._closed),
        )


class _DifferenceRows(TableRows[Node]):
    """The rows: differing items, or differing fields if `in_bytes` is set.

    `closed` collects the closed groups.
    """

    def __init__(self, state: State, post: Post, closed: set[DifferenceGroup | None], in_bytes: bool) -> None:
        self._state, self._post, self._closed, self._in_bytes = state, post, closed, in_bytes

    def line(self, row: Row[Node]) -> tuple[float, str]:
        """The indentation and the name of a row."""
        return fitted_row(row.depth, *_named(row.node))

    def color(self, row: Row[Node]) -> Color:
        """A faint colour for minor differences."""
        return FAINT if isinstance(row.node, Difference) and row.node.minor else TEXT

    def on_line(self, row: Row[Node]) -> None:
        """Show the whole difference or note in a tooltip."""
        node = row.node
        if not isinstance(node, DifferenceBranch):
            hint(lambda: whole(node) if isinstance(node, Difference) else printable(node))

    def has_menu(self, row: Row[Node]) -> bool:
        """Whether the row is a difference."""
        return isinstance(row.node, Difference)

    def menu(self, row: Row[Node]) -> None:
        """Draw the entries that show and copy a difference."""
        node = row.node
        if not isinstance(node, Difference):
            return
        if not self._in_bytes and imgui.menu_item_simple("Show"):
            present_difference(self._state, self._post, node)
        if (node.items or node.other_items) and imgui.menu_item_simple("Show bytes"):
            show_bytes(self._state, node)
        if imgui.menu_item_simple("Copy"):
            copy_text(whole(node))

    def cell_color(self, row: Row[Node], column: Column[Node]) -> Color:
        """The colour of a difference or note."""
        return self.color(row)

    def choose(self, row: Row[Node], by_key: bool) -> None:
        """Select a difference; a click also brings it into view."""
        if isinstance(row.node, Difference):
            if by_key:
                select_difference(self._state, row.node)
            else:
                present_difference(self._state, self._post, row.node)

    def open(self, row: Row[Node]) -> None:
        """Show a difference. If the panel compares the fields of the files, show the bytes of the field."""
        if not isinstance(row.node, Difference):
            super().open(row)
        elif self._in_bytes:
            show_bytes(self._state, row.node)
        else:
            present_difference(self._state, self._post, row.node)

    def folded(self, row: Row[Node]) -> None:
        """Record whether a group is closed."""
        if isinstance(row.node, DifferenceBranch):
            self._closed ^= {row.node.group}


def _named(node: Node) -> tuple[str, str]:
    """Return the name of a row and its icon."""
    if isinstance(node, DifferenceBranch):
        return node.title, ""
    if isinstance(node, str):
        return "note", NOTE
    return printable(node.name), f"{ICONS[node.change]}  "
