"""The selected bytes of a document.

The chunk tree, the hex view and the data inspector share this selection.
"""

from __future__ import annotations

from viewer.binary.span import Span
from viewer.scene.document import Document
from viewer.ui.bytes.span_filter import Problems
from viewer.ui.bytes.span_rows import node_at, path_name, path_to
from viewer.ui.kit.tree_rows import Branch, Path

LEAST_DIGITS = 8

Range = tuple[int, int]
"""The offset of the first byte and the offset after the last byte."""


class ByteSelection:
    """The selected bytes from `anchor` to `cursor`, and the `path` of the innermost span around them.

    `changed` is set after the user has selected something. `show_row` makes the tree scroll to the selection,
    `show_bytes` the hex view. `top` is the offset of the first byte that the hex view shows.
    """

    def __init__(self, document: Document) -> None:
        self.cursor = self.anchor = self.top = 0
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
        """Replace the file by its reloaded version.

        The selection and the open rows stay if they still exist.
        """
        before = self.tree
        self._take(document)
        self.tree.open_like(before)
        last = max(len(self.data) - 1, 0)
        self.cursor, self.anchor = min(self.cursor, last), min(self.anchor, last)
        self.path = path_to(self.root, self.first, self.last)

    @property
    def first(self) -> int:
        """The offset of the first selected byte."""
        return min(self.cursor, self.anchor)

    @property
    def last(self) -> int:
        """The offset of the last selected byte."""
        return max(self.cursor, self.anchor)

    @property
    def selected(self) -> bytes:
        """The selected bytes."""
        return self.data[self.first : self.last + 1]

    @property
    def node(self) -> Span:
        """The innermost span that contains the selected bytes."""
        return self._selected_node()[0]

    @property
    def name(self) -> str:
        """The path of the innermost span around the selection: `bones/[3]/name`."""
        return self._selected_node()[1]

    def _selected_node(self) -> tuple[Span, str]:
        """Return the selected span and the text of its path, cached until the path changes."""
        if self._known is None or self._known[0] != self.path:
            self._known = self.path, node_at(self.root, self.path), path_name(self.root, self.path)
        return self._known[1:]

    def move_cursor(self, offset: int, extend: bool = False) -> None:
        """Move the cursor to `offset` (clamped to the file) and select that byte.

        With `extend`, the selection reaches from the anchor to the cursor.
        """
        self.cursor = max(0, min(offset, len(self.data) - 1))
        if not extend:
            self.anchor = self.cursor
        self.path = path_to(self.root, self.first, self.last)
        self.changed = self.show_row = self.show_bytes = True

    def select(self, first: int, size: int) -> None:
        """Select `size` bytes (at least one), and put the cursor on the first of them."""
        self.move_cursor(first + max(size, 1) - 1)
        self.move_cursor(first, extend=True)

    def choose(self, path: Path) -> None:
        """Select the span at `path` and its bytes."""
        span = node_at(self.root, path)
        self.select(span.offset, span.size)
        self.path = path

    def follow(self) -> bool:
        """Select the target of the selected span; return False if the span is not a reference."""
        target = self.node.target
        if target is None or not 0 <= target < len(self.data):
            return False
        self.move_cursor(target)
        return True

    def go(self, offset: int) -> None:
        """Select the innermost span at `offset`."""
        chain = self.root.at(offset)
        if chain:
            self.select(offset, chain[-1].size)

    def point(self, first: int, end: int) -> None:
        """Store the bytes under the pointer in this frame: `first` up to `end` (excluded)."""
        self._next_hover = (first, end)

    def turn(self) -> None:
        """Begin a frame: `hover` becomes the bytes under the pointer in the last frame."""
        self.hover, self._next_hover = self._next_hover, None

    def take_change(self) -> bool:
        """Whether the user has selected something since the last call."""
        changed, self.changed = self.changed, False
        return changed


def parse_offset(text: str, cursor: int, digits: int) -> int:
    """Parse an offset: `0x1F`, `1Fh`, `31`. `+16` and `-0x10` are relative to the cursor.

    A text with hex letters, or with at least `digits` digits, is hexadecimal. ValueError for any other text.
    """
    bare = text.strip().lower().replace(" ", "")
    sign = {"+": 1, "-": -1}.get(bare[:1], 0)
    number = bare[1:] if sign else bare
    hexadecimal = number.removeprefix("0x").removesuffix("h")
    plain = number.isdecimal() and len(number) < digits
    value = int(number) if plain else int(hexadecimal, 16)
    return cursor + sign * value if sign else value
