"""The Problems panel: the findings of the documents in view, by severity and rule."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from viewer.scene.finding import Finding, Severity
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.kit.texts import cut, label_text
from viewer.ui.kit.theme import TEXT, Color
from viewer.ui.kit.tree_rows import Branch, Row
from viewer.ui.kit.tree_table import Column, TableRows, TreeTable
from viewer.ui.kit.widgets import Memo, hint, nothing, toggle
from viewer.ui.problems.problem_details import ignored_rules, problem_details, problem_menu
from viewer.ui.problems.problem_rows import (
    COLORS,
    ICONS,
    Node,
    ProblemGroup,
    ProblemRow,
    count_text,
    counts,
    path_of,
    problem_rows,
    problem_tree,
    version,
)
from viewer.ui.problems.show_problem import present_problem, select_problem, select_problems

COLUMNS: tuple[Column[Node], ...] = (
    Column("problem", share=4.6),
    Column("rule", share=1.8, cut=True, text=lambda node: node.rule, searched=True),
    Column(
        "file",
        share=1.2,
        cut=True,
        text=lambda node: "" if isinstance(node, ProblemGroup) else node.file,
        searched=True,
    ),
    Column(
        "location",
        share=2.0,
        cut=True,
        text=lambda node: "" if isinstance(node, ProblemGroup) else node.location,
        searched=True,
    ),
)
SHORT, BRIEF = ("problem",), ("problem", "rule", "file")
"""The columns of a narrow panel, and of a panel that shows the details."""
NARROW, WIDE = 34, 46
"""Widths in line heights. Below NARROW, only the first column is shown. Above WIDE, the details are beside
the rows.
"""
BESIDE = 0.34
"""The share of the panel's width for the details."""


class ProblemsPanel:
    """The table of problems.

    A click or an arrow key selects a problem and marks its items; for a group, the items of all its problems.
    A double click or Enter frames the item or plays the animation. A wide panel shows the details of the
    chosen problem beside the table.
    """

    def __init__(self) -> None:
        self._hidden: set[Severity] = set()
        self._opened: dict[tuple[Severity, str], bool] = {}
        self._table = TreeTable[Node]("problems", COLUMNS)
        self._picked: Finding | None = None
        self._rows = Memo()

    def badge(self, state: State) -> str:
        """The number of errors and warnings, shown in the tab; empty if there are none."""
        numbers = self._listed(state)[1]
        found = numbers[Severity.ERROR] + numbers[Severity.WARNING]
        return str(found) if found else ""

    def __call__(self, state: State, post: Post) -> None:
        """Draw the panel."""
        rows, numbers = self._listed(state)
        self._bar(state, rows, numbers)
        if not rows:
            nothing("No problems.")
            return
        tree = self._grouped(state, rows)
        room = imgui.get_content_region_avail()
        wide = room.x > WIDE * imgui.get_font_size()
        chosen = self._chosen(tree)
        if imgui.begin_child("rows", ImVec2(room.x * (1 - BESIDE) if wide and chosen else 0, 0)):
            detailed = wide and chosen is not None
            narrow = imgui.get_content_region_avail().x < NARROW * imgui.get_font_size()
            shown = SHORT if narrow else BRIEF if detailed else None
            self._table(tree, _ProblemRows(state, post, self._opened, detailed), shown)
        imgui.end_child()
        if wide and chosen is not None:
            imgui.same_line()
            if imgui.begin_child("details"):
                problem_details(state, post, chosen)
            imgui.end_child()

    def _listed(self, state: State) -> tuple[list[ProblemRow], dict[Severity, int]]:
        """Return all rows, the most severe first, and the number of rows per severity."""

        def make() -> tuple[list[ProblemRow], dict[Severity, int]]:
            """Collect and count the rows."""
            rows = problem_rows(state)
            return rows, counts(rows)

        found: tuple[list[ProblemRow], dict[Severity, int]] = self._rows.get(version(state), make)
        return found

    def _bar(self, state: State, rows: list[ProblemRow], numbers: dict[Severity, int]) -> None:
        """Draw a switch for each severity with its count, then the ignored rules and the filter."""
        for kind, count in numbers.items():
            if toggle(f"{ICONS[kind]} {count}###{kind.word}", kind not in self._hidden, color=COLORS[kind]):
                self._hidden ^= {kind}
            hint(f"{'Show' if kind in self._hidden else 'Hide'} {count_text(rows, kind)}")
            imgui.same_line()
        ignored_rules(state.interface.preferences)
        self._table.filter_line(state.interface.find_requested("problems"))

    def _grouped(self, state: State, rows: list[ProblemRow]) -> Branch[Node]:
        tree = self._table.kept(
            (*version(state), *sorted(self._hidden)),
            lambda: problem_tree(rows, self._table.filter, self._hidden, self._opened),
        )
        if not self._table.cursor:
            self._table.cursor = path_of(tree, self._picked)
        chosen = self._chosen(tree)
        self._picked = None if chosen is None else _first(chosen).finding
        return tree

    def _chosen(self, tree: Branch[Node]) -> Node | None:
        """The problem or group at the cursor, None if there is no cursor."""
        cursor = self._table.cursor
        return tree.row(tree.row_of(cursor)).node if cursor else None


class _ProblemRows(TableRows[Node]):
    """The rows. `detailed` is set while the panel shows the details of the chosen problem.

    `opened` records which groups the user has opened or closed.
    """

    def __init__(self, state: State, post: Post, opened: dict[tuple[Severity, str], bool], detailed: bool):
        self._state, self._post, self._opened, self._detailed = state, post, opened, detailed

    def line(self, row: Row[Node]) -> tuple[float, str]:
        """The indentation and the text of a row, with the icon of its severity."""
        node, moved = row.node, row.depth * imgui.get_style().indent_spacing
        text = f"{node.title} ({len(node.rows)})" if isinstance(node, ProblemGroup) else node.text
        text = text if row.depth else f"{ICONS[node.severity]}  {text}"
        before = imgui.get_tree_node_to_label_spacing() + moved
        return moved, label_text(cut(text, imgui.get_content_region_avail().x - before))

    def color(self, row: Row[Node]) -> Color:
        """The colour of the row's severity. Rows in groups, and notes, have the normal text colour."""
        return TEXT if row.depth or row.node.severity is Severity.NOTE else COLORS[row.node.severity]

    def on_line(self, row: Row[Node]) -> None:
        """Show the whole problem in a tooltip, unless the panel shows its details."""
        node = row.node
        if not self._detailed:
            hint(lambda: node.title if isinstance(node, ProblemGroup) else node.whole)

    def menu(self, row: Row[Node]) -> None:
        """Draw the entries for the problem or group."""
        problem_menu(self._state, self._post, row.node)

    def choose(self, row: Row[Node], by_key: bool) -> None:
        """Select the items of the problem or group."""
        if isinstance(row.node, ProblemGroup):
            select_problems(self._state, row.node.rows)
        else:
            select_problem(self._state, row.node, bring=not by_key)

    def open(self, row: Row[Node]) -> None:
        """Show the problem, or open or close the group."""
        if isinstance(row.node, ProblemGroup):
            self.fold(row)
        else:
            present_problem(self._state, self._post, row.node)

    def folded(self, row: Row[Node]) -> None:
        """Record whether the group is open."""
        if isinstance(row.node, ProblemGroup):
            self._opened[row.node.key] = row.open


def _first(node: Node) -> ProblemRow:
    return node.rows[0] if isinstance(node, ProblemGroup) else node
