"""The page of a model that emitters name: its file, and the emitters that use it."""

from __future__ import annotations

from viewer.scene.items import EmitterItem, Item
from viewer.scene.model import Model
from viewer.session.state import State
from viewer.ui.kit.theme import WARNING
from viewer.ui.kit.widgets import wrapped
from viewer.ui.outline.nodes import counted
from viewer.ui.properties.materials import found_in
from viewer.ui.properties.page_widgets import field, heading, jump, section


def reference_page(state: State, item: Item) -> None:
    """Draw the page of the model with that number, and the emitters that use it."""
    model, number = state.model, item.number
    if model is None or number >= len(model.references):
        return
    named = model.references[number]
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
        field(texture.name.replace("\\", "/").rpartition("/")[2], texture.path or "missing")
