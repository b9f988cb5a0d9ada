"""Adapts the view of a document to the document that was read again."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from viewer.scene.document import Document
from viewer.scene.items import BoneItem, Item
from viewer.scene.names import paired
from viewer.scene.parts import NAMED, names_of
from viewer.session.view import DocumentView


def carry_over(view: DocumentView, old_names: Callable[[type[Item]], Sequence[str]], new: Document) -> None:
    """Adapt morph weights, hidden geometries and the selection of a view to the document `new`, which was
    read again. `old_names` gives the names of the earlier document's items by kind.

    Items are matched by name, because their numbers may have changed. Settings of names that no longer exist
    are dropped.
    """
    tables = {kind: paired(old_names(kind), names_of(new, kind)) for kind in NAMED}
    morphs, geometries, bones = tables.values()
    weights = {morphs[n]: weight for n, weight in view.morphs.items() if n in morphs}
    view.morphs.clear()
    view.morphs.update(weights)
    hidden = {geometries[n] for n in view.hidden if n in geometries}
    view.hidden.clear()
    view.hidden.update(hidden)
    view.bone = bones.get(view.bone) if view.bone is not None else None
    view.trails = frozenset(
        BoneItem(bones[each.number]) if isinstance(each, BoneItem) else each
        for each in view.trails
        if not isinstance(each, BoneItem) or each.number in bones
    )
    picked = view.selection.picked
    if isinstance(picked, NAMED):
        number = tables[type(picked)].get(picked.number)
        view.selection.picked = None if number is None else picked.sibling(number)
