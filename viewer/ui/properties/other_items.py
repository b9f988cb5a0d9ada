"""The pages of morphs, animations and referenced models, and of other items with bytes."""

from __future__ import annotations

from typing import Any

import numpy as np

from viewer.scene.animation import Animation, match
from viewer.scene.emitter import ModelReference
from viewer.scene.items import EmitterItem, Item
from viewer.scene.model import Model, Morph
from viewer.scene.names import short_name
from viewer.session.state import State
from viewer.ui.item_text import bytes_of, shown_part
from viewer.ui.kit.texts import ExactText, value_text
from viewer.ui.kit.theme import WARNING
from viewer.ui.kit.widgets import wrapped
from viewer.ui.outline.tree import counted
from viewer.ui.properties.materials import found_in
from viewer.ui.properties.page_widgets import array_text, field, heading, jump, section, short, table


def reference_page(state: State, item: Item) -> None:
    """Draw the page of a referenced model with links to the emitters that use it."""
    model = state.model
    named: ModelReference[Model] | None = shown_part(state, item)
    if model is None or named is None:
        return
    heading(state, item)
    if named.trouble and not named.missing:
        wrapped(f"The model {named.trouble}.", WARNING)
    if named.path or named.searched:
        found_in(state, named.path, named.searched)
    if named.model is not None:
        _inside(named.model)
        field("Plays", "nothing" if named.animation is None else named.animation.name)
    with section("Used by") as shown:
        for user, each in enumerate(model.emitters if shown else ()):
            if named in (each.shape, each.carries):
                jump(state, EmitterItem(user), f"emitter {user}: each particle {_use(each.shape is named)}")


def _use(is_shape: bool) -> str:
    return "is this model" if is_shape else "carries its emitters"


def _inside(model: Model) -> None:
    field(
        "Geometries",
        str(len(model.geometries)),
        counted(*(each.lods[0] for each in model.geometries if each.lods)),
    )
    field("Bones", str(len(model.skeleton) if model.skeleton else 0))
    field("Emitters", str(len(model.emitters)))
    for texture in model.textures:
        field(short_name(texture.name), texture.path or "missing")


def morph_page(state: State, item: Item) -> None:
    """Draw the page of a morph."""
    morph: Morph | None = shown_part(state, item)
    if morph is None:
        return
    heading(state, item)
    field("Weight", short(state.view.morphs.get(item.number, morph.weight)))
    field("In the file", array_text(morph.weight), "Weight in the file")
    field("Vertices", str(morph.vertices))
    rows = [
        (
            str(target.buffer),
            str(len(target.vertices)),
            _moves(target.positions, target.normals, target.tangents),
        )
        for target in morph.targets
    ]
    table("targets", ("buffer", "vertices", "changes"), rows)


def _moves(positions: object, normals: object, tangents: object) -> str:
    named = {"position": positions, "normal": normals, "tangent": tangents}
    return " ".join(name for name, deltas in named.items() if deltas is not None)


def animation_page(state: State, item: Item) -> None:
    """Draw the page of an animation: its length, keyframes, matched tracks and events."""
    animation: Animation | None = shown_part(state, item)
    if animation is None:
        return
    heading(state, item)
    field("Length", ExactText.of(f"{animation.duration:.4g} s", animation.duration))
    field("Tracks", str(len(animation.targets)))
    field("Keyframes", str(animation.keyframes))
    field("Values", animation.composition.value)
    if animation.source:
        field("File", animation.source)
    elif animation.missing_file is not None:
        found_in(state, None, animation.missing_file.searched)
    found = match(animation, state.skeleton.names) if state.skeleton else None
    if found is not None:
        field("Bones", found.text)
        if found.unmatched:
            with section("Tracks without a bone") as shown:
                if shown:
                    table("unmatched", ("name",), [(name,) for name in found.unmatched])
    if animation.events:
        with section("Events") as shown:
            if shown:
                table("events", ("time", "name"), [(array_text(e.time), e.name) for e in animation.events])


def bytes_page(state: State, item: Item) -> None:
    """Draw the page of an item that has no other page: the values of its bytes."""
    heading(state, item)
    span = bytes_of(state.view.selection.source or state.document, item)
    if span is None:
        return
    if span.value is not None:
        field("Value", _exact(span.value))
    if span.note:
        field("Meaning", span.note)
    for child in span.children[:40]:
        field(child.name, _exact(child.value) or child.type, child.note)


def _exact(value: Any) -> str:
    """The text of a value of the file. When it is copied, numbers have all their digits."""
    plain = isinstance(value, float | np.number) or (isinstance(value, np.ndarray) and not value.dtype.names)
    return ExactText.of(value_text(value), value) if plain else value_text(value)
