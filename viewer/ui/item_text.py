"""The name, the title and the bytes of an item."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from viewer.binary.span import Span
from viewer.errors import printable
from viewer.scene.animation import Animation
from viewer.scene.display import effect_of
from viewer.scene.document import Document
from viewer.scene.items import (
    AnimationItem,
    AttachmentItem,
    BoneItem,
    ByteItem,
    CameraItem,
    EventItem,
    GeometryItem,
    Item,
    MaterialItem,
    ModelItem,
    MorphItem,
    ParameterItem,
    TextureItem,
    UnitItem,
)
from viewer.scene.model import Model
from viewer.scene.names import file_name
from viewer.scene.shader import CompiledShader
from viewer.scene.skeleton import Skeleton
from viewer.session.state import State


def item_name(state: State, item: Item) -> str:
    """The name of an item of the document in view, as in the file; empty if it has no name."""
    if state.document is None:
        return ""
    return _name(state.document, item, state.skeleton, state.playback.animations)


def name_in(document: Document, item: Item) -> str:
    """The name of an item of a document that may not be in view; empty if it has no name."""
    return _name(document, item, document.model.skeleton if document.model else None, document.animations)


def item_title(state: State, item: Item) -> str:
    """The kind of an item with its name; without a name, with its index: `bone Bip01_Spine`, `vertex 17`."""
    if isinstance(item, ByteItem):
        return f"byte 0x{item.number:X}"
    name, words = item_name(state, item), item.kind.replace("_", " ")
    if name and isinstance(item, GeometryItem) and state.model is not None:
        name = geometry_name(state.model, item.number)
    elif isinstance(item, MaterialItem | TextureItem):
        name = short_name(name)
    return printable(name if name.startswith(words) else f"{words} {name or item.number}")


def geometry_name(model: Model, number: int) -> str:
    """The name of a geometry in the window.

    A geometry of a geoset has no name, so the name of its material is returned.
    """
    geometry = model.geometries[number]
    name = geometry.name or f"geometry {number}"
    if geometry.geoset is not None and geometry.material is not None:
        name = model.materials[geometry.material].name or name
    return name


def short_name(name: str) -> str:
    """Return the name of a material or texture in the window: for a path, only its file name; otherwise the
    whole name.

    `Ogre/Skin` is not a path, because its last part has no dot.
    """
    file = file_name(name)
    return file if "." in file else name


def _name(document: Document, item: Item, skeleton: Skeleton | None, animations: Sequence[Animation]) -> str:
    if isinstance(item, BoneItem):
        bones = skeleton.names if skeleton is not None else ()
        return bones[item.number] if 0 <= item.number < len(bones) else ""
    found = animations if type(item) is AnimationItem else _named(document, type(item))
    return str(getattr(found[item.number], "name", "")) if 0 <= item.number < len(found) else ""


def _named(document: Document, kind: type[Item]) -> Sequence[Any]:
    model, content = document.model, document.content
    if isinstance(content, CompiledShader):
        named: dict[type[Item], Sequence[Any]] = {
            ParameterItem: content.parameters,
            UnitItem: content.units,
        }
        return named.get(kind, ())
    if model is None:
        return ()
    kinds: dict[type[Item], Sequence[Any]] = {
        GeometryItem: model.geometries,
        MaterialItem: model.materials,
        TextureItem: model.textures,
        ModelItem: model.references,
        MorphItem: model.morphs,
        CameraItem: model.cameras,
        AttachmentItem: model.attachments,
        EventItem: model.events,
    }
    return kinds.get(kind, ())


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
