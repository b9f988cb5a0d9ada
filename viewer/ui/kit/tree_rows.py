"""Trees of up to millions of rows. Only open branches are stored, and only visible rows are created."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import Any, Generic, TypeVar

from msgspec import Struct

Node = TypeVar("Node")
Path = tuple[int, ...]
"""The path of a node: for each level from the top, the index among its siblings."""


class Row(Struct, Generic[Node]):
    """A visible row: its node, its depth, and its index `number` in the branch `above`.

    `texts` caches the texts of the row's cells while the row is visible.
    """

    node: Node
    depth: int
    above: Branch[Node]
    number: int
    texts: Any = None
    _leaf: bool | None = None

    @property
    def open(self) -> bool:
        """Whether the children of the row are shown."""
        return self.number in self.above.opened

    @property
    def leaf(self) -> bool:
        """Whether the row has no children (cached)."""
        if self._leaf is None:
            self._leaf = not self.above.children(self.node)
        return self._leaf

    @property
    def path(self) -> Path:
        """The path from the top to the row."""
        return (*self.above.path, self.number)

    def toggle(self) -> None:
        """Open or close the row."""
        if self.open:
            self.above.close(self.number)
        else:
            self.above.open(self.number)


class Branch(Generic[Node]):
    """The children of a node. `opened` has the branches of open children by index.

    Children are only counted and fetched by index; therefore even a million of them take no time. `version`
    increases when a branch below this one opens or closes.
    """

    __slots__ = ("_index", "_number", "_parent", "_visible", "children", "nodes", "opened", "version")

    def __init__(
        self,
        nodes: Sequence[Node],
        children: Callable[[Node], Sequence[Node]],
        parent: Branch[Node] | None = None,
        number: int = 0,
    ) -> None:
        self.nodes = nodes
        self.opened: dict[int, Branch[Node]] = {}
        self.children = children
        self.version = 0
        self._parent = parent
        self._number = number
        self._index: tuple[list[int], list[int], list[int]] | None = None
        self._visible: tuple[int, int, list[Row[Node]]] = 0, 0, []

    @property
    def path(self) -> Path:
        """The path from the top to the parent of these children."""
        return () if self._parent is None else (*self._parent.path, self._number)

    def open(self, number: int) -> Branch[Node]:
        """Open child `number`; return its branch."""
        if number not in self.opened:
            below = self.children(self.nodes[number])
            self.opened[number] = Branch(below, self.children, self, number)
            self._changed()
        return self.opened[number]

    def close(self, number: int) -> None:
        """Close child `number`. Branches that are open below it are forgotten."""
        if self.opened.pop(number, None) is not None:
            self._changed()

    def open_all(self) -> Branch[Node]:
        """Open all nodes of the tree and return the branch. Use it for small trees only."""
        waiting: list[Branch[Node]] = [self]
        while waiting:
            branch = waiting.pop()
            for number, node in enumerate(branch.nodes):
                if self.children(node):
                    waiting.append(branch.open(number))
        return self

    def open_like(self, other: Branch[Node]) -> None:
        """Open the nodes that are open in another tree, if they exist in this tree."""
        for number, below in other.opened.items():
            if number < len(self.nodes):
                self.open(number).open_like(below)

    def reveal(self, path: Path) -> int:
        """Open all ancestors of the node at `path`; return the index of the node's row."""
        branch = self
        for number in path[:-1]:
            branch = branch.open(number)
        return self.row_of(path)

    def row_of(self, path: Path) -> int:
        """The row index of the node at `path`, or of its nearest visible ancestor."""
        number, below = path[0], self.opened.get(path[0])
        numbers, _, before = self._row_starts()
        row = number + before[bisect_left(numbers, number)]
        return row + 1 + below.row_of(path[1:]) if below is not None and len(path) > 1 else row

    def __len__(self) -> int:
        return len(self.nodes) + self._row_starts()[2][-1]

    def rows(self, start: int, stop: int, depth: int = 0) -> Iterator[Row[Node]]:
        """Yield the rows from index `start` up to `stop` (excluded)."""
        numbers, row_starts, before = self._row_starts()
        at, stop = max(start, 0), min(stop, len(self))
        while at < stop:
            turn = bisect_left(row_starts, at)  # `turn` is the first open node at or after this row
            if turn and at <= row_starts[turn - 1] + len(self.opened[numbers[turn - 1]]):
                inner, top = self.opened[numbers[turn - 1]], row_starts[turn - 1] + 1
                yield from inner.rows(at - top, stop - top, depth + 1)
                at = top + len(inner)
                continue
            upto = min(stop, row_starts[turn] + 1) if turn < len(row_starts) else stop
            for number in range(at - before[turn], upto - before[turn]):
                yield Row(self.nodes[number], depth, self, number)
            at = upto

    def row(self, number: int) -> Row[Node]:
        """Return the row with index `number`."""
        return next(self.rows(number, number + 1))

    def in_sight(self, start: int, stop: int) -> list[Row[Node]]:
        """Return the rows from index `start` up to `stop` (excluded), cached for the next frame.

        A row that stays visible is the same object until a branch opens or closes. The nodes of the tree must
        not change.
        """
        version, first, rows = self._visible
        if version != self.version:
            first, rows = start, []
        if first != start or len(rows) != stop - start:
            kept = rows[max(start - first, 0) : max(stop - first, 0)]
            above = max(start, first) if kept else start
            rows = [*self.rows(start, above), *kept, *self.rows(above + len(kept), stop)]
            self._visible = self.version, start, rows
        return rows

    def _row_starts(self) -> tuple[list[int], list[int], list[int]]:
        """Return three lists: the indices of the open nodes, the indices of their rows, and sums of rows.

        Sum i is the number of rows in the branches of all open nodes before open node i. The last sum is the
        number of rows in all branches.
        """
        if self._index is None:
            numbers = sorted(self.opened)
            before = [0, *accumulate(len(self.opened[number]) for number in numbers)]
            rows = [number + more for number, more in zip(numbers, before, strict=False)]
            self._index = numbers, rows, before
        return self._index

    def _changed(self) -> None:
        branch: Branch[Node] | None = self
        while branch is not None:
            branch._index = None
            branch.version += 1
            branch = branch._parent


def flat(nodes: Sequence[Node]) -> Branch[Node]:
    """Make a list: nodes without children."""
    return Branch(nodes, lambda node: ())
