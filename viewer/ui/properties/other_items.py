"""The pages of morphs, animations, and other items that have bytes."""

from __future__ import annotations

from viewer.scene.animation import match
from viewer.scene.items import Item
from viewer.session.state import State
from viewer.ui.item_text import bytes_of
from viewer.ui.properties.page_widgets import field, heading, missing, section, table
from viewer.ui.value_text import value_text


def morph_page(state: State, item: Item) -> None:
    """Draw the page of a morph."""
    model, number = state.model, item.number
    if model is None or number >= len(model.morphs):
        return
    morph = model.morphs[number]
    heading(state, item)
    field("Weight", f"{state.view.morphs.get(number, morph.weight):.4g}")
    field("In the file", f"{morph.weight:.4g}", "weight in the file")
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
    """Draw the page of an animation: its duration, keys and matched tracks."""
    number, offered = item.number, state.animations
    if number >= len(offered):
        return
    animation = offered[number]
    heading(state, item)
    field("Length", f"{animation.duration:.4g} s")
    field("Tracks", str(len(animation.targets)))
    field("Keyframes", str(animation.keyframes))
    field("Values", animation.composition.value)
    if animation.source:
        field("File", animation.source)
    found = match(animation, state.skeleton.names) if state.skeleton else None
    if found is not None:
        field("Bones", found.text)
        with section("Tracks without a bone", opened=bool(found.unmatched)) as shown:
            if shown and found.unmatched:
                table("unmatched", ("name",), [(name,) for name in found.unmatched])
            elif shown:
                missing("None.")
    if animation.events:
        with section("Triggers") as shown:
            if shown:
                table("events", ("time", "name"), [(f"{e.time:.4g}", e.name) for e in animation.events])


def bytes_page(state: State, item: Item) -> None:
    """Draw the page of any other item that has bytes in the file."""
    heading(state, item)
    span = bytes_of(state.selection.source or state.document, item)
    if span is None:
        return
    if span.value is not None:
        field("Value", value_text(span.value))
    if span.note:
        field("Meaning", span.note)
    for child in span.children[:40]:
        field(child.name, value_text(child.value) or child.type, child.note)
