"""Add levels of detail from separate mesh files to a model."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

import numpy as np
from msgspec.structs import replace

from viewer.arrays import Array
from viewer.families.ogre.weights import BLEND, ELEMENTS
from viewer.scene.model import Geometry, Lod, Model, Primitive, VertexBuffer

NOTHING = Lod(0.0, (), None, 0, 0, Primitive.TRIANGLES)
"""The empty level of a submesh that a mesh file lacks."""


def with_manual_levels(model: Model, levels: Sequence[tuple[float, Model]]) -> Model:
    """Return the model with further levels of detail. Each of `levels` is a pair: the value at which the
    level starts, and the model to draw from there on. Only the first level of this model is used.

    Submesh k of that model is a level of submesh k here. A submesh that exists in only one of the models is
    empty in the other model. Joints become bone numbers, because each file has its own bone maps.
    """
    if not levels:
        return model
    whole = without_bone_maps(model)
    buffers, indices = list(whole.vertex_buffers), list(whole.index_buffers)
    geometries = list(whole.geometries)
    lods = [list(geometry.lods) for geometry in geometries]
    placed: dict[int, list[Geometry]] = {}
    for value, other in levels:
        if id(other) not in placed:
            plain = without_bone_maps(other)
            placed[id(other)] = [_moved(each, len(buffers), len(indices)) for each in plain.geometries]
            buffers += plain.vertex_buffers
            indices += plain.index_buffers
        added = placed[id(other)]
        geometries += added[len(geometries) :]
        lods += [[NOTHING] for _ in added[len(lods) :]]
        for own, geometry in zip_longest(lods, added):
            if own:
                level = geometry.lods[0] if geometry and geometry.lods else NOTHING
                own.append(replace(level, distance=value))
    shrinking = model.lod_strategy in ("pixels", "screen")  # a coarser level begins at a smaller value
    joined = zip(geometries, lods, strict=True)
    return replace(
        whole,
        vertex_buffers=tuple(buffers),
        index_buffers=tuple(indices),
        geometries=tuple(
            replace(each, lods=(own[0], *sorted(own[1:], key=lambda lod: lod.distance, reverse=shrinking)))
            for each, own in joined
        ),
    )


def with_material_names(model: Model, names: Sequence[str]) -> Model:
    """Return the model with other materials: geometry k has the material `names[k]` in all its levels."""
    geometries = tuple(
        replace(geometry, lods=tuple(replace(lod, material=name) for lod in geometry.lods))
        for geometry, name in zip(model.geometries, names, strict=True)
    )
    return replace(model, geometries=geometries)


def without_bone_maps(model: Model) -> Model:
    """Return the model with bone numbers as joints. A joint whose entry in the bone map is -1 selects no
    bone.
    """
    buffers = list(model.vertex_buffers)
    done: set[int] = set()
    for geometry in model.geometries:
        if geometry.bone_map is None:
            continue
        streams = {stream for lod in geometry.lods for stream in lod.streams} - done
        for stream in streams:
            if buffers[stream].element("joints"):
                buffers[stream] = _mapped(buffers[stream], geometry.bone_map)
        done |= streams
    geometries = tuple(replace(geometry, bone_map=None) for geometry in model.geometries)
    return replace(model, vertex_buffers=tuple(buffers), geometries=geometries)


def _mapped(buffer: VertexBuffer, bone_map: Array) -> VertexBuffer:
    rows = buffer.data.view(BLEND).copy()
    rows["joints"] = bone_map.astype(np.uint16)[rows["joints"]]
    return VertexBuffer(rows.view(np.uint8), buffer.count, buffer.stride, ELEMENTS)


def _moved(geometry: Geometry, buffers: int, indices: int) -> Geometry:
    """Return the geometry with only its first level. `buffers` is added to the numbers of its vertex buffers,
    and `indices` to the number of its index buffer.
    """
    moved = tuple(
        replace(
            lod,
            streams=tuple(stream + buffers for stream in lod.streams),
            indices=None if lod.indices is None else lod.indices + indices,
        )
        for lod in geometry.lods[:1]
    )
    return replace(geometry, lods=moved, material=None)
