"""The title of an item, and the bytes that it is stored in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from viewer.binary.span import Span
from viewer.errors import printable
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
from viewer.scene.shader import CompiledShader
from viewer.session.state import State


def item_title(state: State, item: Item) -> str:
    """`bone Bip01_Spine`, `vertex 17`: the kind and the name, or the number if it has no name."""
    number, found = item.number, _named(state, type(item))
    name = getattr(found[number], "name", "") if number < len(found) else ""
    if isinstance(item, BoneItem) and state.skeleton is not None:
        name = state.skeleton.names[number] if number < len(state.skeleton) else ""
    if isinstance(item, ByteItem):
        return f"byte 0x{number:X}"
    words = item.kind.replace("_", " ")
    return printable(name if name.startswith(words) else f"{words} {name or number}")


def _named(state: State, kind: type[Item]) -> Sequence[Any]:
    model, content = state.model, state.document.content if state.document else None
    if kind is AnimationItem:
        return state.animations
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
    """The span of an item in its document or in an attached one, None if it has no bytes."""
    return None if document is None or item is None else document.holder(item).origin.span(item)
