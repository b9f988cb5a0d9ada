"""The tree of the Outline panel: the parts of a document, optionally filtered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct, field

from viewer.scene.animation import Animation, listing_order
from viewer.scene.items import (
    AnimationItem,
    AttachmentItem,
    BoneItem,
    CameraItem,
    EmitterItem,
    EventItem,
    GeometryItem,
    GeosetItem,
    Item,
    LightItem,
    LodItem,
    MarkerItem,
    MaterialItem,
    ModelItem,
    MorphItem,
    ParameterItem,
    RibbonItem,
    TextureItem,
    UnitItem,
)
from viewer.scene.material import Material
from viewer.scene.model import TRIANGULAR, Lod, Model, triangle_count, variants
from viewer.scene.shader import CompiledShader
from viewer.scene.skeleton import Skeleton
from viewer.scene.text_filter import TextFilter
from viewer.ui.item_text import geometry_name, short_name
from viewer.ui.kit.texts import grouped
from viewer.ui.kit.tree_rows import Branch, Path
from viewer.view.item_points import Marker, markers_of

GEOMETRY, LOD, BONE, MATERIAL, TEXTURE, MORPH, ANIMATION = (
    "\uf1b2",
    "\uf5fd",
    "\uf5d7",
    "\uf53f",
    "\uf03e",
    "\uf118",
    "\uf008",
)
CAMERA, VALUE, MODEL = "\uf03d", "\uf1de", "\uf1b3"
MARKER_KINDS: dict[type[MarkerItem], tuple[str, str]] = {
    AttachmentItem: ("Attachments", "\uf0c1"),
    EventItem: ("Events", "\uf0e7"),
    LightItem: ("Lights", "\uf0eb"),
    EmitterItem: ("Emitters", "\uf06d"),
    RibbonItem: ("Ribbons", "\uf72e"),
}
"""Section title and icon for each kind of marker."""


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
    if not found.keys() - {-1}:
        return [_geometry(model, number) for number in range(len(model.geometries))]
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
        yield OutlineNode(owner, None, MODEL, detail, below=below)


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


def parts(model: Model) -> Iterator[OutlineNode]:
    """Yield the sections for cameras, markers and referenced models."""
    cameras = [
        OutlineNode(each.name, CameraItem(n), CAMERA, "moves" if each.motion else "")
        for n, each in enumerate(model.cameras)
    ]
    yield OutlineNode("Cameras", None, CAMERA, str(len(cameras)), below=cameras)
    known: dict[type[MarkerItem], list[Marker]] = {}
    for marker in markers_of(model):
        known.setdefault(type(marker.item), []).append(marker)
    for kind, some in known.items():
        title, icon = MARKER_KINDS[kind]
        below = [OutlineNode(marker.name, marker.item, icon) for marker in some]
        yield OutlineNode(title, None, icon, str(len(below)), below=below)
    named = [
        OutlineNode(each.bare_name, ModelItem(n), MODEL, missing=each.model is None)
        for n, each in enumerate(model.references)
    ]
    if named:
        yield OutlineNode("Models of particles", None, MODEL, str(len(named)), below=named)


def shader_parts(shader: CompiledShader) -> Iterator[OutlineNode]:
    """Yield the sections for the parameters and texture units of a compiled shader."""
    values = [
        OutlineNode(each.name, ParameterItem(n), VALUE, each.register)
        for n, each in enumerate(shader.parameters)
    ]
    yield OutlineNode("Parameters", None, VALUE, str(len(values)), below=values)
    units = [
        OutlineNode(each.name, UnitItem(n), TEXTURE, each.register) for n, each in enumerate(shader.units)
    ]
    yield OutlineNode("Texture units", None, TEXTURE, str(len(units)), below=units)


MANY = 24
"""A section with at most this number of rows is open at first. The section of the bones is always open at
first.
"""


class OutlineTree(Struct):
    """The tree, and the path of each item in it."""

    tree: Branch[OutlineNode]
    paths: dict[Item, Path]


def outline(
    model: Model | None,
    skeleton: Skeleton | None,
    animations: Sequence[Animation],
    wanted: TextFilter,
    shader: CompiledShader | None = None,
) -> OutlineTree:
    """Build the tree of a document.

    With a filter it has only the rows whose labels have all words, and their ancestors.
    """
    found = (*_sections(model, skeleton, animations), *(shader_parts(shader) if shader else ()))
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


def _sections(
    model: Model | None, skeleton: Skeleton | None, animations: Sequence[Animation]
) -> Iterable[OutlineNode]:
    if model is not None:
        yield OutlineNode(
            "Geometries", None, GEOMETRY, str(len(model.geometries)), below=geometry_nodes(model)
        )
    if skeleton is not None:
        yield OutlineNode("Bones", None, BONE, str(len(skeleton)), below=_bones(skeleton))
    if model is not None:
        yield _section("Materials", MATERIAL, map(_material, range(len(model.materials)), model.materials))
        yield _section(
            "Textures",
            TEXTURE,
            (
                OutlineNode(
                    short_name(each.name),
                    TextureItem(number),
                    TEXTURE,
                    missing=_nowhere(each.path, each.searched),
                )
                for number, each in enumerate(model.textures)
            ),
        )
        yield _section(
            "Morphs",
            MORPH,
            (OutlineNode(each.name or f"#{n}", MorphItem(n), MORPH) for n, each in enumerate(model.morphs)),
        )
        yield from parts(model)
    yield _section(
        "Animations",
        ANIMATION,
        (
            OutlineNode(
                animations[n].name or f"#{n}", AnimationItem(n), ANIMATION, f"{animations[n].duration:.2f} s"
            )
            for n in listing_order(animations)
        ),
    )


def _section(label: str, icon: str, rows: Iterable[OutlineNode]) -> OutlineNode:
    below = list(rows)
    return OutlineNode(label, None, icon, str(len(below)), below=below)


def _material(number: int, material: Material) -> OutlineNode:
    return OutlineNode(
        short_name(material.name) or f"material {number}",
        MaterialItem(number),
        MATERIAL,
        missing=material.missing,
    )


def _nowhere(path: str | None, searched: tuple[str, ...]) -> bool:
    return path is None and bool(searched)


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
