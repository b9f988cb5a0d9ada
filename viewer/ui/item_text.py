"""Items of a document in words, and as the bytes that they are made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from viewer.binary.span import Span
from viewer.scene.document import Document, Item
from viewer.scene.shader import CompiledShader
from viewer.session.state import State


def item_title(state: State, item: Item) -> str:
    """`bone Bip01_Spine`, `vertex 17`: the kind and the name, or the number where it has none."""
    kind, number = str(item[0]), item[-1]
    found = _named(state, kind)
    name = getattr(found[number], "name", "") if isinstance(number, int) and number < len(found) else ""
    if kind == "bone" and state.skeleton is not None and isinstance(number, int):
        name = state.skeleton.names[number] if number < len(state.skeleton) else ""
    if kind == "byte" and isinstance(number, int):
        return f"byte 0x{number:X}"
    words = kind.replace("_", " ")
    return name if name.startswith(words) else f"{words} {name or number}"


def _named(state: State, kind: str) -> Sequence[Any]:
    model, content = state.model, state.document.content if state.document else None
    if kind == "animation":
        return state.animations
    if isinstance(content, CompiledShader):
        return {"parameter": content.parameters, "unit": content.units}.get(kind, ())
    if model is None:
        return ()
    kinds: dict[str, Sequence[Any]] = {
        "geometry": model.geometries,
        "material": model.materials,
        "texture": model.textures,
        "model": model.references,
        "morph": model.morphs,
        "camera": model.cameras,
        "attachment": model.attachments,
        "event": model.events,
    }
    return kinds.get(kind, ())


def bytes_of(document: Document | None, item: Item | None) -> Span | None:
    """The span of an item in its document or in one attached to it, None where it has none."""
    return None if document is None or item is None else document.holder(item).origin.span(item)
