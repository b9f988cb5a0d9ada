"""What a document holds, as the tree of the outline; and that tree narrowed to what fits a filter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial

from viewer.scene.animation import Animation
from viewer.scene.document import Item
from viewer.scene.material import Material
from viewer.scene.model import TRIANGULAR, Geometry, Lod, Model
from viewer.scene.skeleton import Skeleton
from viewer.ui.tree import Branch, Path

GEOMETRY, LOD, BONE, MATERIAL, TEXTURE, MORPH, ANIMATION, EMITTER, RIBBON = (
    "\uf1b2",
    "\uf5fd",
    "\uf5d7",
    "\uf53f",
    "\uf03e",
    "\uf118",
    "\uf008",
    "\uf06d",
    "\uf72e",
)
MANY = 24
"""A section of more rows begins closed, but for the bones."""


@dataclass(slots=True, eq=False)
class Node:
    """A row: what it is, what stands at its right end, and what is below it. `missing`: it was looked for and
    is nowhere. A section is no item."""

    label: str
    item: Item | None = None
    icon: str = ""
    detail: str = ""
    missing: bool = False
    below: list[Node] = field(default_factory=list)


@dataclass(slots=True)
class Outline:
    """The tree, and the way to each item in it."""

    tree: Branch[Node]
    paths: dict[Item, Path]


def outline(
    model: Model | None, skeleton: Skeleton | None, animations: Sequence[Animation], wanted: str
) -> Outline:
    """Sections of all that is there; `wanted` (casefolded): only what has it in its name, and what is above
    that."""
    sections = [each for each in _sections(model, skeleton, animations) if each.below]
    if wanted:
        sections = _fitting(sections, wanted)
    tree = Branch(sections, lambda node: node.below)
    for number, section in enumerate(sections):
        bones = section.icon == BONE
        if wanted or bones:
            tree.open(number).open_all()
        elif len(section.below) <= MANY:
            tree.open(number)
    return Outline(tree, _paths(sections))


def _sections(
    model: Model | None, skeleton: Skeleton | None, animations: Sequence[Animation]
) -> Iterable[Node]:
    if model is not None:
        yield _section("Geometries", GEOMETRY, map(_geometry, range(len(model.geometries)), model.geometries))
    if skeleton is not None:
        yield Node("Bones", None, BONE, str(len(skeleton)), below=_bones(skeleton))
    if model is not None:
        yield _section("Materials", MATERIAL, map(_material, range(len(model.materials)), model.materials))
        yield _section(
            "Textures",
            TEXTURE,
            (
                Node(
                    _file(each.name), ("texture", number), TEXTURE, missing=_nowhere(each.path, each.searched)
                )
                for number, each in enumerate(model.textures)
            ),
        )
        yield _section(
            "Morphs",
            MORPH,
            (Node(each.name or f"#{n}", ("morph", n), MORPH) for n, each in enumerate(model.morphs)),
        )
        yield _section("Emitters", EMITTER, map(partial(_emitter, model), range(len(model.emitters))))
        yield _section("Ribbons", RIBBON, map(partial(_ribbon, model), range(len(model.ribbons))))
    yield _section(
        "Animations",
        ANIMATION,
        (
            Node(each.name or f"#{n}", ("animation", n), ANIMATION, f"{each.duration:.2f} s")
            for n, each in enumerate(animations)
        ),
    )


def _section(label: str, icon: str, rows: Iterable[Node]) -> Node:
    below = list(rows)
    return Node(label, None, icon, str(len(below)), below=below)


def _geometry(number: int, geometry: Geometry) -> Node:
    levels = [
        Node(f"level {n}", ("lod", number, n), LOD, counted(lod)) for n, lod in enumerate(geometry.lods)
    ]
    detail = counted(geometry.lods[0]) if geometry.lods else ""
    name = geometry.name or f"geometry {number}"
    return Node(name, ("geometry", number), GEOMETRY, detail, below=levels if len(levels) > 1 else [])


def counted(lod: Lod) -> str:
    """`3 780 tris`, or how many indices where they make no triangles."""
    each, before = TRIANGULAR.get(lod.primitive, (0, 0))
    if not each:
        return f"{lod.count:,} {lod.primitive.value}".replace(",", " ")
    return f"{max(lod.count - before, 0) // each:,} tris".replace(",", " ")


def _material(number: int, material: Material) -> Node:
    return Node(
        _file(material.name) or f"material {number}", ("material", number), MATERIAL, missing=material.missing
    )


def _emitter(model: Model, number: int) -> Node:
    """What it is painted with tells more than its number; what it is stands at the end."""
    emitter = model.emitters[number]
    name = _stem(model, emitter.texture)
    return Node(
        f"{number} {name}".strip(), ("emitter", number), EMITTER, emitter.type, bool(emitter.troubles)
    )


def _ribbon(model: Model, number: int) -> Node:
    ribbon = model.ribbons[number]
    name = _stem(model, ribbon.textures[0]) if ribbon.textures else ""
    return Node(f"{number} {name}".strip(), ("ribbon", number), RIBBON, "", bool(ribbon.troubles))


def _stem(model: Model, texture: int) -> str:
    """The name of a texture, nothing where there is no such texture."""
    known = 0 <= texture < len(model.textures)
    return _file(model.textures[texture].name).partition(".")[0] if known else ""


def _nowhere(path: str | None, searched: tuple[str, ...]) -> bool:
    return path is None and bool(searched)


def _file(name: str) -> str:
    return name.replace("\\", "/").rpartition("/")[2] or name


def _bones(skeleton: Skeleton) -> list[Node]:
    """The roots, the others below them. No recursion: chains of bones may be long."""
    nodes = [Node(name or f"#{bone}", ("bone", bone), BONE) for bone, name in enumerate(skeleton.names)]
    roots: list[Node] = []
    for node, parent in zip(nodes, skeleton.parents.tolist(), strict=True):
        (roots if parent < 0 else nodes[parent].below).append(node)
    return roots


def _fitting(nodes: list[Node], wanted: str) -> list[Node]:
    """The nodes that fit, and those above them; what is below a fitting one is left out unless it fits."""
    found = []
    for node in nodes:
        below = _fitting(node.below, wanted)
        if below or (node.item is not None and wanted in node.label.casefold()):
            found.append(Node(node.label, node.item, node.icon, node.detail, node.missing, below))
    return found


def _paths(sections: list[Node]) -> dict[Item, Path]:
    found: dict[Item, Path] = {}
    waiting: list[tuple[list[Node], Path]] = [(sections, ())]
    while waiting:
        nodes, above = waiting.pop()
        for number, node in enumerate(nodes):
            if node.item is not None:
                found[node.item] = (*above, number)
            if node.below:
                waiting.append((node.below, (*above, number)))
    return found
