"""The hovered and selected items of a document, shared by all panels and the picture."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from viewer.scene.document import Document
from viewer.scene.items import Item
from viewer.scene.mesh.surface_points import SurfacePoint


class Selection(Struct):
    """The hovered and the selected item. The item that one frame finds under the pointer is the hovered item
    of the next frame.

    `group` are items that are marked together, such as all items of a finding or several clips. These items
    stay marked until another group is marked or the selection is cleared. `counterparts` are the items of a
    compared document that were marked with the picked item (None: the items of the same name are used).
    `touched` are the points of the mesh that are marked in this frame, because the pointer was over them.
    """

    hover: Item | None = None
    picked: Item | None = None
    group: tuple[Item, ...] = ()
    touched: tuple[SurfacePoint, ...] = ()
    under: SurfacePoint | None = None
    _source: tuple[Item, Document] | None = None
    _counterparts: tuple[Item | None, tuple[Item, ...]] | None = None
    _next: Item | None = None
    _next_touched: tuple[SurfacePoint, ...] = ()
    _next_under: SurfacePoint | None = None

    def point(self, item: Item) -> None:
        """Set the item under the pointer in this frame."""
        self._next = item

    def point_at(self, surface: SurfacePoint | None) -> None:
        """Set the point of the mesh that is under the pointer in the picture in this frame."""
        self._next_under = surface

    def mark(self, points: tuple[SurfacePoint, ...]) -> None:
        """Mark points of the mesh in the next frame."""
        self._next_touched = points

    def pick(self, item: Item | None, document: Document | None = None) -> None:
        """Select an item. `document` is its document if the item does not belong to the document in view."""
        self.picked = item
        self._source = None if item is None or document is None else (item, document)

    def together(self, kind: type[Item]) -> tuple[Item, ...]:
        """The selected items of one kind: the items of the group if the picked item is in the group, else
        only the picked item.
        """
        if not isinstance(self.picked, kind):
            return ()
        if self.picked not in self.group:
            return (self.picked,)
        return tuple(each for each in self.group if isinstance(each, kind))

    def choose(self, item: Item) -> None:
        """Pick an item, and select no other item of its kind."""
        self.group = tuple(each for each in self.group if not isinstance(each, type(item)))
        self.pick(item)

    def toggle(self, item: Item) -> None:
        """Add an item to the selected items of its kind and pick the item; remove the item if it is selected
        already.
        """
        chosen = self.together(type(item))
        self.group = tuple(each for each in chosen if each != item) if item in chosen else (*chosen, item)
        self.pick(item if item in self.group else next(reversed(self.group), None))

    def extend(self, item: Item, items: Sequence[Item]) -> None:
        """Select the items of a list from the picked item to `item`. The picked item stays picked."""
        if self.picked not in items:
            self.pick(item)
        first, last = sorted(items.index(each) for each in (self.picked or item, item))
        self.group = tuple(items[first : last + 1])

    def pick_together(self, items: tuple[Item, ...], counterparts: tuple[Item, ...]) -> None:
        """Mark items and select the first; mark `counterparts` in a compared document."""
        self.group = items
        self.pick(items[0] if items else None)
        self._counterparts = self.picked, counterparts

    @property
    def counterparts(self) -> tuple[Item, ...] | None:
        """The items of the compared document that were marked with the selected item; None if the selection
        has no counterparts.
        """
        known = self._counterparts
        return known[1] if known is not None and known[0] == self.picked else None

    @property
    def source(self) -> Document | None:
        """The document of the picked item (None: the document in view)."""
        return self._source[1] if self._source is not None and self._source[0] == self.picked else None

    def turn(self) -> None:
        """Begin a frame: the item and the points that were under the pointer in the last frame become
        `hover` and `touched`.
        """
        self.hover, self._next = self._next, None
        self.touched, self._next_touched = self._next_touched, ()
        self.under, self._next_under = self._next_under, None
