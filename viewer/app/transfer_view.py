"""Transfers the user's settings for a document to its reloaded version."""

from __future__ import annotations

from viewer.scene.counterparts import names_of, paired
from viewer.scene.document import Document
from viewer.scene.items import BoneItem, GeometryItem, Item, MorphItem
from viewer.session.state import State


def carry_over(state: State, old: Document, new: Document) -> None:
    """Keep morphs, hidden geometries and the selection by name, because numbers may have changed.

    Settings of names that no longer exist are dropped. `new` is in the State already.
    """
    view = state.view_of(new)
    morphs, geometries, bones = (
        paired(names_of(old, kind), names_of(new, kind)) for kind in (MorphItem, GeometryItem, BoneItem)
    )
    weights = {morphs[n]: weight for n, weight in view.morphs.items() if n in morphs}
    view.morphs.clear()
    view.morphs.update(weights)
    hidden = {geometries[n] for n in view.hidden if n in geometries}
    view.hidden.clear()
    view.hidden.update(hidden)
    view.bone = bones.get(view.bone) if view.bone is not None else None
    tables: dict[type[Item], dict[int, int]] = {
        MorphItem: morphs,
        GeometryItem: geometries,
        BoneItem: bones,
    }
    picked = view.selection.picked
    if isinstance(picked, MorphItem | GeometryItem | BoneItem):
        number = tables[type(picked)].get(picked.number)
        view.selection.picked = None if number is None else picked.sibling(number)
