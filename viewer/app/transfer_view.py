"""Transfers the user's settings for a document to its reloaded version."""

from __future__ import annotations

from collections.abc import Sequence

from viewer.scene.document import Document
from viewer.scene.items import BoneItem, GeometryItem, Item, MorphItem
from viewer.scene.model import Model
from viewer.scene.skeleton import Skeleton
from viewer.session.state import State


def carry_over(state: State, old: Document, new: Document) -> None:
    """Keep morphs, hidden geometries and the selection by name, because numbers may have changed.

    Settings of names that no longer exist are dropped. `new` is in the State already.
    """
    view = state.view_of(new)
    morphs, geometries, bones = (
        _moved(_names(old, kind), _names(new, kind)) for kind in (MorphItem, GeometryItem, BoneItem)
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


def _names(document: Document, kind: type[Item]) -> Sequence[str]:
    content = document.content
    if kind is BoneItem:
        skeleton = content.skeleton if isinstance(content, Model) else content
        return skeleton.names if isinstance(skeleton, Skeleton) else ()
    if not isinstance(content, Model):
        return ()
    return [each.name for each in (content.morphs if kind is MorphItem else content.geometries)]


def _moved(old: Sequence[str], new: Sequence[str]) -> dict[int, int]:
    """The new number of each old one; duplicate names map to the first, unless the names are unchanged."""
    if list(old) == list(new):
        return {number: number for number in range(len(old))}
    numbers = {name: number for number, name in reversed(list(enumerate(new)))}
    return {number: numbers[name] for number, name in enumerate(old) if name in numbers}
