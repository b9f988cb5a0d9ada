"""The hovered and selected items of a document, which all panels and the picture share."""

from __future__ import annotations

from msgspec import Struct

from viewer.scene.document import Document
from viewer.scene.items import Item


class Selection(Struct):
    """The hovered item and the selected item. Hover that is set in one frame is read in the next.

    `group` are items that are marked together, such as all items of a finding; it stays until another group
    is marked or the selection is cleared. `counterparts` are the items of a compared document that were
    selected together with the picked item; None: those of the same name.
    """

    hover: Item | None = None
    picked: Item | None = None
    group: tuple[Item, ...] = ()
    _source: tuple[Item, Document] | None = None
    _counterparts: tuple[Item | None, tuple[Item, ...]] | None = None
    _next: Item | None = None

    def point(self, item: Item) -> None:
        """Set the item that the pointer is over in this frame."""
        self._next = item

    def pick(self, item: Item | None, document: Document | None = None) -> None:
        """Select an item; `document` is given if the item belongs to another document than the document in
        view.
        """
        self.picked = item
        self._source = None if item is None or document is None else (item, document)

    def pick_together(self, items: tuple[Item, ...], counterparts: tuple[Item, ...]) -> None:
        """Mark items, the first of them as selected, while a compared document has `counterparts` marked."""
        self.group = items
        self.pick(items[0] if items else None)
        self._counterparts = self.picked, counterparts

    @property
    def counterparts(self) -> tuple[Item, ...] | None:
        """The items of a compared document, as long as the item that was selected with them still is."""
        known = self._counterparts
        return known[1] if known is not None and known[0] == self.picked else None

    @property
    def source(self) -> Document | None:
        """The document of the picked item; None: the document in view."""
        return self._source[1] if self._source is not None and self._source[0] == self.picked else None

    def turn(self) -> None:
        """Begin a frame: the item that was pointed at becomes `hover`."""
        self.hover, self._next = self._next, None
