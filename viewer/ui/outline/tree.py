"""The contents of a document as the tree of the outline, optionally filtered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from viewer.scene.animation import Animation, listed
from viewer.scene.items import AnimationItem, BoneItem, Item, MaterialItem, MorphItem, TextureItem
from viewer.scene.material import Material
from viewer.scene.model import Model
from viewer.scene.shader import CompiledShader
from viewer.scene.skeleton import Skeleton
from viewer.ui.kit.tree_rows import Branch, Path
from viewer.ui.outline.nodes import (
    ANIMATION,
    BONE,
    GEOMETRY,
    MATERIAL,
    MORPH,
    TEXTURE,
    OutlineNode,
    geometry_nodes,
    parts,
    shader_parts,
)

MANY = 24
"""A section with more rows begins closed, except the bones."""


class OutlineTree(Struct):
    """The tree, and the path to each item in it."""

    tree: Branch[OutlineNode]
    paths: dict[Item, Path]


def outline(
    model: Model | None,
    skeleton: Skeleton | None,
    animations: Sequence[Animation],
    wanted: str,
    shader: CompiledShader | None = None,
) -> OutlineTree:
    """The sections of the document.

    With `wanted` (casefolded), only the matching rows and their ancestors.
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
                    _file(each.name), TextureItem(number), TEXTURE, missing=_nowhere(each.path, each.searched)
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
            for n in listed(animations)
        ),
    )


def _section(label: str, icon: str, rows: Iterable[OutlineNode]) -> OutlineNode:
    below = list(rows)
    return OutlineNode(label, None, icon, str(len(below)), below=below)


def _material(number: int, material: Material) -> OutlineNode:
    return OutlineNode(
        _file(material.name) or f"material {number}", MaterialItem(number), MATERIAL, missing=material.missing
    )


def _nowhere(path: str | None, searched: tuple[str, ...]) -> bool:
    return path is None and bool(searched)


def _file(name: str) -> str:
    return name.replace("\\", "/").rpartition("/")[2] or name


def _bones(skeleton: Skeleton) -> list[OutlineNode]:
    """The root bones with their descendants. It does not recurse: chains of bones may be long."""
    nodes = [
        OutlineNode(name or f"#{bone}", BoneItem(bone), BONE) for bone, name in enumerate(skeleton.names)
    ]
    roots: list[OutlineNode] = []
    for node, parent in zip(nodes, skeleton.parents.tolist(), strict=True):
        (roots if parent < 0 else nodes[parent].below).append(node)
    return roots


def _fitting(nodes: list[OutlineNode], wanted: str) -> list[OutlineNode]:
    """The matching nodes and their ancestors; descendants of a match are left out unless they match."""
    found = []
    for node in nodes:
        below = _fitting(node.below, wanted)
        if below or (node.item is not None and wanted in node.label.casefold()):
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
