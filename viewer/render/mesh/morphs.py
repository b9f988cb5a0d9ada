"""Morphs as sparse records per vertex, so that memory grows with the file and not with morphs × vertices."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from msgspec import Struct

from viewer.arrays import Array
from viewer.scene.model import Model, Morph, MorphTarget


class MorphRecords(Struct, frozen=True, eq=False):
    """The tables of `morph.glsl`.

    `spans` [V, 2] i32 are the first record and the number of records of each vertex. `texels` [N × `each`, 4]
    f32 are the records sorted by vertex: position delta and morph number, then normal delta and tangent delta
    if `each` is 2 or 3.
    """

    spans: Array
    texels: Array
    each: int


RecordsByStreams = Mapping[tuple[int, ...], MorphRecords | None]
NO_RECORDS: RecordsByStreams = MappingProxyType({})


def model_records(model: Model, streams: tuple[int, ...]) -> MorphRecords | None:
    """Make the morph records for geometries that use these vertex buffers; None if no morph moves their
    vertices.
    """
    count = min((model.vertex_buffers[stream].count for stream in streams), default=0)
    return sparse_records(model.morphs, streams, count)


def all_records(model: Model) -> RecordsByStreams:
    """Make the records for each set of vertex buffers that the model's levels use."""
    used = {lod.streams for geometry in model.geometries for lod in geometry.lods}
    return {streams: model_records(model, streams) for streams in used}


def sparse_records(morphs: tuple[Morph, ...], streams: tuple[int, ...], count: int) -> MorphRecords | None:
    """Make the morph records of the first `count` vertices of these vertex buffers; None if no morph moves
    these vertices.

    Deltas of vertices that do not exist are left out.
    """
    found = [
        (number, target)
        for number, morph in enumerate(morphs)
        for target in morph.targets
        if target.buffer in streams
    ]
    each = max((_texels(target) for _, target in found), default=0)
    rows = [_rows(number, target, each) for number, target in found]
    if not rows:
        return None
    vertices = np.concatenate([target.vertices for _, target in found]).astype(np.int64)
    texels = np.concatenate(rows)
    inside = np.flatnonzero(vertices < count)
    order = inside[np.argsort(vertices[inside], kind="stable")]
    if not len(order):
        return None
    borders = np.searchsorted(vertices[order], np.arange(count + 1))
    spans = np.stack((borders[:-1], np.diff(borders)), axis=1).astype(np.int32)
    return MorphRecords(spans, texels[order].reshape(-1, 4), each)


def _texels(target: MorphTarget) -> int:
    if target.tangents is not None:
        return 3
    return 2 if target.normals is not None else 1


def _rows(number: int, target: MorphTarget, each: int) -> Array:
    """Return the records of one morph target as [N, each, 4] f32."""
    out = np.zeros((len(target.vertices), each, 4), np.float32)
    out[:, 0, 3] = number
    for column, deltas in enumerate((target.positions, target.normals, target.tangents)):
        if deltas is not None:
            out[:, column, :3] = deltas
    return out
