"""The differences of two documents as a tree: a branch for each kind of part."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from msgspec import Struct

from viewer.errors import printable
from viewer.scene.difference import Change, Difference, DifferenceGroup
from viewer.ui.kit.tree_rows import Branch


class DifferenceBranch(Struct, frozen=True, eq=False):
    """The differences of one kind of part, or what the comparison notes (no `group`)."""

    group: DifferenceGroup | None
    rows: tuple[Difference | str, ...]

    @property
    def title(self) -> str:
        """`Bones (3)`."""
        word = self.group.word.capitalize() if self.group is not None else "Notes"
        return f"{word} ({len(self.rows):,})".replace(",", " ")


Node = Difference | DifferenceBranch | str


def difference_tree(
    differences: Iterable[Difference | str], text: str, closed: Collection[DifferenceGroup | None]
) -> Branch[Node]:
    """The differences and notes that contain all words of `text`; branches are open, except the `closed`
    groups.
    """
    words = text.casefold().split()
    groups: dict[DifferenceGroup | None, list[Difference | str]] = {}
    for each in differences:
        if isinstance(each, str):
            if all(word in each.casefold() for word in words):
                groups.setdefault(None, []).append(each)
        elif all(word in _searched(each) for word in words):
            groups.setdefault(each.group, []).append(each)
    nodes = [DifferenceBranch(group, tuple(rows)) for group, rows in groups.items()]
    tree: Branch[Node] = Branch(nodes, _children)
    for number, node in enumerate(nodes):
        if node.group not in closed:
            tree.open(number)
    return tree


def told(difference: Difference) -> str:
    """What happened, in one line: `removed, under Root`."""
    change = "" if difference.change is Change.CHANGED and difference.text else difference.change.value
    return ", ".join(filter(None, [change, printable(difference.text)]))


def whole(difference: Difference) -> str:
    """All that is known, as lines."""
    return f"{difference.group.word}: {printable(difference.name)}\n{told(difference)}"


def _searched(difference: Difference) -> str:
    parts = (difference.name, difference.text, difference.change.value, difference.group.word)
    return " ".join(parts).casefold()


def _children(node: Node) -> Sequence[Node]:
    return node.rows if isinstance(node, DifferenceBranch) else ()
