"""The tree of the Outline panel: the parts of a document, optionally filtered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct, field

from viewer.scene.items import BoneItem, GeometryItem, GeosetItem, Item, LodItem
from viewer.scene.model import TRIANGULAR, Lod, Model, triangle_count, variants
from viewer.scene.parts import MODEL_ICON, PART_KINDS, PartKind, PartOwner, geometry_name
from viewer.scene.skeleton import Skeleton
from viewer.scene.text_filter import EVERYTHING, TextFilter
from viewer.ui.kit.texts import grouped
from viewer.ui.kit.tree_rows import Branch, Path

LOD = "\uf5fd"
GEOMETRY, BONE = PART_KINDS[GeometryItem].icon, PART_KINDS[BoneItem].icon


class OutlineNode(Struct, eq=False):
    """A row: its item (None for a section), the detail at its right end, and its children `below`.

    If `missing`, the file of the item was not found.
    """

    label: str
    item: Item | None = None
    icon: str = ""
    detail: str = ""
    missing: bool = False
    below: list[OutlineNode] = field(default_factory=list)


def geometry_nodes(model: Model) -> list[OutlineNode]:
    """Make a row for each geometry.

    A model with geosets gets rows for the geometries of the body, then one row for each group, with the
    variants of the group below it.
    """
    found = variants(model)
    nodes = [_geometry(model, number) for number in found.get(-1, {}).get(0, [])]
    for group, geosets in found.items():
        if group >= 0:
            title = model.geoset_groups.get(group, f"group {group}")
            below = [_variant(model, geoset, numbers) for geoset, numbers in geosets.items()]
            detail = f"{len(below)} variant{'' if len(below) == 1 else 's'}"
            nodes.append(OutlineNode(title, None, GEOMETRY, detail, below=below))
    return [*nodes, *_attached(model)]


def _attached(model: Model) -> Iterator[OutlineNode]:
    """Yield a row for each attached model, with its geometries below it."""
    owned: dict[str, list[int]] = {}
    for number, each in enumerate(model.geometries):
        if each.geoset is None:
            owned.setdefault(each.owner, []).append(number)
    for owner, numbers in owned.items():
        if not owner:
            yield from (_geometry(model, number) for number in numbers)
            continue
        below = [_geometry(model, number) for number in numbers]
        detail = counted(*(lod for number in numbers for lod in model.geometries[number].lods[:1]))
        yield OutlineNode(owner, None, MODEL_ICON, detail, below=below)


def _variant(model: Model, geoset: int, numbers: Sequence[int]) -> OutlineNode:
    below = [_geometry(model, number) for number in numbers]
    detail = counted(*(lod for number in numbers for lod in model.geometries[number].lods[:1]))
    return OutlineNode(f"geoset {geoset}", GeosetItem(geoset), GEOMETRY, detail, below=below)


def _geometry(model: Model, number: int) -> OutlineNode:
    geometry = model.geometries[number]
    levels = [
        OutlineNode(f"level {n}", LodItem(number, n), LOD, counted(lod))
        for n, lod in enumerate(geometry.lods)
    ]
    detail = counted(geometry.lods[0]) if geometry.lods else ""
    name = geometry_name(model, number)
    return OutlineNode(name, GeometryItem(number), GEOMETRY, detail, below=levels if len(levels) > 1 else [])


def counted(*lods: Lod) -> str:
    """Count the triangles of levels of detail: `3 780 tris`. For other primitives, count the indices."""
    sums: Counter[str] = Counter()
    for lod in lods:
        triangular = lod.primitive in TRIANGULAR
        count = triangle_count(lod.primitive, lod.count) if triangular else lod.count
        sums["tris" if triangular else lod.primitive.value] += count
    return ", ".join(f"{grouped(count)} {kind}" for kind, count in sums.items())


MANY = 24
"""A section with at most this number of rows is open at first. The section of the bones is always open at
first.
"""


class OutlineTree(Struct):
    """The tree, and the path of each item in it."""

    tree: Branch[OutlineNode]
    paths: dict[Item, Path]


def outline(owner: PartOwner, wanted: TextFilter = EVERYTHING) -> OutlineTree:
    """Build the tree of a document.

    With a filter it has only the rows whose labels have all words, and their ancestors.
    """
    found = (_section(kind, owner) for kind in PART_KINDS.values())
    sections = [each for each in found if each.below]
    if wanted:
        sections = _fitting(sections, wanted)
    tree = Branch(sections, lambda node: node.below)
    for number, section in enumerate(sections):
        bones = section.icon == BONE
        if wanted or bones:
            tree.open(number).open_all()
        elif len(section.below) <= MANY:
            tree.open(number)
    return OutlineTree(tree, _paths(sections))


def _section(kind: PartKind, owner: PartOwner) -> OutlineNode:
    """Make the section of a kind, with a row for each part."""
    parts = kind.parts(owner)
    if kind.item is GeometryItem:
        below = geometry_nodes(owner.model)
    elif kind.item is BoneItem and owner.model.skeleton is not None:
        below = _bones(owner.model.skeleton)
    else:
        below = [
            OutlineNode(
                kind.label(number, parts[number]),
                kind.item(number),
                kind.icon,
                kind.detail(parts[number]),
                kind.lost(parts[number]),
            )
            for number in kind.order(parts)
        ]
    return OutlineNode(kind.plural.capitalize(), None, kind.icon, str(len(parts)), below=below)


def _bones(skeleton: Skeleton) -> list[OutlineNode]:
    """Make the rows of the root bones and all their descendants, without recursion, because chains of bones
    may be long.
    """
    nodes = [
        OutlineNode(name or f"#{bone}", BoneItem(bone), BONE) for bone, name in enumerate(skeleton.names)
    ]
    roots: list[OutlineNode] = []
    for node, parent in zip(nodes, skeleton.parents.tolist(), strict=True):
        (roots if parent < 0 else nodes[parent].below).append(node)
    return roots


def _fitting(nodes: list[OutlineNode], wanted: TextFilter) -> list[OutlineNode]:
    """Copy the matching nodes and their ancestors.

    A descendant of a match is copied only if it matches too.
    """
    found = []
    for node in nodes:
        below = _fitting(node.below, wanted)
        if below or (node.item is not None and wanted.fits(node.label)):
            found.append(OutlineNode(node.label, node.item, node.icon, node.detail, node.missing, below))
    return found


def _paths(sections: list[OutlineNode]) -> dict[Item, Path]:
    found: dict[Item, Path] = {}
    waiting: list[tuple[list[OutlineNode], Path]] = [(sections, ())]
    while waiting:
        nodes, above = waiting.pop()
        for number, node in enumerate(nodes):
            if node.item is not None:
                found[node.item] = (*above, number)
            if node.below:
                waiting.append((node.below, (*above, number)))
    return found
