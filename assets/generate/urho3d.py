"""Neutral meshes, rigs and clips as Urho3D files: `.mdl` (UMD2), `.ani` (UANI) and their sidecars.

The models are built in Urho3D's own axes: left-handed, +Y up, +Z ahead, triangles clockwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from generate.mesh import Mesh, join, strongest
from generate.rig import Clip, Rig, continuous, quaternions
from viewer.arrays import Array
from viewer.binary import Struct
from viewer.families.urho3d import elements
from viewer.families.urho3d.animation_layout import ANIMATION, POSITION, ROTATION, SCALE, key_dtype
from viewer.families.urho3d.model_layout import (
    BONE_POSE,
    LOD,
    MODEL,
    MORPH_NORMAL,
    MORPH_POSITION,
    morph_dtype,
)

ELEMENTS = (
    (elements.VEC3, elements.POSITION, 0, 0),
    (elements.VEC3, elements.NORMAL, 0, 0),
    (elements.VEC4, elements.TANGENT, 0, 0),
    (elements.VEC2, elements.TEXCOORD, 0, 0),
    (elements.UBYTE4_NORM, elements.WEIGHTS, 0, 0),
    (elements.UBYTE4, elements.JOINTS, 0, 0),
)
VERTEX = np.dtype(
    [
        ("position", "<f4", 3),
        ("normal", "<f4", 3),
        ("tangent", "<f4", 4),
        ("uv0", "<f4", 2),
        ("weights", "u1", 4),
        ("joints", "u1", 4),
    ]
)
TRIANGLES = 0
HIT_SHARE = 0.35
"""A bone's hitbox holds the vertices of which it has this share."""
STILL = 1e-6
WXYZ = [3, 0, 1, 2]


def pack_model(
    rig: Rig,
    geometries: Sequence[Sequence[Mesh]],
    distances: Sequence[float],
    morphs: Mapping[str, Sequence[Sequence[Mesh]]],
) -> bytes:
    """A model file. Each geometry has a mesh for every distance; a morph gives them all again, moved."""
    maps = [_bone_map(lods) for lods in geometries]
    vertices = [_vertices(mesh, used) for lods, used in zip(geometries, maps, strict=True) for mesh in lods]
    whole = join([mesh for lods in geometries for mesh in lods])
    targets = {
        name: _deltas(whole, join([mesh for lods in moved for mesh in lods]))
        for name, moved in morphs.items()
    }
    moved = np.concatenate([records["vertex"] for records in targets.values()])
    buffer = Struct(
        vertex_count=len(whole.positions),
        elements=np.array(list(ELEMENTS), elements.ELEMENT),
        morph_start=int(moved.min()),
        morph_count=int(np.ptp(moved)) + 1,
        vertices=np.concatenate(vertices),
    )
    size = 2 if len(whole.positions) <= 0xFFFF else 4
    indices = Struct(index_count=whole.triangles.size, index_size=size, indices=whole.triangles.ravel())
    return MODEL.pack(
        Struct(
            magic="UMD2",
            vertex_buffers=[buffer],
            index_buffers=[indices],
            geometries=_geometries(geometries, maps, distances),
            morphs=[_morph(name, records) for name, records in targets.items()],
            bones=_bones(rig, whole),
            bounds=_box(whole.positions),
            centers=np.array([_middle(lods[0].positions) for lods in geometries]),
        )
    )


def pack_animation(rig: Rig, clip: Clip) -> bytes:
    """An animation file: a track for each bone that moves, with the channels that leave the rest pose."""
    tracks = [_track(rig, clip, bone) for bone in range(len(rig))]
    return ANIMATION.pack(
        Struct(
            magic="UANI", name=clip.name, length=float(clip.times[-1]), tracks=[t for t in tracks if t.mask]
        )
    )


def triggers(clip: Clip) -> str:
    """The sidecar with the events of a clip."""
    rows = [f'    <trigger time="{time:g}" type="String" value="{name}" />\n' for time, name in clip.events]
    return f"<animation>\n{''.join(rows)}</animation>\n"


def _bone_map(lods: Sequence[Mesh]) -> Array:
    """The bones that a geometry needs, ascending."""
    return np.unique(np.concatenate([strongest(mesh.influence)[0].ravel() for mesh in lods]))


def _vertices(mesh: Mesh, used: Array) -> Array:
    assert mesh.normals is not None and mesh.tangents is not None
    joints, weights = strongest(mesh.influence)
    out = np.empty(len(mesh.positions), VERTEX)
    out["position"], out["normal"], out["tangent"] = mesh.positions, mesh.normals, mesh.tangents
    out["uv0"], out["joints"] = mesh.uvs, np.searchsorted(used, joints)
    out["weights"] = np.floor(weights * 255)
    out["weights"][:, 0] += 255 - out["weights"].sum(axis=1, dtype="u1")
    return out


def _geometries(
    geometries: Sequence[Sequence[Mesh]], maps: Sequence[Array], distances: Sequence[float]
) -> list[Struct]:
    out, start = [], 0
    for lods, used in zip(geometries, maps, strict=True):
        levels = []
        for distance, mesh in zip(distances, lods, strict=True):
            levels.append((distance, TRIANGLES, 0, 0, start, mesh.triangles.size))
            start += mesh.triangles.size
        out.append(Struct(bone_map=used, lods=np.array(levels, LOD)))
    return out


def _deltas(rest: Mesh, moved: Mesh) -> Array:
    """Morph records of the vertices that differ."""
    assert rest.normals is not None and moved.normals is not None
    position, normal = moved.positions - rest.positions, moved.normals - rest.normals
    touched = np.flatnonzero(np.linalg.norm(position, axis=1) > 1e-5)
    out = np.empty(len(touched), morph_dtype(Struct(mask=MORPH_POSITION | MORPH_NORMAL)))
    out["vertex"], out["position"], out["normal"] = touched, position[touched], normal[touched]
    return out


def _morph(name: str, records: Array) -> Struct:
    return Struct(
        name=name, targets=[Struct(vertex_buffer=0, mask=MORPH_POSITION | MORPH_NORMAL, records=records)]
    )


def _bones(rig: Rig, mesh: Mesh) -> list[Struct]:
    local, inverse = rig.local, rig.inverse_bind
    poses = np.zeros(len(rig), BONE_POSE)
    poses["position"], poses["scale"], poses["offset"] = local[:, :, 3], 1, inverse
    poses["rotation"] = quaternions(local[:, :, :3])[:, WXYZ]
    bones = []
    for bone, (name, parent) in enumerate(zip(rig.names, rig.parents, strict=True)):
        held = mesh.positions[mesh.influence[:, bone] >= HIT_SHARE]
        hit = (
            {"collision": 2, "box": _box(held @ inverse[bone, :, :3].T + inverse[bone, :, 3])}
            if len(held)
            else {"collision": 0}
        )
        bones.append(Struct(name=name, parent=bone if parent < 0 else parent, pose=poses[bone], **hit))
    return bones


def _box(points: Array) -> tuple[Array, Array]:
    return points.min(axis=0), points.max(axis=0)


def _middle(points: Array) -> Array:
    return np.asarray((points.min(axis=0) + points.max(axis=0)) / 2)


def _track(rig: Rig, clip: Clip, bone: int) -> Struct:
    rest = rig.local[bone]
    rotations = continuous(clip.rotations[:, bone])
    channels = {
        "position": (POSITION, clip.positions[:, bone], rest[:, 3]),
        "rotation": (ROTATION, rotations, quaternions(rest[:, :3])),
        "scale": (SCALE, clip.scales[:, bone], np.ones(3)),
    }
    moving = {name: channel for name, channel in channels.items() if _moves(*channel[1:])}
    mask = sum(bit for bit, _, _ in moving.values())
    keys = np.empty(len(clip.times), key_dtype(Struct(mask=mask)))
    keys["time"] = clip.times
    for name, (bit, values, _) in moving.items():
        keys[name] = values[:, WXYZ] if bit == ROTATION else values
    return Struct(name=rig.names[bone], mask=mask, keys=keys)


def _moves(values: Array, still: Array) -> bool:
    return bool(np.abs(values - still).max() > STILL)
