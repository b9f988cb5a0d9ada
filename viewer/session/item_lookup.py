"""Tests whether items of the open documents exist, and finds the item to which a byte belongs."""

from __future__ import annotations

from weakref import ref

from msgspec import Struct

from viewer.scene.document import Document
from viewer.scene.items import (
    AnimationItem,
    AttachmentItem,
    BoneItem,
    ByteItem,
    CameraItem,
    EmitterItem,
    EventItem,
    GeometryItem,
    GeosetItem,
    Item,
    LightItem,
    MaterialItem,
    ModelItem,
    MorphItem,
    ParticleItem,
    RibbonItem,
    TextureItem,
)
from viewer.scene.model import members
from viewer.session.playback import DocumentPlayback
from viewer.view.selection import Selection


def exists(playback: DocumentPlayback, selection: Selection, item: Item | None) -> bool:
    """Whether `item` exists in the document in view.

    The selected item may instead belong to another document, which must still be open.
    """
    documents = playback.documents
    document, model, skeleton = documents.document, documents.model, documents.skeleton
    if item is None or document is None:
        return False
    source = selection.source if item == selection.picked else None
    if source is not None and source not in (*document.attached, *documents.opened):
        return False
    counts: dict[type[Item], int] = {
        BoneItem: len(skeleton) if skeleton else 0,
        GeometryItem: len(model.geometries) if model else 0,
        MaterialItem: len(model.materials) if model else 0,
        TextureItem: len(model.textures) if model else 0,
        ModelItem: len(model.references) if model else 0,
        MorphItem: len(model.morphs) if model else 0,
        CameraItem: len(model.cameras) if model else 0,
        AttachmentItem: len(model.attachments) if model else 0,
        EventItem: len(model.events) if model else 0,
        LightItem: len(model.lights) if model else 0,
        EmitterItem: len(model.emitters) if model else 0,
        RibbonItem: len(model.ribbons) if model else 0,
        AnimationItem: len(playback.animations),
        ByteItem: len((source or document).data),
    }
    if isinstance(item, GeosetItem):
        return bool(members(model, item.number))
    if isinstance(item, ParticleItem):
        return 0 <= item.emitter < counts[EmitterItem]
    if type(item) in counts:
        return 0 <= item.number < counts[type(item)]
    return (source or document).origin.span(item) is not None


class ByteOwner(Struct, eq=False):
    """Finds the item to which a byte belongs; caches the last answer."""

    _known: tuple[ByteItem, ref[Document], Item] | None = None

    def of(self, byte: ByteItem, document: Document) -> Item:
        """Return the item that owns a byte; the byte itself if no item owns it."""
        if self._known is None or self._known[:2] != (byte, ref(document)):
            self._known = byte, ref(document), document.origin.item(byte.number) or byte
        return self._known[2]
