"""Neutral meshes, rigs and clips as OGRE files: `.mesh` v1.100, `.skeleton`, and the skeletons of TLBB.

The models are built in OGRE's own axes: right-handed, +Y up, triangles counter-clockwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from generate.mesh import Mesh, join, strongest
from generate.rig import Clip, Rig, continuous, quaternions
from viewer.arrays import Array
from viewer.binary import Run, Struct, stream
from viewer.families.ogre import extras_layout as extras
from viewer.families.ogre import geometry_layout as geometry
from viewer.families.ogre import mesh_layout as layout
from viewer.families.ogre import skeleton_layout as bones
from viewer.families.ogre.elements import vertex_dtype
from viewer.families.ogre.names import BytesName
from viewer.families.ogre.versions import HEADER_ID

Influences = tuple[float, Sequence[tuple[float, Mapping[str, float]]]]
"""Length, and keys of (time, weight by pose)."""

Keys = Callable[[Array, dict[str, Array]], tuple[Any, Any]]
"""Times and parts to the chunk of a track."""

ELEMENTS = ((0, 2, 1, 0, 0), (0, 2, 4, 12, 0), (0, 1, 7, 24, 0))
"""Source, type, meaning, offset, set: three floats of position, three of normal, two of uv."""
STRIDE = 32
SHARED, POSE_TRACK, TRIANGLES = 0, 2, 4
LEAST_WEIGHT = 0.004
STILL = 1e-5
PARTS = (bones.LISTED_ROTATION, bones.LISTED_TRANSLATION, bones.LISTED_SCALE)


class Submesh(NamedTuple):
    """A part of the mesh with a name and a material of its own."""

    name: str
    material: str
    mesh: Mesh


def pack_mesh(
    submeshes: Sequence[Submesh],
    skeleton: str,
    poses: Mapping[str, Sequence[Mesh]],
    animations: Mapping[str, Influences],
) -> bytes:
    """A mesh file with one shared geometry. A pose gives the submeshes' meshes again, moved. Without the name
    of a skeleton, the mesh has no bones.
    """
    whole = join([submesh.mesh for submesh in submeshes])
    starts = np.cumsum([0, *(len(submesh.mesh.positions) for submesh in submeshes)])
    names = [
        (layout.SUBMESH_NAME, Struct(submesh=k, name=submesh.name)) for k, submesh in enumerate(submeshes)
    ]
    box = whole.positions.min(axis=0), whole.positions.max(axis=0)
    reach = float(np.linalg.norm(whole.positions, axis=1).max())
    moved = {name: join(list(meshes)) for name, meshes in poses.items()}
    chunks = stream(
        (geometry.GEOMETRY, _geometry(whole)),
        *((layout.SUBMESH, _submesh(each, start)) for each, start in zip(submeshes, starts, strict=False)),
        *(((layout.SKELETON_LINK, Struct(file=skeleton)),) if skeleton else ()),
        *(((layout.SHARED_ASSIGNMENTS, _assignments(whole)),) if skeleton else ()),
        (layout.BOUNDS, Struct(min=box[0], max=box[1], radius=reach)),
        (layout.NAMES, Struct(chunks=stream(*names))),
        (extras.POSES, Struct(chunks=stream(*(_pose(name, whole, mesh) for name, mesh in moved.items())))),
        (
            extras.ANIMATIONS,
            Struct(chunks=stream(*(_pose_clip(*each, list(poses)) for each in animations.items()))),
        ),
    )
    mesh = Struct(skeletally_animated=int(bool(skeleton)), chunks=chunks)
    version = "[MeshSerializer_v1.100]"
    return layout.MESH_FILE.pack(
        Struct(header=HEADER_ID, version=version, chunks=stream((layout.MESH, mesh))), "<"
    )


def pack_skeleton(rig: Rig, clips: Sequence[Clip]) -> bytes:
    """A skeleton file as OGRE writes it since 1.8: a chunk for every key."""
    return _skeleton("[Serializer_v1.80]", rig, clips, str, _keys)


def pack_tlbb_skeleton(rig: Rig, clips: Sequence[Clip], translate: Callable[[str], str]) -> bytes:
    """The same with a key list for every track, which holds only moving channels; names are in GBK."""

    def name(english: str) -> BytesName:
        return BytesName.of(translate(english).encode("gbk"))

    return _skeleton("[Serializer_v1.10]", rig, clips, name, _key_list)


def _rows(kind: Run, count: int, **given: Any) -> Array:
    """Records of a run whose dtype may depend on the values given; their headers are left to the writer."""
    dtype = kind.dtype if isinstance(kind.dtype, np.dtype) else kind.dtype(Struct(**given))
    return np.zeros(count, dtype)


def _geometry(mesh: Mesh) -> Struct:
    assert mesh.normals is not None
    elements = _rows(geometry.ELEMENTS, len(ELEMENTS))
    for field, column in zip(
        ("source", "type", "semantic", "offset", "index"), zip(*ELEMENTS, strict=True), strict=True
    ):
        elements[field] = column
    vertices = np.zeros(len(mesh.positions), vertex_dtype(elements, 0, STRIDE))
    vertices["position"], vertices["normal"], vertices["uv0"] = mesh.positions, mesh.normals, mesh.uvs
    buffer = Struct(bind=0, stride=STRIDE, chunks=stream((geometry.DATA, Struct(vertices=vertices))))
    declaration = Struct(chunks=stream((geometry.ELEMENTS, elements)))
    return Struct(
        vertex_count=len(vertices),
        chunks=stream((geometry.DECLARATION, declaration), (geometry.VERTEX_BUFFER, buffer)),
    )


def _submesh(submesh: Submesh, start: int) -> Struct:
    indices = (submesh.mesh.triangles.ravel() + start).astype(np.uint16)
    return Struct(
        material=submesh.material,
        shared=1,
        index_count=len(indices),
        wide=0,
        indices=indices,
        own=stream(),
        chunks=stream((layout.OPERATION, Struct(operation=TRIANGLES))),
    )


def _assignments(mesh: Mesh) -> Array:
    joints, weights = strongest(mesh.influence)
    kept = weights > LEAST_WEIGHT
    rows = _rows(layout.SHARED_ASSIGNMENTS, int(kept.sum()))
    rows["vertex"], rows["bone"], rows["weight"] = np.nonzero(kept)[0], joints[kept], weights[kept]
    return rows


def _pose(name: str, rest: Mesh, moved: Mesh) -> tuple[Any, Struct]:
    offset = moved.positions - rest.positions
    touched = np.flatnonzero(np.linalg.norm(offset, axis=1) > STILL)
    rows = _rows(extras.OFFSETS, len(touched), normals=False)
    rows["vertex"], rows["offset"] = touched, offset[touched]
    pose = Struct(name=name, target=SHARED, normals=0, chunks=stream((extras.OFFSETS, rows)))
    return extras.POSE_SHAPE, pose


def _pose_clip(name: str, influences: Influences, poses: Sequence[str]) -> tuple[Any, Struct]:
    length, keys = influences
    made = []
    for time, weights in keys:
        rows = _rows(extras.INFLUENCES, len(weights))
        rows["pose"] = [poses.index(pose) for pose in weights]
        rows["influence"] = list(weights.values())
        made.append((extras.POSE_KEY, Struct(time=time, chunks=stream((extras.INFLUENCES, rows)))))
    track = Struct(kind=POSE_TRACK, target=SHARED, chunks=stream(*made))
    return extras.VERTEX_ANIMATION, Struct(
        name=name, length=length, chunks=stream((extras.VERTEX_TRACK, track))
    )


def _skeleton(
    version: str,
    rig: Rig,
    clips: Sequence[Clip],
    name: Callable[[str], str],
    keys: Keys,
) -> bytes:
    newer = () if version.endswith("v1.10]") else ((bones.BLEND_MODE, Struct(mode=bones.AVERAGE)),)
    local = rig.local
    turned = quaternions(local[:, :, :3])
    listed = [
        (bones.BONE, Struct(name=name(each), handle=k, position=local[k, :, 3], rotation=turned[k]))
        for k, each in enumerate(rig.names)
    ]
    above = np.array(rig.parents)
    parents = _rows(bones.PARENTS, int((above >= 0).sum()))
    parents["child"], parents["parent"] = np.flatnonzero(above >= 0), above[above >= 0]
    played = [
        (
            bones.ANIMATION,
            Struct(
                name=name(clip.name), length=float(clip.times[-1]), chunks=stream(*_tracks(rig, clip, keys))
            ),
        )
        for clip in clips
    ]
    chunks = stream(*newer, *listed, (bones.PARENTS, parents), *played)
    return bones.SKELETON_FILE.pack(Struct(header=HEADER_ID, version=version, chunks=chunks), "<")


def _tracks(rig: Rig, clip: Clip, keys: Keys) -> list[tuple[Any, Struct]]:
    """For each bone that moves, its keys relative to the bind pose."""
    tracks = []
    for bone in range(len(rig)):
        parts = _relative(rig.local[bone], clip, bone)
        if parts:
            track = Struct(bone=bone, chunks=stream(keys(clip.times, parts)))
            tracks.append((bones.TRACK, track))
    return tracks


def _relative(rest: Array, clip: Clip, bone: int) -> dict[str, Array]:
    """`rotation`, `translation` and `scale` of a bone, as far as they differ from the bind pose."""
    back = quaternions(rest[:, :3]) * (-1, -1, -1, 1)
    rotation = continuous(_product(back, clip.rotations[:, bone]))
    rotation *= np.where(rotation[0, 3] < 0, -1, 1)
    parts = {
        "rotation": (rotation, (0, 0, 0, 1)),
        "translation": (clip.positions[:, bone] - rest[:, 3], (0, 0, 0)),
        "scale": (clip.scales[:, bone], (1, 1, 1)),
    }
    return {name: values for name, (values, still) in parts.items() if np.abs(values - still).max() > STILL}


def _product(first: Array, second: Array) -> Array:
    """[K, 4] xyzw: `second`, then `first`."""
    u, v = first[..., :3], second[..., :3]
    vector = first[..., 3:] * v + second[..., 3:] * u + np.cross(np.broadcast_to(u, v.shape), v)
    scalar = first[..., 3:] * second[..., 3:] - np.sum(u * v, axis=-1, keepdims=True)
    return np.concatenate((vector, scalar), axis=-1)


def _keys(times: Array, parts: dict[str, Array]) -> tuple[Any, Any]:
    """Stock keys, which have rotation and translation, and a scale if needed."""
    declared = bones.PLAIN_KEY + (12 if "scale" in parts else 0)
    rows = _rows(bones.KEYS, len(times), declared=declared)
    rows["time"], rows["rotation"] = times, (0, 0, 0, 1)
    for name, values in parts.items():
        rows[name] = values
    return bones.KEYS, rows


def _key_list(times: Array, parts: dict[str, Array]) -> tuple[Any, Any]:
    flags = sum(
        bit for bit, name in zip(PARTS, ("rotation", "translation", "scale"), strict=True) if name in parts
    )
    record = Struct(key_count=len(times), flags=flags)
    rows = np.zeros(len(times), bones.listed_key(record))
    rows["time"] = times
    for name, values in parts.items():
        rows[name] = values
    record.keys = rows
    return bones.KEY_LIST, record
