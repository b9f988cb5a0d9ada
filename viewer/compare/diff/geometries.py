"""Compares geometries: their names, levels of detail, triangles, vertices and materials."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from viewer.arrays import Array
from viewer.compare.diff.lod_vertices import LodVertices, SeenVertices, levels_of
from viewer.compare.diff.pair import DocumentPair
from viewer.compare.diff.values import changed_values, value_text
from viewer.compare.diff.vertices import vertex_differences
from viewer.errors import counted
from viewer.scene.difference import Change, Difference, DifferenceGroup, one_sided
from viewer.scene.items import GeometryItem
from viewer.scene.maths import lengths
from viewer.scene.mesh.primitives import as_list
from viewer.scene.model import LOD_UNITS, Geometry, Lod, Model, triangle_count

PLAIN = ("geoset", "shown")
GEOMETRIES = DifferenceGroup.GEOMETRIES


def geometry_differences(pair: DocumentPair) -> Iterator[Difference]:
    """Find the differences of geometries and their vertices."""
    if pair.lacks(".skin") and not (pair.first.geometries and pair.second.geometries):
        pair.notes.append(f"geometries are not compared: {pair.lacks('.skin')} was not found")
        return
    sides = pair.first.geometries, pair.second.geometries
    names = [[each.name for each in side] for side in sides]
    yield from one_sided(
        GEOMETRIES, GeometryItem, names, dict(pair.geometries), lambda side, row: _size(sides[side][row])
    )
    for number, partner in pair.geometries:
        yield from _changed(pair, number, partner)


def _size(geometry: Geometry) -> str:
    return _count(geometry.lods[0]) if geometry.lods else "no levels"


def _count(lod: Lod) -> str:
    triangles = triangle_count(lod.primitive, lod.count)
    return counted(triangles, "triangle") if triangles else counted(lod.count, "index", "indices")


def _changed(pair: DocumentPair, number: int, partner: int) -> Iterator[Difference]:
    one, other = pair.first.geometries[number], pair.second.geometries[partner]

    def changed(text: str, minor: bool = False, change: Change = Change.CHANGED) -> Difference:
        items = (GeometryItem(number),), (GeometryItem(partner),)
        return Difference(GEOMETRIES, change, one.name, text, 0.0, "", (), *items, minor)

    if pair.related and not _same_name(one.name, number, other.name, partner):
        yield changed(f"now {other.name}", True, Change.RENAMED)
    unit, other_unit = LOD_UNITS[pair.first.lod_strategy], LOD_UNITS[pair.second.lod_strategy]
    if unit != other_unit and len(one.lods) > 1:
        yield changed(f"levels of detail by {unit} → by {other_unit}")
    if len(one.lods) != len(other.lods):
        yield changed(f"levels of detail: {len(one.lods)} → {len(other.lods)}")
    for level, (lod, other_lod) in enumerate(zip(one.lods, other.lods, strict=False)):
        name = f"level {level}: " if len(one.lods) > 1 else ""
        if lod.primitive is not other_lod.primitive:
            yield changed(f"{name}{lod.primitive.value} → {other_lod.primitive.value}")
        far = lod.distance, other_lod.distance
        if (
            level
            and pair.related
            and unit == other_unit
            and abs(far[0] - far[1]) > pair.tolerance.share * max(map(abs, far))
        ):
            yield changed(f"{name}{unit} {value_text(far[0])} → {value_text(far[1])}")
    seen: SeenVertices = {}
    for each in levels_of(pair, number, partner):
        name = f"level {each.number}: " if len(one.lods) > 1 else ""
        for text, minor in _triangles(pair, each):
            yield changed(name + text, minor)
        if len(one.lods) == 1 or each.has_new_vertices(seen):
            yield from vertex_differences(each, one.name + (f" level {each.number}" if each.number else ""))
    for text in _materials(pair, one, other):
        yield changed(text)
    for text in _center(pair, one, other):
        yield changed(text, True)
    for text in changed_values(one, other, pair.tolerance, only=PLAIN):
        yield changed(text)


def _same_name(one: str, number: int, other: str, partner: int) -> bool:
    """Whether two names are equal apart from the geometry's index in them."""
    return one == other or (one.removesuffix(f" {number}") == other.removesuffix(f" {partner}") != "")


def _materials(pair: DocumentPair, one: Geometry, other: Geometry) -> Iterator[str]:
    """Describe the differences of materials by name. Urho3D's model files do not name materials, because
    other files assign them.
    """
    if not pair.first.materials or not pair.second.materials:
        return
    names = _material_names(pair.first, one), _material_names(pair.second, other)
    if names[0] != names[1] and pair.related:
        yield f"material: {', '.join(names[0]) or 'none'} → {', '.join(names[1]) or 'none'}"


def _center(pair: DocumentPair, one: Geometry, other: Geometry) -> Iterator[str]:
    """Describe the distance between the centers of two geometries, by which blended geometries are sorted."""
    if one.center is not None and other.center is not None:
        moved = float(lengths(pair.axes.points(np.array(other.center)) - np.array(one.center)))
        if moved > pair.tolerance.distance:
            yield f"its center moved by {value_text(moved)}"


def _material_names(model: Model, geometry: Geometry) -> list[str]:
    numbers = [number for number in (geometry.material, *geometry.layers) if number is not None]
    return [model.materials[number].name for number in numbers]


def _triangles(pair: DocumentPair, level: LodVertices) -> Iterator[tuple[str, bool]]:
    """Compare the primitives of a level. For each difference, yield its text, and True if the picture stays
    the same.
    """
    lods = level.lod, level.other_lod
    if level.same_indices or lods[0].primitive is not lods[1].primitive:
        return
    first, second = _indices(pair.first, lods[0]), _indices(pair.second, lods[1])
    if level.match is not None:
        first, second = level.common(first, second)
    if len(first) == len(second) and np.array_equal(first, second):
        return
    lists = [as_list(each, lods[0].primitive)[0] for each in (first, second)]
    if np.linalg.det(pair.axes.matrix[:3, :3]) < 0:
        lists[1] = lists[1][:, ::-1]
    removed, added = _unmatched(*map(_canonical, lists))
    noun = "triangle" if lists[0].shape[1] == 3 else "line" if lists[0].shape[1] == 2 else "point"
    if removed and removed == added and _unmatched(*map(_canonical, (lists[0], lists[1][:, ::-1]))) == (0, 0):
        yield f"{counted(removed, noun)} with reversed winding (of {len(lists[0])})", False
    elif removed or added:
        texts = [f"{counted(number, noun)} {word}" for number, word in _nonzero(removed, added)]
        yield f"{' and '.join(texts)} (of {len(lists[0])})", False
    elif level.match is not None and not level.match.by_position:
        yield f"another order of the {noun}s", True


def _nonzero(removed: int, added: int) -> list[tuple[int, str]]:
    return [each for each in ((removed, "removed"), (added, "added")) if each[0]]


def _indices(model: Model, lod: Lod) -> Array:
    """[I] i64 the vertices that a level draws, in order."""
    if lod.indices is None:
        return np.arange(lod.start, lod.start + lod.count)
    return model.index_buffers[lod.indices].data[lod.start : lod.start + lod.count].astype(np.int64)


def _canonical(corners: Array) -> Array:
    """[T, corners]: the primitives, rotated so that the smallest vertex index is first. The winding stays the
    same.
    """
    if corners.shape[1] < 2 or not len(corners):
        return corners
    if corners.shape[1] == 2:
        return np.sort(corners, axis=1)
    first = corners.argmin(axis=1)
    return np.take_along_axis(corners, (first[:, None] + np.arange(3)) % 3, axis=1)


def _unmatched(first: Array, second: Array) -> tuple[int, int]:
    """Return two counts: rows that are only in the first list [N, K], and rows that are only in the second
    list [M, K].
    """
    keys = [_keys(each) for each in (first, second)]
    common = _common(np.sort(keys[0]), np.sort(keys[1]))
    return len(first) - common, len(second) - common


def _keys(rows: Array) -> Array:
    """[N] u64: a key for each row [N, K]; different rows seldom have the same key."""
    found = np.zeros(len(rows), np.uint64)
    for column in range(rows.shape[1]):
        found = (found ^ rows[:, column].astype(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
        found ^= found >> np.uint64(29)
    return found


def _common(first: Array, second: Array) -> int:
    """The number of keys that occur in both sorted lists; a repeated key counts each time."""
    if np.array_equal(first, second):
        return len(first)
    start = np.searchsorted(second, first)
    end = np.searchsorted(second, first, "right")
    nth = np.arange(len(first)) - np.searchsorted(first, first)
    return int(np.count_nonzero(start + nth < end))
