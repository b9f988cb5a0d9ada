"""Finds the parts of a model that a group of items marks: bones, geometries, vertices and primitives."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from msgspec import Struct, field

from viewer.arrays import Array
from viewer.scene.items import BoneItem, IndexItem, Item, TextureItem, VertexItem
from viewer.scene.mesh.vertices import corners, primitive_of
from viewer.scene.model import Lod, Model
from viewer.view.item_geometries import geometries_of

LodKey = tuple[int, int]
"""A level of detail: the number of the geometry, and the number of the level."""


class MarkedParts(Struct, frozen=True, eq=False):
    """The marked parts of a model. `bones` and `geometries` are numbers of bones and geometries. `vertices`
    [N] and the corners of `primitives` [P, 1 to 3] are vertex numbers, by the level of detail that draws
    them.
    """

    bones: frozenset[int] = frozenset()
    geometries: frozenset[int] = frozenset()
    vertices: Mapping[LodKey, Array] = field(default_factory=dict)
    primitives: Mapping[LodKey, Array] = field(default_factory=dict)


def marked_parts(model: Model, items: Sequence[Item]) -> MarkedParts:
    """Find the parts that items mark. Items of another model mark nothing.

    A material or a texture marks the geometries that use it. If `items` contain vertices or indices,
    geometries in `items` are only their owners and are not marked.
    """
    vertices, primitives = _vertices(model, items), _primitives(model, items)
    located = bool(vertices or primitives)
    shown = () if located else (number for item in items for number in _geometries(model, item))
    bones = frozenset(item.number for item in items if isinstance(item, BoneItem))
    return MarkedParts(bones, frozenset(shown), vertices, primitives)


def _geometries(model: Model, item: Item) -> Iterable[int]:
    if not isinstance(item, TextureItem):
        return geometries_of(model, item)
    users = {number for number, each in enumerate(model.materials) if item.number in each.units.values()}
    return [number for number, each in enumerate(model.geometries) if each.material in users]


def _levels(model: Model) -> Iterator[tuple[LodKey, Lod]]:
    for number, geometry in enumerate(model.geometries):
        for level, lod in enumerate(geometry.lods):
            yield (number, level), lod


def _vertices(model: Model, items: Iterable[Item]) -> dict[LodKey, Array]:
    """The marked vertices by level of detail. A vertex belongs to the first level that draws it, else to the
    first level that uses its buffer.
    """
    wanted: dict[int, list[int]] = defaultdict(list)
    for item in items:
        if isinstance(item, VertexItem) and 0 <= item.buffer < len(model.vertex_buffers):
            wanted[item.buffer].append(item.number)
    found: dict[LodKey, Array] = {}
    for buffer, numbers in wanted.items():
        left = np.unique(np.array(numbers))
        left = left[(left >= 0) & (left < model.vertex_buffers[buffer].count)]
        levels = [(level, lod) for level, lod in _levels(model) if buffer in lod.streams]
        for level, lod in levels:
            drawn = _drawn(model, lod, left)
            if drawn.any():
                found[level], left = left[drawn], left[~drawn]
        if levels and len(left):
            first = levels[0][0]
            found[first] = np.union1d(found.get(first, left), left)
    return found


def _drawn(model: Model, lod: Lod, vertices: Array) -> Array:
    """[N] bool: whether the level draws each of the vertices [N]."""
    stop = lod.start + lod.count
    if lod.indices is None:
        return np.asarray((vertices >= lod.start) & (vertices < stop))
    return np.isin(vertices, model.index_buffers[lod.indices].data[lod.start : stop])


def _primitives(model: Model, items: Iterable[Item]) -> dict[LodKey, Array]:
    """The primitives of the marked indices by level; a primitive belongs to the first level that draws it."""
    found: dict[LodKey, list[Array]] = defaultdict(list)
    for item in items:
        if not isinstance(item, IndexItem):
            continue
        for level, lod in _levels(model):
            if lod.indices == item.buffer and 0 <= item.number - lod.start < lod.count:
                found[level].append(corners(model, lod, primitive_of(lod, item.number)))
                break
    return {level: np.unique(np.stack(rows), axis=0) for level, rows in found.items()}
