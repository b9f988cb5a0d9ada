"""What the chunk tree, the hex view and the data inspector of one document show together."""

from __future__ import annotations

from viewer.binary.span import Span
from viewer.scene.document import Document
from viewer.ui.bytes.span_filter import Problems
from viewer.ui.bytes.span_rows import node_at, path_name, path_to
from viewer.ui.kit.tree_rows import Branch, Path

LEAST_DIGITS = 8

Range = tuple[int, int]
"""The first byte and the one behind the last."""


class ByteSelection:
    """Selected bytes, from `anchor` to `cursor`, and at `path` the innermost node that holds them.

    `changed` is set when the user selects; `show_row` and `show_bytes` ask tree and hex view to scroll there.
    """

    def __init__(self, document: Document) -> None:
        self.cursor = self.anchor = 0
        self.path: Path = (0,)
        self.hover: Range | None = None
        self._next_hover: Range | None = None
        self.changed = self.show_row = self.show_bytes = False
        self._take(document)
        self.tree.open(0)

    def _take(self, document: Document) -> None:
        self.document = document
        self.data = document.data
        self.root = document.root
        self.digits = max(LEAST_DIGITS, len(f"{len(self.data):X}"))
        self.tree: Branch[Span] = Branch([self.root], lambda span: span.children)
        self.problems = Problems(document)
        self._known: tuple[Path, Span, str] | None = None

    def renew(self, document: Document) -> None:
        """The file was read again: open what was open, and stay with the bytes, as far as there are any."""
        before = self.tree
        self._take(document)
        self.tree.open_like(before)
        last = max(len(self.data) - 1, 0)
        self.cursor, self.anchor = min(self.cursor, last), min(self.anchor, last)
        self.path = path_to(self.root, self.first, self.last)

    @property
    def first(self) -> int:
        """The first selected byte."""
        return min(self.cursor, self.anchor)

    @property
    def last(self) -> int:
        """The last selected byte."""
        return max(self.cursor, self.anchor)

    @property
    def selected(self) -> bytes:
        """The selected bytes."""
        return self.data[self.first : self.last + 1]

    @property
    def node(self) -> Span:
        """The innermost node that holds the selected bytes."""
        return self._told()[0]

    @property
    def name(self) -> str:
        """Where in the tree that is: `bones/[3]/name`."""
        return self._told()[1]

    def _told(self) -> tuple[Span, str]:
        """Node and name of the path; made anew when it is another."""
        if self._known is None or self._known[0] != self.path:
            self._known = self.path, node_at(self.root, self.path), path_name(self.root, self.path)
        return self._known[1:]

    def place(self, offset: int, extend: bool = False) -> None:
        """Put the cursor on a byte (the nearest there is), and select it, or all up to it with `extend`."""
        self.cursor = max(0, min(offset, len(self.data) - 1))
        if not extend:
            self.anchor = self.cursor
        self.path = path_to(self.root, self.first, self.last)
        self.changed = self.show_row = self.show_bytes = True

    def select(self, first: int, size: int) -> None:
        """Select `size` bytes (at least one); the cursor is on the first."""
        self.place(first + max(size, 1) - 1)
        self.place(first, extend=True)

    def choose(self, path: Path) -> None:
        """Select a node of the tree, and its bytes."""
        span = node_at(self.root, path)
        self.select(span.offset, span.size)
        self.path = path

    def follow(self) -> bool:
        """Go to what the selected node points at; False where it points nowhere."""
        target = self.node.target
        if target is None or not 0 <= target < len(self.data):
            return False
        self.place(target)
        return True

    def go(self, offset: int) -> None:
        """Go to the innermost node at an offset."""
        chain = self.root.at(offset)
        if chain:
            self.select(offset, chain[-1].size)

    def point(self, first: int, end: int) -> None:
        """Say what the pointer is over in this frame."""
        self._next_hover = (first, end)

    def turn(self) -> None:
        """Begin a frame: what was pointed at becomes `hover`."""
        self.hover, self._next_hover = self._next_hover, None

    def take_change(self) -> bool:
        """Whether the user has selected since the last call."""
        changed, self.changed = self.changed, False
        return changed


def parse_offset(text: str, cursor: int, digits: int) -> int:
    """The offset that a text means: `0x1F`, `1Fh`, `31`; `+16` and `-0x10` from the cursor.

    With letters, or of as many `digits` as the panels write, it is hexadecimal. ValueError where it is none.
    """
    bare = text.strip().lower().replace(" ", "")
    sign = {"+": 1, "-": -1}.get(bare[:1], 0)
    number = bare[1:] if sign else bare
    hexadecimal = number.removeprefix("0x").removesuffix("h")
    plain = number.isdecimal() and len(number) < digits
    value = int(number) if plain else int(hexadecimal, 16)
    return cursor + sign * value if sign else value
