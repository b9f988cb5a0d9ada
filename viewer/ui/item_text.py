"""The name, the title and the bytes of an item."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from viewer.binary.span import Span
from viewer.errors import printable
from viewer.scene.display import effect_of
from viewer.scene.document import Document
from viewer.scene.items import AnimationItem, ByteItem, GeometryItem, Item
from viewer.scene.names import short_name
from viewer.scene.parts import PART_KINDS, PartOwner, geometry_name, part_name, part_of
from viewer.session.state import State


def shown_part(state: State, item: Item) -> Any:
    """The part of the document in view that an item stands for; None if it does not exist."""
    return part_of(PartOwner.shown(state.document, state.playback.animations), item)


def item_name(state: State, item: Item) -> str:
    """The name of an item of the document in view, as in the file; empty if it has no name."""
    return part_name(PartOwner.shown(state.document, state.playback.animations), item)


def name_in(document: Document, item: Item) -> str:
    """The name of an item of a document that may not be in view; empty if it has no name."""
    return part_name(PartOwner.shown(document), item)


def item_title(state: State, item: Item) -> str:
    """The kind of an item with its name; without a name, with its index: `bone Bip01_Spine`, `vertex 17`."""
    if isinstance(item, ByteItem):
        return f"byte 0x{item.number:X}"
    name, words = item_name(state, item), item.kind.replace("_", " ")
    if name and isinstance(item, GeometryItem) and state.model is not None:
        name = geometry_name(state.model, item.number)
    elif type(item) in PART_KINDS and PART_KINDS[type(item)].is_file:
        name = short_name(name)
    return printable(name if name.startswith(words) else f"{words} {name or item.number}")


def bytes_of(document: Document | None, item: Item | None) -> Span | None:
    """The span of an item in `document` or in a document attached to it; None if the item has no bytes."""
    return None if document is None or item is None else document.holder(item).origin.span(item)


def item_bytes(
    state: State, item: Item, sources: Sequence[Document] | None = None
) -> tuple[Document, Span] | None:
    """Return the document and the span with an item's bytes; None if the item has no bytes.

    `sources` are the documents to search; the first match counts. By default, the document in view and its
    attached documents are searched.
    """
    if sources is None:
        sources = (state.document, *state.document.attached) if state.document is not None else ()
    if not sources:
        return None
    source = state.view.selection.source if item == state.view.selection.picked else None
    if isinstance(item, ByteItem):
        holder = source if source is not None and source in sources else sources[0]
        return holder, Span("byte", item.number, 1)
    if isinstance(item, AnimationItem) and 0 <= item.number < len(state.playback.animations):
        held = state.playback.source(state.playback.animations[item.number])
        if held is not None and held is not state.document:
            return held, held.root
    owner = source if source is not None and source in sources else sources[0].holder(item)
    span = owner.origin.span(effect_of(item) or item)
    return (owner, span) if span is not None else None
