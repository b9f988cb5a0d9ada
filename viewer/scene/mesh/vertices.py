"""Vertices of a model by number: their attributes, the bones that move them, and their posed positions."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from msgspec import Struct, field

from viewer.arrays import Array
from viewer.lru import kept_with
from viewer.scene.maths import IDENTITY, distinct
from viewer.scene.model import Geometry, Lod, Model, Primitive, VertexElement

INFLUENCES = 4
AT_ONCE = 1 << 15
"""The number of vertices that are skinned together, so that their matrices fit into the processor's cache."""
ALMOST = 1 - 1e-4
"""The sum of morph weights at which full normals replace the vertex's own normal completely."""


class ShapeBlend(Struct, frozen=True):
    """A blend from shape `first` (`factor` 0) to shape `second` (`factor` 1). Both are numbers of the model's
    shapes.
    """

    first: int
    second: int
    factor: float


class VertexMotion(Struct, frozen=True, eq=False):
    """The motion of a model's vertices. `skin` [B, 3, 4] are the bones' matrices. `morphs` are weights by
    morph number. `shapes` are the shapes that replace positions, by vertex buffer.
    """

    skin: Array | None = None
    morphs: Mapping[int, float] = field(default_factory=dict)
    shapes: Mapping[int, ShapeBlend] = field(default_factory=dict)


def four_floats(column: Array, element: VertexElement) -> Array:
    """[V, 4] f32 of a stored column [V, components]. Normalised integers are divided by their largest value;
    missing components are 0.
    """
    out = np.zeros((len(column), 4), np.float32)
    part = out[:, : element.components]
    part[:] = column
    if element.normalized:
        part /= np.float32(np.iinfo(column.dtype).max)
    return out


def column_of(model: Model, lod: Lod, semantic: str) -> tuple[Array, VertexElement] | None:
    """The values [V, components] of an attribute, and the vertex element that describes the attribute. Both
    come from the first stream of the level that has the attribute. None if no stream has the attribute.
    """
    for stream in lod.streams:
        buffer = model.vertex_buffers[stream]
        column, element = buffer.column(semantic), buffer.element(semantic)
        if column is not None and element is not None:
            return column, element
    return None


def values(model: Model, lod: Lod, semantic: str, rows: Array) -> Array | None:
    """[N, 4] f32: an attribute of the vertices `rows` [N], see `four_floats`."""
    found = column_of(model, lod, semantic)
    return None if found is None else four_floats(_taken(found[0], rows), found[1])


def _taken(column: Array, rows: Array) -> Array:
    """The rows with the numbers `rows` of a column. If `rows` lists all rows in order, the result is the
    column itself instead of a copy.
    """
    if len(rows) == len(column) > 0 and rows[0] == 0 and bool((rows[1:] - rows[:-1] == 1).all()):
        return column
    return np.asarray(column[rows])


@kept_with
def lacks_weights(model: Model) -> bool:
    """Whether the model's vertices have weights, and all these weights are 0. The first bone then moves all
    skinned vertices.
    """
    columns = (buffer.column("weights") for buffer in model.vertex_buffers)
    stored = [column for column in columns if column is not None and len(column)]
    return bool(stored) and not any(column[:1].any() or column.any() for column in stored)


def influences(
    model: Model, geometry: Geometry, lod: Lod, rows: Array, bones: int
) -> tuple[Array, Array] | None:
    """Find the bones that move the vertices `rows` [N]: the numbers [N, 4] of the bones, and their weights
    [N, 4] f32.

    A joint outside the bone map or the skeleton (of `bones` bones) becomes the number `bones`. None if the
    vertices are not skinned. See `lacks_weights` for a model without weights.
    """
    found = column_of(model, lod, "joints")
    if found is None or not bones:
        return None
    whole = np.eye(1, INFLUENCES, dtype=np.float32).repeat(len(rows), axis=0)
    if lacks_weights(model):
        return np.zeros((len(rows), INFLUENCES), np.intp), whole
    stored = values(model, lod, "weights", rows)
    weights = whole if stored is None else stored
    joints, element = _taken(found[0], rows), found[1]
    numbers = 1 << 8 * joints.itemsize  # a joint of this type can have one of `numbers` values
    if joints.dtype.kind != "u" or element.normalized or joints.size < numbers:
        return bones_of(geometry, four_floats(joints, element), bones), weights
    table = bones_of(geometry, np.arange(numbers), bones)
    moved = np.full((len(rows), INFLUENCES), table[0])  # a vertex without a joint has joint 0
    table.take(joints, out=moved[:, : element.components])
    return moved, weights


def bones_of(geometry: Geometry, joints: Array, bones: int) -> Array:
    """The bone numbers [N, …] of `joints` [N, …] in this geometry; unknown joints become `bones`."""
    numbers = joints.astype(np.intp)
    if geometry.bone_map is not None and len(geometry.bone_map):
        known = (numbers >= 0) & (numbers < len(geometry.bone_map))
        mapped = np.asarray(geometry.bone_map).astype(np.intp)
        numbers = np.where(known, mapped[np.where(known, numbers, 0)], bones)
    return np.where((numbers >= 0) & (numbers < bones), numbers, bones)


def posed(
    model: Model,
    geometry: Geometry,
    lod: Lod,
    rows: Array,
    moves: VertexMotion,
    semantic: str = "position",
) -> Array:
    """[N, 3] in the file's axes: the vertices `rows` [N] as the vertex shader places them.

    With the semantic `normal`: the vertices' normals, whose lengths may differ from 1. [0, 3] if the
    attribute is missing. Coordinates beyond the range of f32 are not finite.
    """
    found = values(model, lod, semantic, rows)
    if found is None:
        return np.empty((0, 3))
    moved = _shaped(model, lod, rows, found[:, :3].copy(), moves.shapes, semantic)
    deltas = _morph_deltas(model, lod, rows, moves.morphs, semantic)
    if semantic == "normal" and model.morph_normals == "whole":
        reach = np.linalg.norm(deltas, axis=1, keepdims=True)
        moved = moved * np.where(reach < ALMOST, 1 - reach, 0)
    moved = moved + deltas
    if moves.skin is None:
        return moved
    parts = []
    for first in range(0, max(len(rows), 1), AT_ONCE):
        part = slice(first, first + AT_ONCE)
        bound = influences(model, geometry, lod, rows[part], len(moves.skin))
        if bound is None:
            return moved
        blended = _blended(*bound, moves.skin)
        turned = np.einsum("vij,vj->vi", blended[:, :, :3], moved[part])
        parts.append(turned if semantic == "normal" else turned + blended[:, :, 3])
    return np.concatenate(parts)


def _blended(bones: Array, weights: Array, skin: Array) -> Array:
    """[N, 3, 4]: the weighted sum of the bones' matrices; unknown bones do not move a vertex."""
    flat = np.concatenate((skin, IDENTITY[None])).astype(np.float32).reshape(-1, 12)
    blended = np.zeros((len(bones), 12), np.float32)
    for influence in range(INFLUENCES):
        blended += flat[bones[:, influence]] * weights[:, influence, None]
    return blended.reshape(-1, 3, 4)


def _shaped(
    model: Model, lod: Lod, rows: Array, own: Array, blends: Mapping[int, ShapeBlend], semantic: str
) -> Array:
    """[N, 3]: the positions or normals of the blended shapes. `own` are the positions or normals of the
    buffer; they are returned if the buffer has no shape.
    """
    blend = next((blends[stream] for stream in lod.streams if stream in blends), None)
    if blend is None or not max(blend.first, blend.second) < len(model.shapes):
        return own
    pair = [model.shapes[number] for number in (blend.first, blend.second)]
    first, second = (shape.normals if semantic == "normal" else shape.positions for shape in pair)
    if first is None or second is None or not len(rows) or int(rows.max()) >= min(len(first), len(second)):
        return own
    return np.asarray(first[rows] + (second[rows] - first[rows]) * np.float32(blend.factor))


def _morph_deltas(model: Model, lod: Lod, rows: Array, weights: Mapping[int, float], semantic: str) -> Array:
    """[N, 3]: the sum of the deltas of all morphs, times their weights."""
    moved = np.zeros((len(rows), 3), np.float32)
    weighted = [(morph, weights.get(number, morph.weight)) for number, morph in enumerate(model.morphs)]
    weighted = [(morph, weight) for morph, weight in weighted if weight]
    if not weighted or not len(rows):
        return moved
    order = np.argsort(rows, kind="stable")
    ordered = rows[order]
    for morph, weight in weighted:
        for target in morph.targets:
            deltas = target.normals if semantic == "normal" else target.positions
            if deltas is None or target.buffer not in lod.streams:
                continue
            indices = np.minimum(np.searchsorted(ordered, target.vertices), len(rows) - 1)
            hit = ordered[indices] == target.vertices
            np.add.at(moved, order[indices[hit]], weight * deltas[hit])
    return moved


def sampled(model: Model, lod: Lod, most: int) -> Array:
    """[N]: numbers of at most `most` vertices that a level uses, evenly spread."""
    step = max(-(-lod.count // most), 1)
    count = min((model.vertex_buffers[stream].count for stream in lod.streams), default=0)
    if lod.indices is None:
        return np.arange(lod.start, max(min(lod.start + lod.count, count), lod.start), step)
    numbers = model.index_buffers[lod.indices].data[lod.start : lod.start + lod.count : step]
    return distinct(numbers[numbers < count]).astype(np.int64)


def drawn_vertices(model: Model, lod: Lod) -> Array:
    """[N]: the numbers of the vertices that the level draws, ascending."""
    count = min((model.vertex_buffers[stream].count for stream in lod.streams), default=0)
    stop = lod.start + lod.count
    if lod.indices is None:
        return np.arange(lod.start, max(min(stop, count), lod.start))
    indices = model.index_buffers[lod.indices].data[lod.start : stop]
    marked = np.zeros(count, bool)
    marked[indices[indices < count]] = True
    return np.flatnonzero(marked)


CORNERS = {Primitive.TRIANGLES: 3, Primitive.LINES: 2, Primitive.POINTS: 1}
STRIPS = {Primitive.TRIANGLE_STRIP: 3, Primitive.LINE_STRIP: 2}


def corners(model: Model, lod: Lod, number: int) -> Array:
    """The vertex numbers of the primitive with the number `number`, an array of 1 to 3 elements. Primitives
    of the level are numbered as in GL's `gl_PrimitiveID`.

    A number past the last primitive counts as the last primitive, because some drivers count the parts of a
    clipped triangle.
    """
    number = min(number, _last(lod))
    if lod.primitive is Primitive.TRIANGLE_FAN:
        indices = np.array((0, number + 1, number + 2))
    elif lod.primitive in STRIPS:
        indices = number + np.arange(STRIPS[lod.primitive])
    else:
        indices = number * CORNERS[lod.primitive] + np.arange(CORNERS[lod.primitive])
    indices = lod.start + indices
    return indices if lod.indices is None else model.index_buffers[lod.indices].data[indices].astype(np.intp)


def primitive_of(lod: Lod, index: int) -> int:
    """The number of the level's first primitive that has a corner at `index` of the index buffer."""
    index -= lod.start
    if lod.primitive is Primitive.TRIANGLE_FAN:
        return max(index - 2, 0)
    return (
        max(index - STRIPS[lod.primitive] + 1, 0)
        if lod.primitive in STRIPS
        else index // CORNERS[lod.primitive]
    )


def _last(lod: Lod) -> int:
    """The number of the last primitive of a level."""
    each = CORNERS.get(lod.primitive)
    count = lod.count // each if each else lod.count - STRIPS.get(lod.primitive, 3) + 1
    return max(count, 1) - 1


def drawn_by(model: Model, buffer: int, vertex: int) -> tuple[int, int] | None:
    """The numbers of the first geometry and level that draw a vertex of a buffer."""
    for number, geometry in enumerate(model.geometries):
        for level, lod in enumerate(geometry.lods):
            if buffer not in lod.streams:
                continue
            if lod.indices is None:
                inside = lod.start <= vertex < lod.start + lod.count
            else:
                indices = model.index_buffers[lod.indices].data[lod.start : lod.start + lod.count]
                inside = bool((indices == vertex).any())
            if inside:
                return number, level
    return None


def moved_by_bones(model: Model, geometry: Geometry) -> tuple[Array, Array]:
    """Two arrays [B], one element per bone: the number of vertices that the bone moves, and the sum of the
    bone's weights. Only the geometry's first level of detail is counted.
    """
    bones = len(model.skeleton) if model.skeleton else 0
    nothing = np.zeros(bones, np.int64), np.zeros(bones)
    lod = geometry.lods[0] if geometry.lods else None
    bound = influences(model, geometry, lod, drawn_vertices(model, lod), bones) if lod else None
    if bound is None:
        return nothing
    numbers, weights = bound
    carried = weights > 0
    counts = np.bincount(numbers[carried], minlength=bones + 1)[:bones]
    sums = np.bincount(numbers[carried], weights[carried].astype(np.float64), bones + 1)[:bones]
    return counts, sums
