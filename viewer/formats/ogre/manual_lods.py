"""Levels of detail in separate mesh files: their buffers and submeshes become part of the model."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

import numpy as np

from viewer.arrays import Array
from viewer.dataclass import replace
from viewer.formats.ogre.weights import BLEND, ELEMENTS
from viewer.scene.model import Geometry, Lod, Model, Primitive, VertexBuffer


def with_manual_levels(model: Model, levels: Sequence[tuple[float, Model]]) -> Model:
    """The model with the first level of each other model, drawn from a value on, as a further level.

    Submesh k of a model is the level of submesh k of the other; a submesh that only one model has is empty in
    the other's level. Joints become bone numbers, because each file has its own bone maps.
    """
    if not levels:
        return model
    whole = without_bone_maps(model)
    geometries = list(whole.geometries)
    for value, other in levels:
        plain = without_bone_maps(other)
        added = [_moved(geometry, whole, value) for geometry in plain.geometries]
        whole = replace(
            whole,
            vertex_buffers=whole.vertex_buffers + plain.vertex_buffers,
            index_buffers=whole.index_buffers + plain.index_buffers,
        )
        geometries = [_joined(*pair, value) for pair in zip_longest(geometries, added)]
    return replace(whole, geometries=tuple(geometries))


def with_material_names(model: Model, names: Sequence[str]) -> Model:
    """The model whose levels name the materials `names` of its geometries."""
    geometries = tuple(
        replace(geometry, lods=tuple(replace(lod, material=name) for lod in geometry.lods))
        for geometry, name in zip(model.geometries, names, strict=True)
    )
    return replace(model, geometries=geometries)


def without_bone_maps(model: Model) -> Model:
    """The same model with bone numbers as joints. Joints that are not in the map select no bone."""
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


def _moved(geometry: Geometry, whole: Model, value: float) -> Geometry:
    """The first level of a geometry, its buffers numbered after the buffers of `whole`."""
    moved = tuple(
        replace(
            lod,
            distance=value,
            streams=tuple(stream + len(whole.vertex_buffers) for stream in lod.streams),
            indices=None if lod.indices is None else lod.indices + len(whole.index_buffers),
        )
        for lod in geometry.lods[:1]
    )
    return replace(geometry, lods=moved, material=None)


def _joined(own: Geometry | None, added: Geometry | None, value: float) -> Geometry:
    """A geometry with a further level."""
    nothing = Lod(0.0, (), None, 0, 0, Primitive.TRIANGLES)
    level = added.lods if added and added.lods else (replace(nothing, distance=value),)
    if own is None:
        assert added is not None, "at least one of the two exists"
        return replace(added, lods=(nothing, *level))
    if not own.lods:
        return own
    return replace(own, lods=tuple(sorted((*own.lods, *level), key=lambda lod: lod.distance)))
