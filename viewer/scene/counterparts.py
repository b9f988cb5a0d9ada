"""Items of the same name in two documents, whose numbers may differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from viewer.scene.document import Document
from viewer.scene.geosets import members
from viewer.scene.items import BoneItem, GeometryItem, GeosetItem, Item, MorphItem
from viewer.scene.model import Geometry, Model
from viewer.scene.skeleton import Skeleton


def counterpart(item: Item | None, document: Document, other: Document) -> Item | None:
    """The bone, geometry, geoset or morph of `other` with the name of an item of `document`; None if there is
    none.
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


def geometry_pairs(one: Model, other: Model) -> list[tuple[int, int]]:
    """The numbers of the geometries that belong together in two models: those of the same name, then the rest
    in their order.

    Where names only number the geometries and one is missing, those with as many indices belong together
    first.
    """
    names = [[each.name for each in model.geometries] for model in (one, other)]
    if len(names[0]) != len(names[1]) and all(map(_are_numbered, names)):
        names = [[_size(each) for each in model.geometries] for model in (one, other)]
    pairs = paired(*names)
    taken = set(pairs.values())
    free = iter([number for number in range(len(names[1])) if number not in taken])
    left = (number for number in range(len(names[0])) if number not in pairs)
    return sorted([*pairs.items(), *zip(left, free, strict=False)])


def _are_numbered(names: Sequence[str]) -> bool:
    """Whether each name is a word and the number of the geometry."""
    return all(name.endswith(f" {number}") for number, name in enumerate(names))


def _size(geometry: Geometry) -> str:
    return " ".join(str(lod.count) for lod in geometry.lods)


def paired(one: Sequence[str], other: Sequence[str]) -> dict[int, int]:
    """The number in `other` of each name in `one`; of equal names the first belongs to the first, the second
    to the second.
    """
    numbers = {name: number for number, name in enumerate(_numbered(other))}
    return {number: numbers[name] for number, name in enumerate(_numbered(one)) if name in numbers}


def _numbered(names: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Each name, and how many equal names are before it."""
    seen: Counter[str] = Counter()
    for name in names:
        yield name, seen[name]
        seen[name] += 1
