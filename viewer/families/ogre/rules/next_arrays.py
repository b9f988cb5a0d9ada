"""Rules for the vertex arrays of OGRE-Next meshes: shadow passes, joints, levels without vertices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from viewer.arrays import Array
from viewer.binary.span import Rows, Span
from viewer.check.check_context import CheckContext
from viewer.check.rule import Found, Rule, listed, reported
from viewer.errors import Topic, counted
from viewer.families.ogre.next.layout import SUBMESH, VERTEX_ARRAY
from viewer.scene.finding import Severity
from viewer.scene.items import GeometryItem

FORMAT = "OGRE-Next mesh"


def repeated_shadows(context: CheckContext) -> Iterator[Found]:
    """Report levels of the shadow pass that repeat the beginning of the level before."""
    for number, part in _submeshes(context):
        drawn, shadows = _passes(part)
        levels = [
            level
            for level in range(1, min(len(drawn), len(shadows)))
            if _continues(shadows, level) and not _continues(drawn, level)
        ]
        if levels:
            which = f"{'level' if len(levels) == 1 else 'levels'} {listed([str(each) for each in levels])}"
            verb = "repeats" if len(levels) == 1 else "repeat"
            text = f"submesh {number}: {which} of the shadow pass {verb} the beginning of the level before"
            yield Found(text, (GeometryItem(number),), span=part)


def _submeshes(context: CheckContext) -> Iterator[tuple[int, Span]]:
    if context.document.format != FORMAT:
        return
    for number in range(len(context.shapes.geometries)):
        part = context.document.origin.span(GeometryItem(number))
        if part is not None and part.layout is SUBMESH:
            yield number, part


def _passes(submesh: Span) -> tuple[list[Array], list[Array]]:
    """Two lists of indices: for all levels of pass 0, and for all levels of pass 1."""
    arrays = submesh.part(VERTEX_ARRAY)
    levels = int(submesh.child("level_count").value) if arrays is not None else 0
    found = [_indices(each) for each in arrays.children] if arrays is not None else []
    return found[:levels], found[levels:]


def _indices(array: Span) -> Array:
    spans = [each for each in array.children if each.name == "indices"]
    rows = spans[0].children if spans else ()
    return rows.items if isinstance(rows, Rows) and rows.items is not None else np.empty(0, np.uint16)


def _continues(levels: Sequence[Array], level: int) -> bool:
    """Whether the indices of a level are the first indices of the level before."""
    own, before = levels[level], levels[level - 1]
    return 0 < len(own) <= len(before) and bool((own == before[: len(own)]).all())


def unused_joints(context: CheckContext) -> Iterator[Found]:
    """Report joints without weight that are not in the bone map."""
    if context.document.format != FORMAT:
        return
    for surface in context.surfaces:
        joints, weights = surface.attribute("joints"), surface.attribute("weights")
        bone_map = surface.geometry.bone_map
        if joints is None or weights is None or bone_map is None:
            continue
        used = np.zeros(joints.shape, bool)
        used[:, : weights.shape[1]] = weights[:, : joints.shape[1]] > 0
        odd = np.flatnonzero(((joints >= len(bone_map)) & ~used).any(axis=1))
        if len(odd):
            first = int(odd[0])
            joint = int(joints[first].max())
            entries = counted(len(bone_map), "entry", "entries")
            text = (
                f"{len(odd)} of {len(joints)} vertices of {surface.name} have joints without weight that "
                f"are not in the bone map (first #{int(surface.rows[first])}: joint {joint}; the map has "
                f"{entries})"
            )
            yield Found(text, (GeometryItem(surface.number),))


RULES = (
    Rule(
        "mesh/shadow-level",
        Severity.WARNING,
        "A level of the shadow pass repeats the level before",
        repeated_shadows,
        {"OGRE-Next": "The shadow of the level has holes, because most of its triangles are missing."},
        "Convert the mesh again without a pass for shadows, or with a newer OgreMeshTool.",
        "submesh 0: levels 2, 4, 6 of the shadow pass repeat the beginning of the level before",
        after="mesh/level-material",
    ),
    Rule(
        "mesh/unused-joint",
        Severity.NOTE,
        "A joint without weight is not in the bone map",
        unused_joints,
        {"OGRE-Next": "The joint moves nothing, but a program that reads all joints of a vertex may fail."},
        "Write 0 for joints without weight.",
        "12 of 251 vertices of Body have joints without weight that are not in the bone map (first #0: joint "
        "59; the map has 12 entries)",
    ),
    Rule(
        "mesh/empty-level",
        Severity.WARNING,
        "A level of detail has no vertices",
        reported(Topic.LEVEL),
        {"": "The level is not drawn: the model vanishes at its distance, or the engine refuses the file."},
        "Export the mesh again, or remove the level.",
        "submesh 0, level 1 has no vertices and is left out",
    ),
)
