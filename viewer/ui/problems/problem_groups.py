"""The rows of the Problems panel as a tree: a branch for each rule that found something several times."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from viewer.scene.finding import Finding, Severity
from viewer.ui.kit.tree_rows import Branch, Path
from viewer.ui.problems.problem_rows import PROGRAM, ProblemRow

OPEN = 8
"""The number of rows up to which a group is open at first."""
MESSAGES = "Messages of the program"


class ProblemGroup(Struct, frozen=True, eq=False):
    """The rows of one rule with one severity; `title` says in one line what is wrong."""

    severity: Severity
    rule: str
    title: str
    rows: tuple[ProblemRow, ...]

    @property
    def key(self) -> tuple[Severity, str]:
        """What tells the group from others."""
        return self.severity, self.rule


Node = ProblemRow | ProblemGroup


def problem_tree(
    rows: Sequence[ProblemRow],
    text: str,
    hidden: Collection[Severity],
    opened: Mapping[tuple[Severity, str], bool],
) -> Branch[Node]:
    """The rows that contain all words of `text`, without those of `hidden` severities. A rule with one row is
    that row; other rules are groups, which are open if `opened` says so, or else if they are small.
    """
    words = text.casefold().split()
    groups: dict[tuple[Severity, str], list[ProblemRow]] = defaultdict(list)
    for row in rows:
        if row.severity not in hidden and all(word in row.searched for word in words):
            groups[row.severity, row.rule].append(row)
    nodes = [_node(*key, found) for key, found in groups.items()]
    tree: Branch[Node] = Branch(nodes, _children)
    for number, node in enumerate(nodes):
        if isinstance(node, ProblemGroup) and opened.get(node.key, len(node.rows) <= OPEN):
            tree.open(number)
    return tree


def path_of(tree: Branch[Node], finding: Finding | None) -> Path:
    """The path of the row with an equal finding; empty if there is none."""
    if finding is None:
        return ()
    for number, node in enumerate(tree.nodes):
        if isinstance(node, ProblemRow):
            if node.finding == finding:
                return (number,)
        elif node.rule == finding.rule:
            inner = next((n for n, row in enumerate(node.rows) if row.finding == finding), None)
            if inner is not None:
                return (number, inner)
    return ()


def _node(severity: Severity, rule: str, rows: list[ProblemRow]) -> Node:
    if len(rows) == 1:
        return rows[0]
    title = next((row.finding.title for row in rows if row.finding.title), "")
    return ProblemGroup(severity, rule, title or (MESSAGES if rule == PROGRAM else rule), tuple(rows))


def _children(node: Node) -> Sequence[Node]:
    return node.rows if isinstance(node, ProblemGroup) else ()
