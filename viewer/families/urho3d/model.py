"""Build a model from an Urho3D model record. A broken part is reported and left out."""

from __future__ import annotations

from typing import Any

import numpy as np

from viewer.arrays import Array
from viewer.binary import Struct
from viewer.errors import FormatError, Report, Topic
from viewer.families.urho3d.elements import elements_of
from viewer.scene.material import MaterialSet
from viewer.scene.mesh.primitives import drop_stray_indices, with_clouds
from viewer.scene.model import (
    Geometry,
    IndexBuffer,
    Lod,
    Model,
    Morph,
    MorphTarget,
    Primitive,
    VertexBuffer,
)
from viewer.scene.skeleton import Hitbox, Skeleton, refuse_cycles

PRIMITIVES = (
    Primitive.TRIANGLES,
    Primitive.LINES,
    Primitive.POINTS,
    Primitive.TRIANGLE_STRIP,
    Primitive.LINE_STRIP,
    Primitive.TRIANGLE_FAN,
)

TO_WORLD = np.diag([-1.0, 1.0, 1.0, 1.0])
"""Matrix to viewer axes. Urho3D is left-handed with +Y up and +Z forward, so X is negated."""
TO_WORLD.flags.writeable = False

NO_MATERIALS = MaterialSet((), (), ())

WXYZ_TO_XYZW = [1, 2, 3, 0]


def build_model(
    name: str,
    record: Struct,
    report: Report,
    material_set: MaterialSet = NO_MATERIALS,
) -> Model:
    """Return the model of a record, which may be incomplete."""
    vertex_buffers = tuple(_vertex_buffer(buffer) for buffer in record.get("vertex_buffers", ()))
    index_buffers = [
        IndexBuffer(buffer.get("indices", _NO_INDICES)) for buffer in record.get("index_buffers", ())
    ]
    geometries = tuple(
        _geometry(number, geometry, record, vertex_buffers, index_buffers, report, material_set)
        for number, geometry in enumerate(record.get("geometries", ()))
    )
    model = Model(
        name=name,
        vertex_buffers=vertex_buffers,
        index_buffers=tuple(index_buffers),
        geometries=geometries,
        morphs=tuple(_morph(morph, vertex_buffers, report) for morph in record.get("morphs", ())),
        skeleton=build_skeleton(record.get("bones", ()), report),
        materials=material_set.materials,
        textures=material_set.textures,
        candidates=material_set.candidates,
        bounds=_bounds(record.get("bounds")),
        to_world=TO_WORLD,
        lod_rule="urho3d",
        unit="metres",
    )
    return with_clouds(model, report)


_NO_INDICES = np.empty(0, np.uint16)


def _vertex_buffer(buffer: Struct) -> VertexBuffer:
    vertices = buffer.get("vertices")
    if vertices is None:
        return VertexBuffer(np.empty(0, np.uint8), 0, 0, ())
    return VertexBuffer(vertices.view(np.uint8), len(vertices), vertices.dtype.itemsize, elements_of(buffer))


def _geometry(
    number: int,
    record: Struct,
    model: Struct,
    vertex_buffers: tuple[VertexBuffer, ...],
    index_buffers: list[IndexBuffer],
    report: Report,
    material_set: MaterialSet,
) -> Geometry:
    bone_map = record.get("bone_map")
    lods = []
    for level, lod in enumerate(record.get("lods", ())):
        where = f"model/geometries[{number}]/lods[{level}]"
        try:
            lods.append(_lod(lod, where, vertex_buffers, index_buffers, report))
        except FormatError as error:
            error.offset = record.marks[1] + 4 + level * lod.dtype.itemsize
            report.fail(error)
    centers = model.get("centers", ())
    center = tuple(map(float, centers[number])) if number < len(centers) else None
    return Geometry(
        name=f"geometry {number}",
        lods=tuple(lods),
        bone_map=bone_map.astype(np.int64) if bone_map is not None and len(bone_map) else None,
        material=material_set.per_geometry[number] if number < len(material_set.per_geometry) else None,
        center=center,  # type: ignore[arg-type]
    )


def _lod(
    lod: Any,
    where: str,
    vertex_buffers: tuple[VertexBuffer, ...],
    index_buffers: list[IndexBuffer],
    report: Report,
) -> Lod:
    """A level of detail. Primitives that use missing vertices are left out and reported. FormatError for a
    missing buffer, an unknown primitive type or indices outside the buffer.
    """
    kind, vertices, indices = int(lod["primitive"]), int(lod["vertex_buffer"]), int(lod["index_buffer"])
    start, count = int(lod["start"]), int(lod["count"])
    if kind >= len(PRIMITIVES):
        raise FormatError(f"primitive type {kind} is unknown", f"{where}/primitive")
    if vertices >= len(vertex_buffers):
        raise FormatError(f"vertex buffer {vertices} does not exist", f"{where}/vertex_buffer")
    if indices >= len(index_buffers):
        raise FormatError(f"index buffer {indices} does not exist", f"{where}/index_buffer")
    if start + count > len(index_buffers[indices].data):
        raise FormatError(
            f"indices {start} to {start + count} lie outside index buffer {indices}", f"{where}/start"
        )
    placed = Lod(float(lod["distance"]), (vertices,), indices, start, count, PRIMITIVES[kind])
    if not count:
        return placed
    kept, dropped = drop_stray_indices(placed, index_buffers, vertex_buffers[vertices].count)
    if dropped:
        report.warn(
            f"{where}: {dropped} primitives use missing vertices: only "
            f"{vertex_buffers[vertices].count} exist",
            topic=Topic.INDEX,
        )
    return kept


def _morph(record: Struct, vertex_buffers: tuple[VertexBuffer, ...], report: Report) -> Morph:
    name = record.get("name", "")
    targets: dict[int, MorphTarget] = {}
    for target in record.get("targets", ()):
        records = target.get("records")
        if records is None:
            continue
        buffer = target.vertex_buffer
        count = vertex_buffers[buffer].count if buffer < len(vertex_buffers) else 0
        inside = records["vertex"] < count
        if not inside.all():
            lost = f"{int((~inside).sum())} deltas move vertices that are not in buffer {buffer}"
            report.warn(f"morph {name!r}: {lost}", topic=Topic.NUMBER)
            records = records[inside]
        if buffer < len(vertex_buffers):
            targets[buffer] = MorphTarget(buffer, records["vertex"], *_deltas(records))
    return Morph(name, tuple(targets.values()), float(record.get("weight", 0.0)))


def _deltas(records: Array) -> tuple[Array | None, ...]:
    names = records.dtype.names or ()
    return tuple(records[part] if part in names else None for part in ("position", "normal", "tangent"))


def build_skeleton(bones: list[Struct] | tuple[()], report: Report) -> Skeleton | None:
    """Return the skeleton of bone records. None if there are no bones, or if their parents form a cycle. A
    cycle is reported.
    """
    whole = [bone for bone in bones if bone.get("collision") is not None]
    if not whole:
        return None
    names = tuple(bone.name for bone in whole)
    parents, root = _parents(whole)
    try:
        refuse_cycles(names, parents)
    except FormatError as error:
        error.path, error.offset = "model/bones", whole[0].marks[0]
        report.fail(error)
        return None
    poses = np.array([bone.pose for bone in whole])
    return Skeleton(
        names=names,
        parents=parents,
        positions=poses["position"],
        rotations=poses["rotation"][:, WXYZ_TO_XYZW],
        scales=poses["scale"],
        inverse_bind=poses["offset"],
        hitboxes=tuple(map(_hitbox, whole)),
        root=root,
    )


def _parents(bones: list[Struct]) -> tuple[Array, int | None]:
    """The parent number of each bone (-1 for a root), and the number of the bone whose subtree is animated.
    The animated subtree is below the last bone that is its own parent; the number is None if no bone is its
    own parent.
    """
    stored = np.array([bone.parent for bone in bones], np.int64)
    own = np.arange(len(stored))
    parents = np.where((stored == own) | (stored >= len(stored)), -1, stored).astype(np.int32)
    roots = np.flatnonzero(stored == own)
    return parents, int(roots[-1]) if len(roots) else None


def _hitbox(bone: Struct) -> Hitbox | None:
    radius, box = bone.get("radius"), bone.get("box")
    if radius is None and box is None:
        return None
    return Hitbox(radius, np.stack((box["min"], box["max"])) if box is not None else None)


def _bounds(box: Any) -> Array | None:
    """The bounds [2, 3]; None if undefined, which Urho3D stores as inverted infinities."""
    if box is None:
        return None
    corners = np.stack((box["min"], box["max"]))
    return corners if np.isfinite(corners).all() and (corners[0] <= corners[1]).all() else None
