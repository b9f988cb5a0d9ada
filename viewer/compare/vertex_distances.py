"""Measures the distances between the vertices of two models at rest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from viewer.arrays import Array
from viewer.compare.axes_change import NO_CHANGE, AxesChange, alignment_of, axes_change
from viewer.compare.geometry_pairs import geometry_pairs
from viewer.compare.vertex_match import match_geometry
from viewer.scene.mesh.vertices import drawn_vertices, values
from viewer.scene.model import Model
from viewer.scene.vertex_distances import ModelDistances, Shares, VertexDistances

ROUNDING = 1e-5
"""The largest distance of equal positions, as a fraction of the model's size. Exporters round positions."""


def vertex_distances(one: Model, other: Model) -> VertexDistances:
    """Measure the distances between two models. Distances from rounding count as 0."""
    alignment = alignment_of(one, other)
    axes = alignment or NO_CHANGE
    scale = np.float32(axes.factor)
    first, second = _by_buffer(one, other, axes), _by_buffer(other, one, axes_change(other, one))
    least = ROUNDING * _size(one)
    distances = [_beyond(first, least), _beyond([_times(each, scale) for each in second], least)]
    largest = max(map(_largest, distances))
    models = [_model_distances(*each, largest) for each in zip((one, other), distances, strict=True)]
    return VertexDistances((models[0], models[1]), largest, alignment.matrix if alignment else None)


def _by_buffer(one: Model, other: Model, axes: AxesChange) -> list[Array | None]:
    """Measure the distances [V] f32 for each vertex buffer of `one`. A distance is NaN for a vertex without a
    counterpart. An array is None for a buffer without counterparts. Each vertex is measured in the finest
    level that draws it.
    """
    found: list[Array | None] = [None] * len(one.vertex_buffers)
    for number, partner in geometry_pairs(one, other):
        for level, lod in enumerate(one.geometries[number].lods):
            stream = _position_stream(one, lod.streams)
            if stream is None:
                continue
            known = found[stream]
            held = np.full(one.vertex_buffers[stream].count, np.nan, np.float32) if known is None else known
            if not np.isnan(held[drawn_vertices(one, lod)]).any():
                continue
            match = match_geometry(one, number, other, partner, axes, level)
            if match is not None:
                new = np.isnan(held[match.rows])
                held[match.rows[new]] = match.distances[new]
                found[stream] = held
    return found


def _times(distances: Array | None, scale: np.float32) -> Array | None:
    return None if distances is None else distances * scale


def _beyond(distances: Shares, least: float) -> Shares:
    """Replace distances up to `least` by 0."""
    return [None if each is None else np.where(each <= least, np.float32(0), each) for each in distances]


def _largest(distances: Shares) -> float:
    """The largest finite distance."""
    finite = (each[np.isfinite(each)] for each in distances if each is not None)
    return max((float(each.max()) for each in finite if len(each)), default=0.0)


def _model_distances(model: Model, distances: Shares, largest: float) -> ModelDistances:
    shares = [None if each is None else each / np.float32(largest or 1.0) for each in distances]
    drawn = [np.zeros(buffer.count, bool) for buffer in model.vertex_buffers]
    for geometry in model.geometries:
        for lod in geometry.lods[:1]:
            stream = _position_stream(model, lod.streams)
            if stream is not None:
                drawn[stream][drawn_vertices(model, lod)] = True
    vertices = sum(int(each.sum()) for each in drawn)
    known = [each[marked] for each, marked in zip(shares, drawn, strict=True) if each is not None]
    matched = sum(int(np.count_nonzero(~np.isnan(each))) for each in known)
    return ModelDistances(
        shares, vertices, sum(int(np.count_nonzero(each > 0)) for each in known), vertices - matched
    )


def _position_stream(model: Model, streams: Sequence[int]) -> int | None:
    """The number of the vertex buffer with the positions; None if there is none."""
    return next((each for each in streams if model.vertex_buffers[each].element("position")), None)


def _size(model: Model) -> float:
    """The largest side of the box around the model's finite vertices."""
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for geometry in model.geometries:
        for lod in geometry.lods[:1]:
            found = values(model, lod, "position", drawn_vertices(model, lod))
            points = np.empty((0, 3)) if found is None else found[np.isfinite(found).all(axis=1), :3]
            if len(points):
                low, high = np.minimum(low, points.min(axis=0)), np.maximum(high, points.max(axis=0))
    return float(np.max(high - low)) if np.isfinite(low).all() else 0.0
