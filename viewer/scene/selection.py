"""What the user points at: items of a document, so that every panel and the picture agree about them."""

from __future__ import annotations

from viewer.dataclass import dataclass
from viewer.scene.document import Document, Item


@dataclass(slots=True)
class Selection:
    """What the pointer is over and what was clicked. Hover that is written in a frame is read in the next."""

    hover: Item | None = None
    picked: Item | None = None
    _source: tuple[Item, Document] | None = None
    _next: Item | None = None

    def point(self, item: Item) -> None:
        """Say what the pointer is over in this frame."""
        self._next = item

    def pick(self, item: Item | None, document: Document | None = None) -> None:
        """Select an item; `document`: the one whose item it is, where that is not the one in view."""
        self.picked = item
        self._source = None if item is None or document is None else (item, document)

    @property
    def source(self) -> Document | None:
        """The document that the picked item is of; None: the one in view."""
        return self._source[1] if self._source is not None and self._source[0] == self.picked else None

    def turn(self) -> None:
        """Begin a frame: what was pointed at becomes `hover`."""
        self.hover, self._next = self._next, None
