"""Build geometries from views: each submesh becomes a geometry, each view a level of detail.

Views limit the number of bones of a submesh differently, so one submesh of a view may be several submeshes in
another view.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from msgspec import Struct, field

from viewer.arrays import Array
from viewer.binary.tables import RecordTables
from viewer.errors import Report, Topic
from viewer.families.wow.m2.effects.extras import triple
from viewer.families.wow.m2.layout.records import VERTEX
from viewer.families.wow.m2.mesh.views import SkinView
from viewer.families.wow.m2.names import geoset_name
from viewer.scene.mesh.primitives import drop_stray_indices
from viewer.scene.model import GROUP, Geometry, IndexBuffer, Lod, Primitive, VertexBuffer, VertexElement

EARS, DEFAULT_EARS, DEFAULT_VARIANT = 7, 2, 1


ELEMENTS = (
    VertexElement("position", "f32", 3, 0),
    VertexElement("weights", "u8", 4, 12, True),
    VertexElement("bones", "u8", 4, 16),
    VertexElement("normal", "f32", 3, 20),
    VertexElement("uv0", "f32", 2, 32),
    VertexElement("uv1", "f32", 2, 40),
)
NARROW = 0xFFFF
REACH = 256
"""Number of bones that a one-byte joint can select."""
NOTHING = Lod(0.0, (), None, 0, 0, Primitive.TRIANGLES)
SIGNATURE = ("material", "texture", "texture_count", "layer", "color", "transparency", "transform")

Key = tuple[int, tuple[tuple[int, ...], ...]]


class SubmeshParts(Struct, eq=False):
    """A geometry under construction. `bones` [P] is its bone map. `batches` come from the first view that
    contains the geometry. `center` moves with `center_bone`; if `center_bone` is None, it does not move.
    """

    geoset: int
    bones: Array
    center: tuple[float, float, float]
    batches: list[Any]
    center_bone: int | None = None
    lods: list[Lod] = field(default_factory=list)


class ViewGeometry(Struct, eq=False):
    """The buffers and the geometries under construction of all views."""

    vertices: list[VertexBuffer]
    indices: list[IndexBuffer]
    parts: list[SubmeshParts]


def build_mesh(records: RecordTables, views: Sequence[SkinView], bones: int, report: Report) -> ViewGeometry:
    """Build the buffers and parts of a model's views. `bones` is the number of bones in the skeleton.
    Triangles with indices past the vertices are left out and reported.
    """
    mesh, own_parts = ViewGeometry([_buffer(records.tables["vertices"])], [], []), 0
    for level, view in enumerate(views):
        pieces = _assigned(mesh.parts, view, level, bones)
        _remember_bones(records, mesh.parts, pieces, view)
        streams, indices = _streams(records, mesh, view, pieces, report)
        mesh.indices.append(IndexBuffer(indices))
        first = len(mesh.indices) - 1
        chosen: dict[int, list[int]] = {}
        for piece, owner in pieces:
            chosen.setdefault(owner, []).append(piece)
        for number, part in enumerate(mesh.parts):
            own = chosen.get(number)
            part.lods.append(_lod(mesh, view, first, own, streams, report) if own else NOTHING)
        own_parts = own_parts or len(mesh.parts)
    if any(message.topic is Topic.VIEW for message in report.messages):
        mesh.parts[:] = _drawn_parts(mesh.parts, own_parts)
    return mesh


def _drawn_parts(parts: list[SubmeshParts], own: int) -> list[SubmeshParts]:
    """Leave out parts without triangles, which come from a view that does not fit the model. The `own` parts
    of the first view keep their numbers: they stay, unless no part has triangles.
    """
    drawn = [any(lod.count for lod in part.lods) for part in parts]
    return [part for number, part in enumerate(parts) if any(drawn) and (number < own or drawn[number])]


def geometries(mesh: ViewGeometry, part_materials: Sequence[Sequence[int]]) -> tuple[Geometry, ...]:
    """Return the parts as geometries. `part_materials` are the material numbers of each part, lowest layer
    first.
    """
    shown = shown_at_first([part.geoset for part in mesh.parts])
    return tuple(
        Geometry(
            name=geoset_name(part.geoset),
            lods=tuple(part.lods),
            bone_map=part.bones if len(part.bones) else None,
            material=materials[0] if materials else None,
            center=part.center,
            center_bone=part.center_bone,
            layers=tuple(materials[1:]),
            geoset=part.geoset,
            shown=visible,
        )
        for part, materials, visible in zip(mesh.parts, part_materials, shown, strict=True)
    )


def _buffer(vertices: Array) -> VertexBuffer:
    raw = np.ascontiguousarray(vertices).view(np.uint8).reshape(-1)
    return VertexBuffer(raw, len(vertices), VERTEX.itemsize, ELEMENTS)


def _assigned(parts: list[SubmeshParts], view: SkinView, level: int, bones: int) -> list[tuple[int, int]]:
    """Return the part of each submesh in the view as pairs (submesh, part); append new parts.

    The submeshes with a certain geoset and materials are paired in order with the parts that have the same
    geoset and materials. If there are more submeshes than parts, the last part gets the rest.
    """
    known: dict[Key, list[int]] = {}
    for number, part in enumerate(parts):
        known.setdefault(_key(part.geoset, part.batches), []).append(number)
    used: dict[Key, int] = {}
    part_materials: dict[int, list[Any]] = {}
    for batch in view.batches:
        part_materials.setdefault(int(batch["submesh"]), []).append(batch)
    found = []
    for piece, submesh in enumerate(view.submeshes):
        batches = sorted(part_materials.get(piece, ()), key=lambda batch: int(batch["layer"]))
        key = _key(int(submesh["id"]), batches)
        owners = known.get(key, [])
        if not owners:
            center = submesh["sort_center" if "sort_center" in submesh.dtype.names else "center"]
            bone = int(submesh["center_bone"])
            part = SubmeshParts(
                geoset=int(submesh["id"]),
                bones=np.empty(0, np.int64),
                center=triple(center),
                batches=batches,
                center_bone=bone if bone < bones else None,
            )
            part.lods = [NOTHING] * level
            parts.append(part)
            found.append((piece, len(parts) - 1))
            continue
        turn = used.get(key, 0)
        used[key] = turn + 1
        found.append((piece, owners[min(turn, len(owners) - 1)]))
    return found


def _key(geoset: int, batches: Sequence[Any]) -> Key:
    return geoset, tuple(tuple(int(batch[name]) for name in SIGNATURE) for batch in batches)


def _remember_bones(
    records: RecordTables, parts: list[SubmeshParts], pieces: Sequence[tuple[int, int]], view: SkinView
) -> None:
    """Add the bones in the windows of a view's submeshes to the bone maps of their parts."""
    for piece, owner in pieces:
        window = _window(records, view.submeshes[piece])
        part = parts[owner]
        new = window[~np.isin(window, part.bones)] if len(part.bones) else window
        if len(new):
            part.bones = np.concatenate((part.bones, new))


def _window(records: RecordTables, submesh: Any) -> Array:
    start, count = int(submesh["bone_start"]), int(submesh["bone_count"])
    return records.tables["bone_combos"][start : start + min(count, REACH)].astype(np.int64)


def _streams(
    records: RecordTables,
    mesh: ViewGeometry,
    view: SkinView,
    pieces: Sequence[tuple[int, int]],
    report: Report,
) -> tuple[tuple[int, ...], Array]:
    """Return the numbers of the vertex buffers that a view uses, and the view's indices into these buffers.

    A view uses the model's vertices and a buffer of joints. If the view gives one vertex several joints, its
    vertices are copied in the view's order.
    """
    stored = records.tables["vertices"]
    known = view.vertices < len(stored)
    if not known.all():
        lost = int((~known).sum())
        text = f"{lost} vertices of a view are not among the model's {len(stored)} vertices"
        report.warn(text, topic=Topic.VIEW)
    order = np.where(known, view.vertices, 0)
    if not len(stored) or not len(order):
        return (0,), view.indices
    placed = None
    if len(view.joints) >= len(order):
        joints = _joints(records, mesh, view, pieces)
        placed = np.zeros((len(stored), 4), joints.dtype)
        placed[order] = joints
        if not ((placed[order] == joints) | (stored["weights"][order] == 0)).all():
            mesh.vertices += [_buffer(stored[order]), _joint_buffer(joints)]
            return (len(mesh.vertices) - 2, len(mesh.vertices) - 1), view.indices
    # the index past the end stays an invalid index
    numbers = np.append(order, len(stored)).astype(np.uint16 if len(stored) <= NARROW else np.uint32)
    last = min(len(order), int(np.iinfo(view.indices.dtype).max))
    indices = numbers[np.minimum(view.indices, last)]
    if placed is None:
        return (0,), indices
    mesh.vertices.append(_joint_buffer(placed))
    return (0, len(mesh.vertices) - 1), indices


def _joint_buffer(joints: Array) -> VertexBuffer:
    element = VertexElement("joints", "u8" if joints.itemsize == 1 else "u16", 4, 0)
    raw = np.ascontiguousarray(joints).view(np.uint8).reshape(-1)
    return VertexBuffer(raw, len(joints), 4 * joints.itemsize, (element,))


def _joints(
    records: RecordTables, mesh: ViewGeometry, view: SkinView, pieces: Sequence[tuple[int, int]]
) -> Array:
    """Return the joints [V, 4] as indices into the bone maps of the parts.

    If the bone map of a part begins with the submesh's window, the joints of the part stay as stored.
    """
    stored = view.joints[: len(view.vertices)]
    out = stored.astype(np.uint16)
    for piece, owner in pieces:
        submesh, bones = view.submeshes[piece], mesh.parts[owner].bones
        window = _window(records, submesh)
        if np.array_equal(bones[: len(window)], window):
            continue
        order = np.argsort(bones, kind="stable")
        slots = order[np.searchsorted(bones, window, sorter=order)]
        start = int(submesh["vertex_start"])
        rows = slice(start, start + int(submesh["vertex_count"]))
        stray = np.full(REACH, len(bones))
        stray[: len(slots)] = slots
        out[rows] = stray[stored[rows]]
    return out if out.max(initial=0) > 0xFF else out.astype(np.uint8)


def _lod(
    mesh: ViewGeometry,
    view: SkinView,
    indices: int,
    pieces: Sequence[int],
    streams: tuple[int, ...],
    report: Report,
) -> Lod:
    """Build a level of detail from the submeshes `pieces` of a view."""
    stretches = []
    for piece in pieces:
        submesh = view.submeshes[piece]
        start = int(submesh["index_start"]) + (int(submesh["level"]) << 16)
        stop = start + int(submesh["index_count"])
        if stop > len(view.indices):
            text = f"submesh {piece}: indices {start} to {stop} exceed the view's {len(view.indices)} indices"
            report.warn(text, topic=Topic.VIEW)
            continue
        stretches.append((start, stop))
    joined = all(before[1] == after[0] for before, after in pairwise(stretches))
    if not joined:
        parts = [mesh.indices[indices].data[start:stop] for start, stop in stretches]
        mesh.indices.append(IndexBuffer(np.concatenate(parts)))
        indices, stretches = len(mesh.indices) - 1, [(0, sum(map(len, parts)))]
    if not stretches or stretches[0][0] == stretches[-1][1]:
        return NOTHING
    start, stop = stretches[0][0], stretches[-1][1]
    placed = Lod(0.0, streams, indices, start, stop - start, Primitive.TRIANGLES)
    kept, dropped = drop_stray_indices(placed, mesh.indices, mesh.vertices[streams[0]].count)
    if dropped:
        text = f"{dropped} triangles of submesh {pieces[0]} use vertices that the view does not have"
        report.warn(text, topic=Topic.VIEW)
    return kept


def shown_at_first(geosets: Sequence[int]) -> list[bool]:
    """For each geoset, return whether a client draws it by default.

    A client draws the body and one variant of each group: variant 1, for ears variant 2. If the model lacks
    this variant, the client draws the lowest variant. Source: WoW Model Viewer.
    """
    variants: dict[int, set[int]] = {}
    for geoset in geosets:
        if geoset:
            variants.setdefault(geoset // GROUP, set()).add(geoset % GROUP)
    chosen = {0}
    for group, known in variants.items():
        usual = DEFAULT_EARS if group == EARS else DEFAULT_VARIANT
        chosen.add(group * GROUP + (usual if usual in known else min(known)))
    return [geoset in chosen for geoset in geosets]
