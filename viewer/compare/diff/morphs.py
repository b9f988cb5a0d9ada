"""Compares morphs, and the shapes of vertex animations, which replace positions."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from viewer.arrays import Array
from viewer.compare.diff.deviation import rounded
from viewer.compare.diff.pair import DocumentPair
from viewer.compare.diff.values import changed_values
from viewer.errors import counted
from viewer.scene.difference import Change, Difference, DifferenceGroup, one_sided
from viewer.scene.items import MorphItem
from viewer.scene.maths import distinct, lengths
from viewer.scene.model import Morph, MorphTarget
from viewer.scene.names import paired

MORPHS = DifferenceGroup.MORPHS
POSITIONS = "positions"
ATTRIBUTES = (POSITIONS, "normals", "tangents")


def morph_differences(pair: DocumentPair) -> Iterator[Difference]:
    """Find the differences of morphs with the same name, and of the shapes of vertex animations."""
    sides = first, second = pair.first.morphs, pair.second.morphs
    names = [[each.name for each in side] for side in sides]
    pairs = paired(*names)
    yield from one_sided(
        MORPHS,
        MorphItem,
        names,
        pairs,
        lambda side, row: counted(sides[side][row].vertices, "vertex", "vertices"),
    )
    for row, partner in pairs.items():
        items = (MorphItem(row),), (MorphItem(partner),)
        for text, amount, unit in _changes(pair, first[row], second[partner]):
            yield Difference(MORPHS, Change.CHANGED, first[row].name, text, amount, unit, (), *items)
    if pair.related:
        for text in changed_values(pair.first.shapes, pair.second.shapes, pair.tolerance, "shapes"):
            yield Difference(MORPHS, Change.CHANGED, "shapes", text)


def _changes(pair: DocumentPair, one: Morph, other: Morph) -> Iterator[tuple[str, float, str]]:
    """Yield three values for each difference of a morph: its text, the largest deviation, and the unit."""
    if abs(one.weight - other.weight) > pair.tolerance.weight:
        yield f"weight {one.weight:.4g} → {other.weight:.4g}", abs(one.weight - other.weight), ""
    targets = {each.buffer: each for each in one.targets}
    others = {pair.buffer_of(each.buffer): each for each in other.targets}
    different = False
    alike = pair.first.morph_normals == pair.second.morph_normals
    for attribute in ATTRIBUTES if alike else (POSITIONS,):
        limit = pair.tolerance.distance if attribute == POSITIONS else pair.tolerance.weight
        count, most = 0, 0.0
        for buffer in sorted(targets.keys() | others.keys()):
            deviations = _deviations(pair, targets.get(buffer), others.get(buffer), attribute)
            count += int(np.count_nonzero(deviations > limit))
            most = max(most, float(deviations.max(initial=0)))
        different |= count > 0
        if count and attribute == POSITIONS:
            vertices = counted(count, "vertex moves", "vertices move")
            yield f"{vertices} to another position, at most {rounded(most)} apart", most, "units"
        elif count:
            vertices = counted(count, "vertex", "vertices")
            yield f"{attribute} of {vertices} change differently, by up to {rounded(most)}", most, ""
    if not different and one.vertices != other.vertices:
        yield f"{one.vertices} → {counted(other.vertices, 'vertex', 'vertices')}", 0.0, ""


def _deviations(
    pair: DocumentPair, one: MorphTarget | None, other: MorphTarget | None, attribute: str
) -> Array:
    """[K]: the distances between the deltas of two morphs, for each vertex that at least one of the morphs
    changes.
    """
    first, second = _deltas(one, attribute), _deltas(other, attribute)
    if other is not None and other.buffer in pair.vertex_tables:
        second = pair.vertex_tables[other.buffer][1][second[0]], second[1]
    numbers = distinct(np.concatenate((first[0], second[0])))
    totals = []
    for vertices, deltas in (first, (second[0], _turned(pair, second[1], attribute))):
        total = np.zeros((len(numbers), 3), np.float32)
        total[np.searchsorted(numbers, vertices)] = deltas
        totals.append(total)
    offsets = totals[0] - totals[1]
    offsets[totals[0] == totals[1]] = 0
    return lengths(offsets)


def _deltas(target: MorphTarget | None, attribute: str) -> tuple[Array, Array]:
    """The vertices [N] that a morph changes, and their deltas [N, 3] of an attribute."""
    deltas = None if target is None else getattr(target, attribute)
    if target is None or deltas is None:
        return np.empty(0, np.uint32), np.empty((0, 3), np.float32)
    return target.vertices, deltas


def _turned(pair: DocumentPair, deltas: Array, attribute: str) -> Array:
    """[N, 3]: the deltas of the second model, converted to the axes of the first model."""
    factor = np.float32(pair.axes.factor if attribute == POSITIONS else 1.0)
    return np.asarray(pair.axes.directions(deltas) * factor) if pair.axes.text else deltas
