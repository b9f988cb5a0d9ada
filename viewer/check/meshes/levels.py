"""Rules for levels of detail."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from viewer.check.check_context import CheckContext
from viewer.check.rule import MOST_ITEMS, Found, Rule, rounded
from viewer.scene.finding import Severity
from viewer.scene.items import LodItem
from viewer.scene.model import triangle_count


def coarse_levels(context: CheckContext) -> Iterator[Found]:
    """Report levels of detail with more triangles than the next finer level."""
    for index, geometry in enumerate(context.shapes.geometries):
        counts = [triangle_count(lod.primitive, lod.count) for lod in geometry.lods]
        levels = [level for level in range(1, len(counts)) if counts[level] > counts[level - 1]]
        if levels:
            first = levels[0]
            name = geometry.name or f"geometry {index}"
            text = (
                f"{name}: level {first} has {counts[first]} triangles, level {first - 1} has "
                f"{counts[first - 1]}"
            )
            yield Found(text, tuple(LodItem(index, level) for level in levels[:MOST_ITEMS]))


def level_distances(context: CheckContext) -> Iterator[Found]:
    """Report levels of detail that do not begin farther away than the next finer level."""
    if not context.shapes.lod_rule:
        return
    for index, geometry in enumerate(context.shapes.geometries):
        begins = np.array([max(lod.distance, 0.0) for lod in geometry.lods])
        off = np.flatnonzero(~(begins[1:] > begins[:-1])) + 1
        if len(off):
            level = int(off[0])
            text = (
                f"{geometry.name or f'geometry {index}'}: level {level} begins at {rounded(begins[level])}, "
                f"level {level - 1} begins at {rounded(begins[level - 1])}"
            )
            yield Found(text, tuple(LodItem(index, each) for each in off[:MOST_ITEMS].tolist()))


def level_materials(context: CheckContext) -> Iterator[Found]:
    """Report levels of detail that come from other files and have another material than the finest level."""
    materials = context.shapes.materials
    for index, geometry in enumerate(context.shapes.geometries):
        if geometry.material is None or geometry.material >= len(materials):
            continue
        own = materials[geometry.material].name
        levels = [level for level, lod in enumerate(geometry.lods) if lod.material not in ("", own)]
        if levels:
            other = geometry.lods[levels[0]].material
            name = geometry.name or f"geometry {index}"
            text = f"{name}: level {levels[0]} has the material {other}, not {own}"
            yield Found(text, tuple(LodItem(index, level) for level in levels[:MOST_ITEMS]))


RULES = (
    Rule(
        "mesh/level-order",
        Severity.WARNING,
        "A level of detail has more triangles than the next finer level",
        coarse_levels,
        {"": "Farther away the model costs more time instead of less."},
        "Sort the levels by their number of triangles, or make the level again.",
        "Body: level 2 has 900 triangles, level 1 has 400",
    ),
    Rule(
        "mesh/level-distance",
        Severity.WARNING,
        "A level of detail does not begin farther away than the next finer level",
        level_distances,
        {
            "Urho3D": "The next finer level is never drawn, or only at smaller distances than intended.",
            "OGRE": (
                "The engine searches levels in the order of their distances: some levels are never drawn."
            ),
            "": "Some levels are never drawn.",
        },
        "Give each level a larger distance than the next finer level.",
        "Body: level 2 begins at 10, level 1 begins at 20",
    ),
    Rule(
        "mesh/level-material",
        Severity.NOTE,
        "A level of detail has another material",
        level_materials,
        {"": "The mesh looks different at a distance, and each further material costs a draw call."},
        "Give the mesh of the level the same material, unless a simpler material is intended.",
        "Body: level 2 has the material Robot/Far, not Robot/Skin",
    ),
)
