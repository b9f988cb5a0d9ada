"""Items of the same name in two documents, whose numbers may differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from viewer.scene.document import Document
from viewer.scene.items import BoneItem, GeometryItem, GeosetItem, Item, MorphItem
from viewer.scene.model import Model, members
from viewer.scene.skeleton import Skeleton


def counterpart(item: Item | None, document: Document, other: Document) -> Item | None:
    """Find the bone, geometry, geoset or morph of `other` that has the name of an item of `document`; else
    None.
    """
    if isinstance(item, GeosetItem):
        return item if other.model is not None and members(other.model, item.number) else None
    if not isinstance(item, BoneItem | GeometryItem | MorphItem):
        return None
    kind = type(item)
    number = paired(names_of(document, kind), names_of(other, kind)).get(item.number)
    return None if number is None else item.sibling(number)


def names_of(document: Document, kind: type[Item]) -> Sequence[str]:
    """The names of all bones, geometries or morphs of a document, by number."""
    content = document.content
    if kind is BoneItem:
        skeleton = content.skeleton if isinstance(content, Model) else content
        return skeleton.names if isinstance(skeleton, Skeleton) else ()
    if not isinstance(content, Model):
        return ()
    return [each.name for each in (content.morphs if kind is MorphItem else content.geometries)]


def paired(one: Sequence[str], other: Sequence[str]) -> dict[int, int]:
    """Pair the names of `one` with their numbers in `other`; equal names are paired in order."""
    numbers = {name: number for number, name in enumerate(_numbered(other))}
    return {number: numbers[name] for number, name in enumerate(_numbered(one)) if name in numbers}


def _numbered(names: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Each name with the number of equal names before it."""
    seen: Counter[str] = Counter()
    for name in names:
        yield name, seen[name]
        seen[name] += 1
