"""Tests whether items of the open documents exist, and finds the item to which a byte belongs."""

from __future__ import annotations

from weakref import ref

from msgspec import Struct

from viewer.scene.display import effect_of
from viewer.scene.document import Document
from viewer.scene.items import ByteItem, GeosetItem, Item
from viewer.scene.model import members
from viewer.scene.parts import MODEL_PARTS, PART_KINDS, PartOwner, part_of
from viewer.session.playback import DocumentPlayback
from viewer.view.selection import Selection


def exists(playback: DocumentPlayback, selection: Selection, item: Item | None) -> bool:
    """Whether `item` exists in the document in view.

    The selected item may instead belong to another document, which must still be open.
    """
    documents = playback.documents
    document = documents.document
    if item is None or document is None:
        return False
    source = selection.source if item == selection.picked else None
    if source is not None and source not in (*document.attached, *documents.opened):
        return False
    if isinstance(item, GeosetItem):
        return bool(members(documents.model, item.number))
    if isinstance(item, ByteItem):
        return 0 <= item.number < len((source or document).data)
    part = effect_of(item) or item
    if PART_KINDS.get(type(part)) in MODEL_PARTS:
        return part_of(PartOwner.shown(document, playback.animations), part) is not None
    return (source or document).origin.span(item) is not None


class ByteOwner(Struct, eq=False):
    """Finds the item to which a byte belongs; caches the last answer."""

    _known: tuple[ByteItem, ref[Document], Item] | None = None

    def of(self, byte: ByteItem, document: Document) -> Item:
        """Return the item that owns a byte; the byte itself if no item owns it."""
        if self._known is None or self._known[:2] != (byte, ref(document)):
            self._known = byte, ref(document), document.origin.item(byte.number) or byte
        return self._known[2]
