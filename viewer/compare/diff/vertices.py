"""Compares the vertices of a level: positions, normals, texture coordinates, weights."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from viewer.arrays import Array
from viewer.compare.diff.deviation import between_directions, rounded
from viewer.compare.diff.lod_vertices import LodVertices
from viewer.compare.diff.skin import weight_deviations
from viewer.scene.difference import Change, Difference, DifferenceGroup
from viewer.scene.items import GeometryItem, Item, VertexItem
from viewer.scene.maths import lengths
from viewer.scene.mesh.vertices import column_of, four_floats
from viewer.scene.model import Lod, Model

DIRECTIONS = {"normal": "normals", "tangent": "tangents", "binormal": "binormals"}
SKIN = ("joints", "weights")
UV, COLOR = "uv", "color"


def vertex_differences(level: LodVertices, name: str) -> Iterator[Difference]:
    """Find the differences between the vertices of a level. `name` is the name of the geometry in each
    difference.
    """
    semantics = _semantics(level.pair.first, level.lod), _semantics(level.pair.second, level.other_lod)
    for text in _attributes(*semantics):
        yield _difference(level, name, text)
    match = level.match if not level.same_buffers or _skin_may_differ(level) else None
    if match is None:
        return
    numbers = len(match.rows), _drawn(level)
    if numbers[0] != numbers[1]:
        yield _difference(level, name, f"{numbers[0]:,} → {counted_vertices(numbers[1])}")
    if match.by_position:
        yield _difference(level, name, "another order of the vertices, matched by position", minor=True)
    yield from _moved(level, name)
    for semantic in semantics[0]:
        if semantic in semantics[1] and semantic != "position":
            yield from _attribute(level, name, semantic)


def counted_vertices(count: int) -> str:
    """The number of vertices in words."""
    return f"{count:,} {'vertex' if count == 1 else 'vertices'}"


def _drawn(level: LodVertices) -> int:
    """The number of vertices that the level of the second model draws."""
    assert level.match is not None, "the vertices have positions"
    return level.match.other_count


def _semantics(model: Model, lod: Lod) -> list[str]:
    """The semantics of a level's vertex attributes, in the order of the streams."""
    streams = (model.vertex_buffers[stream] for stream in lod.streams)
    return list(dict.fromkeys(element.semantic for stream in streams for element in stream.elements))


def _attributes(one: list[str], other: list[str]) -> Iterator[str]:
    removed, added = (
        [name for name in names if name not in others] for names, others in ((one, other), (other, one))
    )
    if removed or added:
        texts = [
            f"{', '.join(names)} {word}" for names, word in ((removed, "removed"), (added, "added")) if names
        ]
        yield f"attributes: {'; '.join(texts)}"


def _skin_may_differ(level: LodVertices) -> bool:
    """Whether equal joints may mean different bones."""
    pairs = level.pair.bones.pairs
    return not level.same_bone_maps or any(bone != other for bone, other in pairs.items())


def _difference(
    level: LodVertices,
    name: str,
    text: str,
    amount: float = 0.0,
    unit: str = "",
    worst: tuple[int, int] | None = None,
    minor: bool = False,
) -> Difference:
    """Make a difference. `worst` are the indices of the vertices with the largest deviation."""
    items: list[tuple[Item, ...]] = [(GeometryItem(level.geometry),), (GeometryItem(level.other),)]
    if worst is not None:
        items = [
            (VertexItem(stream, vertex), *each)
            for stream, vertex, each in zip(level.position_buffers, worst, items, strict=True)
        ]
    return Difference(
        DifferenceGroup.VERTICES,
        Change.CHANGED,
        name,
        text,
        amount,
        unit,
        items=items[0],
        other_items=items[1],
        minor=minor,
    )


def _moved(level: LodVertices, name: str) -> Iterator[Difference]:
    """Find vertices that are farther apart than the tolerance."""
    match = level.match
    assert match is not None, "the vertices have positions"
    yield from _many(level, name, "moved", "", match.distances, level.pair.tolerance.distance, "units")


def _many(
    level: LodVertices,
    name: str,
    verb: str,
    what: str,
    deviations: Array,
    limit: float,
    unit: str = "",
    places: Array | None = None,
) -> Iterator[Difference]:
    """Yield one difference for all vertices with a deviation above `limit`; nothing if there are none.

    `deviations[i]` belongs to the matched vertex `places[i]`, or to the matched vertex i if `places` is None.
    """
    match = level.match
    count = int(np.count_nonzero(deviations > limit))
    if match is None or not count:
        return
    worst = int(deviations.argmax())
    row = worst if places is None else int(places[worst])
    most, vertex = float(deviations[worst]), int(match.rows[row])
    sign = "°" if unit == "degrees" else ""
    text = f"{what}{count:,} of {counted_vertices(len(match.rows))} {verb}, "
    text += f"at most {rounded(most)}{sign} (vertex {vertex})"
    yield _difference(level, name, text, most, unit, (vertex, int(match.other_rows[row])))


def _attribute(level: LodVertices, name: str, semantic: str) -> Iterator[Difference]:
    """Find the difference of one attribute of the matched vertices."""
    pair, tolerance, match = level.pair, level.pair.tolerance, level.match
    if semantic in SKIN:
        if semantic == SKIN[0] and match is not None:
            chosen, deviations = weight_deviations(level, match)
            limit = tolerance.weight
            yield from _many(level, name, "differ", "weights of ", deviations, limit, "", chosen)
        return
    columns = column_of(pair.first, level.lod, semantic), column_of(pair.second, level.other_lod, semantic)
    if columns[0] is None or columns[1] is None or match is None:
        return
    chosen = level.unequal(columns[0], columns[1])
    if not len(chosen):
        return
    one = four_floats(columns[0][0][match.rows[chosen]], columns[0][1])
    other = four_floats(columns[1][0][match.other_rows[chosen]], columns[1][1])
    if semantic in DIRECTIONS:
        deviations = between_directions(one[:, :3], pair.axes.directions(other[:, :3]))
        what, limit, unit = DIRECTIONS[semantic], tolerance.angle, "degrees"
    else:
        what, unit = semantic, ""
        limit = tolerance.uv if semantic.startswith(UV) else tolerance.color
        deviations = lengths(one - other)
        deviations[(one == other).all(axis=1)] = 0
    yield from _many(level, name, "differ", f"{what} of ", deviations, limit, unit, chosen)
