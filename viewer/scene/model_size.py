"""The size of a model in numbers."""

from __future__ import annotations

from typing import NamedTuple

from viewer.scene.model import Model, triangle_count


class ModelSize(NamedTuple):
    """The vertices and triangles of the finest levels of detail, and the bones of a model."""

    vertices: int
    triangles: int
    bones: int


def model_size(model: Model) -> ModelSize:
    """Count the vertices of all buffers that the finest levels draw from, the triangles, and the bones."""
    finest = [geometry.lods[0] for geometry in model.geometries if geometry.lods]
    drawn = {stream for lod in finest for stream in lod.streams[:1]}
    return ModelSize(
        sum(model.vertex_buffers[stream].count for stream in drawn),
        sum(triangle_count(each.primitive, each.count) for each in finest),
        len(model.skeleton) if model.skeleton is not None else 0,
    )
