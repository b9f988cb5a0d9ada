"""The Problems panel: findings of all open documents and messages since the start, by severity and rule."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from viewer.errors import counted
from viewer.scene.finding import Finding, Severity
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.kit.clipped_rows import clipped_tree
from viewer.ui.kit.dialogs import entered
from viewer.ui.kit.fitted_text import cut
from viewer.ui.kit.theme import TEXT
from viewer.ui.kit.tree_keys import fold, walk
from viewer.ui.kit.tree_rows import Branch, Path, Row
from viewer.ui.kit.visible import label_text
from viewer.ui.kit.widgets import TREE_TABLE, Memo, faint, filter_box, hint, nothing, toggle, tree_row
from viewer.ui.problems.problem_details import problem_details
from viewer.ui.problems.problem_groups import Node, ProblemGroup, path_of, problem_tree
from viewer.ui.problems.problem_menu import ignored_rules, problem_menu
from viewer.ui.problems.problem_rows import ProblemRow, counts, problem_rows, version
from viewer.ui.problems.severity_marks import COLORS, ICONS
from viewer.ui.problems.show_problem import present_problem, select_problem, select_problems

COLUMNS = (("problem", 4.6), ("rule", 1.8), ("file", 1.2), ("place", 2.0))
NARROW, WIDE = 34, 46
"""The widths in line heights below which only the problems show, and from which on the details are beside
them.
"""
BESIDE = 0.34
"""The share of the width for the details."""


class ProblemsPanel:
    """The table of problems. A click or an arrow key selects what a problem is about and marks all of it, or
    all of a group; a double click or Enter frames it, or plays it. Beside a wide table are the details of the
    chosen problem.
    """

    def __init__(self) -> None:
        self._filter = ""
        self._hidden: set[Severity] = set()
        self._opened: dict[tuple[Severity, str], bool] = {}
        self._cursor: Path = ()
        self._picked: Finding | None = None
        self._rows, self._tree = Memo(), Memo()

    def badge(self, state: State) -> str:
        """The number of errors and warnings, for the tab; empty without any."""
        told = self._listed(state)[1]
        found = told[Severity.ERROR] + told[Severity.WARNING]
        return str(found) if found else ""

    def __call__(self, state: State, post: Post) -> None:
        """Draw the panel."""
        rows, told = self._listed(state)
        self._bar(state, told)
        if not rows:
            nothing("No problems.")
            return
        tree = self._grouped(state, rows)
        room = imgui.get_content_region_avail()
        wide = room.x > WIDE * imgui.get_font_size()
        chosen = self._chosen(tree)
        if imgui.begin_child("rows", ImVec2(room.x * (1 - BESIDE) if wide and chosen else 0, 0)):
            self._table(state, post, tree, wide and chosen is not None)
        imgui.end_child()
        if wide and chosen is not None:
            imgui.same_line()
            if imgui.begin_child("details"):
                problem_details(state, post, chosen)
            imgui.end_child()

    def _listed(self, state: State) -> tuple[list[ProblemRow], dict[Severity, int]]:
        """All rows, the most severe first, and their number for each severity."""

        def make() -> tuple[list[ProblemRow], dict[Severity, int]]:
            rows = problem_rows(state)
            return rows, counts(rows)

        found: tuple[list[ProblemRow], dict[Severity, int]] = self._rows.get(version(state), make)
        return found

    def _bar(self, state: State, told: dict[Severity, int]) -> None:
        """Draw a switch for each severity with its count, the ignored rules, and the filter."""
        for kind, count in told.items():
            if toggle(f"{ICONS[kind]} {count}###{kind.word}", kind not in self._hidden, color=COLORS[kind]):
                self._hidden ^= {kind}
            hint(f"{'Show' if kind in self._hidden else 'Hide'} {counted(count, kind.word)}")
            imgui.same_line()
        ignored_rules(state.interface.preferences)
        self._filter = filter_box("problems", self._filter, state.interface.find_requested("problems"))

    def _grouped(self, state: State, rows: list[ProblemRow]) -> Branch[Node]:
        key = (*version(state), self._filter, *sorted(self._hidden))
        before: Branch[Node] | None = self._tree.value
        tree: Branch[Node] = self._tree.get(
            key, lambda: problem_tree(rows, self._filter, self._hidden, self._opened)
        )
        if tree is not before:
            self._cursor = path_of(tree, self._picked)
        chosen = self._chosen(tree)
        self._picked = None if chosen is None else _first(chosen).finding
        return tree

    def _chosen(self, tree: Branch[Node]) -> Node | None:
        """The problem or the group at the cursor."""
        if not self._cursor:
            return None
        row = tree.row_of(self._cursor)
        return next(tree.rows(row, row + 1)).node

    def _table(self, state: State, post: Post, tree: Branch[Node], detailed: bool) -> None:
        narrow = imgui.get_content_region_avail().x < NARROW * imgui.get_font_size()
        shown = COLUMNS[:1] if narrow else COLUMNS[:3] if detailed else COLUMNS
        if not imgui.begin_table(f"problems {len(shown)}", len(shown), TREE_TABLE):
            return
        for name, share in shown:
            imgui.table_setup_column(name, imgui.TableColumnFlags_.width_stretch, share)
        height = imgui.get_text_line_height() + 2 * imgui.get_style().cell_padding.y
        self._keys(state, post, tree, height)
        for row in clipped_tree(tree, height):
            self._row(state, post, row, len(shown), detailed)
        imgui.end_table()

    def _row(self, state: State, post: Post, row: Row[Node], columns: int, detailed: bool) -> None:
        node = row.node
        imgui.table_next_row()
        imgui.table_next_column()
        text = f"{node.title} ({len(node.rows)})" if isinstance(node, ProblemGroup) else node.text
        moved = row.depth * imgui.get_style().indent_spacing
        label = _label(text if row.depth else f"{ICONS[node.severity]}  {text}", moved)
        color = COLORS[node.severity] if not row.depth and node.severity is not Severity.NOTE else TEXT
        opened = row.open
        clicked = tree_row(row, f"{label}###row", row.path == self._cursor, color, True, moved)
        if isinstance(node, ProblemGroup) and row.open != opened:
            self._opened[node.key] = row.open
        if not detailed:
            hint(lambda: node.title if isinstance(node, ProblemGroup) else node.whole)
        if clicked:
            self._choose(state, row)
            if imgui.is_mouse_double_clicked(0) and not isinstance(node, ProblemGroup):
                present_problem(state, post, node)
        if imgui.begin_popup_context_item("menu"):
            self._cursor = row.path
            problem_menu(state, post, node)
            imgui.end_popup()
        for cell in _cells(node)[: columns - 1]:
            imgui.table_next_column()
            faint(cut(cell, imgui.get_content_region_avail().x))

    def _choose(self, state: State, row: Row[Node], bring: bool = True) -> None:
        """Move the cursor to a row, and select what it is about."""
        self._cursor = row.path
        if isinstance(row.node, ProblemGroup):
            select_problems(state, row.node.rows)
        else:
            select_problem(state, row.node, bring)

    def _keys(self, state: State, post: Post, tree: Branch[Node], height: float) -> None:
        """Handle the keys: arrows, Home, End and page keys choose a row, Right and Left open and close
        groups, Enter shows what the row is about.
        """
        if not imgui.is_window_focused():
            return
        walked_to = walk(tree, self._cursor, height)
        if walked_to is not None:
            self._choose(state, walked_to, bring=False)
        if not self._cursor:
            return
        row, self._cursor = fold(tree, self._cursor)
        node = row.node
        if isinstance(node, ProblemGroup):
            if entered():
                row.toggle()
            self._opened[node.key] = row.open
        elif entered():
            present_problem(state, post, node)


def _first(node: Node) -> ProblemRow:
    return node.rows[0] if isinstance(node, ProblemGroup) else node


def _label(text: str, moved: float) -> str:
    """The text of a row that begins `moved` points to the right, as it fits into the column."""
    before = imgui.get_tree_node_to_label_spacing() + moved
    return label_text(cut(text, imgui.get_content_region_avail().x - before))


def _cells(node: Node) -> tuple[str, ...]:
    """What the columns beside the text show."""
    return (node.rule,) if isinstance(node, ProblemGroup) else (node.rule, node.file, node.place)
