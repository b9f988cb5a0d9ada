"""The items of a State: whether an item exists, and which item a byte belongs to."""

from __future__ import annotations

from viewer.dataclass import dataclass
from viewer.scene.document import Document, Item
from viewer.scene.geosets import members
from viewer.scene.selection import Selection
from viewer.session.playback import PlaybackState


def exists(state: PlaybackState, selection: Selection, item: Item | None) -> bool:
    """Whether an item exists in the document in view, or in the document that it was selected in."""
    if item is None or state.document is None:
        return False
    model = state.model
    counts = {
        "bone": len(state.skeleton) if state.skeleton else 0,
        "geometry": len(model.geometries) if model else 0,
        "material": len(model.materials) if model else 0,
        "texture": len(model.textures) if model else 0,
        "model": len(model.references) if model else 0,
        "morph": len(model.morphs) if model else 0,
        "camera": len(model.cameras) if model else 0,
        "attachment": len(model.attachments) if model else 0,
        "event": len(model.events) if model else 0,
        "light": len(model.lights) if model else 0,
        "emitter": len(model.emitters) if model else 0,
        "ribbon": len(model.ribbons) if model else 0,
        "animation": len(state.animations),
        "byte": len(state.document.data),
    }
    if item[0] == "geoset":
        return bool(members(model, int(item[1])))
    if item[0] == "particle":
        return isinstance(item[1], int) and 0 <= item[1] < counts["emitter"]
    if item[0] in counts and len(item) == 2:
        return isinstance(item[1], int) and 0 <= item[1] < counts[str(item[0])]
    source = selection.source if item == selection.picked else None
    if source is not None and source not in (*state.document.attached, *state.documents):
        return False
    return (source or state.document).origin.span(item) is not None


@dataclass(slots=True, eq=False)
class ByteOwner:
    """The item that a byte belongs to; the last answer is cached."""

    _known: tuple[Item, Document, Item] | None = None

    def of(self, byte: Item, document: Document) -> Item:
        """The item that owns `("byte", offset)`; the byte itself if no item owns it."""
        if self._known is None or self._known[:2] != (byte, document):
            self._known = byte, document, document.origin.item(int(byte[1])) or byte
        return self._known[2]
