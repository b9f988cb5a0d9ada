"""Small Urho3D files made with our own writer, and small models made of arrays for the tests of the GPU."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from msgspec.structs import replace

from viewer.animation.pose import Pose
from viewer.arrays import Array
from viewer.binary import Struct
from viewer.families.urho3d.animation_layout import ANIMATION, key_dtype
from viewer.families.urho3d.elements import (
    ELEMENT,
    JOINTS,
    NORMAL,
    POSITION,
    TEXCOORD,
    UBYTE4,
    VEC2,
    VEC3,
    VEC4,
    WEIGHTS,
)
from viewer.families.urho3d.model_layout import AABB, BONE_POSE, LOD, MODEL, morph_dtype
from viewer.scene.model import Geometry, IndexBuffer, Lod, Model, Primitive, VertexBuffer, VertexElement
from viewer.scene.skeleton import Skeleton
from viewer.session.state import State
from viewer.storage.documents import open_document

ELEMENTS = (
    (VEC3, POSITION, 0, 0),
    (VEC3, NORMAL, 0, 0),
    (VEC2, TEXCOORD, 0, 0),
    (VEC4, WEIGHTS, 0, 0),
    (UBYTE4, JOINTS, 0, 0),
)

VERTEX = np.dtype(
    [
        ("position", "<f4", 3),
        ("normal", "<f4", 3),
        ("uv0", "<f4", 2),
        ("weights", "<f4", 4),
        ("joints", "u1", 4),
    ]
)


def post(rings: int = 5) -> tuple[Any, Any]:
    """A square post of height 1: `rings` rings of four vertices, bound to bones 0 and 1 by height."""
    heights = np.repeat(np.linspace(0, 1, rings), 4)
    corners = np.tile([[-1, -1], [1, -1], [1, 1], [-1, 1]], (rings, 1)) * 0.1
    vertices = np.zeros(4 * rings, VERTEX)
    vertices["position"] = np.stack((corners[:, 0], heights, corners[:, 1]), axis=1)
    vertices["normal"] = np.stack((corners[:, 0], 0 * heights, corners[:, 1]), axis=1) / np.hypot(0.1, 0.1)
    vertices["uv0"] = np.stack((np.tile([0, 0.25, 0.5, 0.75], rings), 1 - heights), axis=1)
    vertices["weights"][:, :2] = np.stack((1 - heights, heights), axis=1)
    vertices["joints"][:, 1] = 1
    ring = np.arange(rings - 1)[:, None, None] * 4
    side = np.arange(4)[None, :, None]
    after = (side + 1) % 4
    quads = np.concatenate(
        (ring + side, ring + 4 + side, ring + after, ring + after, ring + 4 + side, ring + 4 + after), 2
    )
    return vertices, quads.astype("<u2").ravel()


def bone(name: str, parent: int, height: float, local: float, **more: Any) -> Struct:
    """An unrotated bone whose bind origin is at `height`, `local` above its parent."""
    pose = np.zeros((), BONE_POSE)
    pose["position"] = (0, local, 0)
    pose["rotation"] = (1, 0, 0, 0)
    pose["scale"] = 1
    pose["offset"] = np.eye(3, 4)
    pose["offset"][1, 3] = -height
    return Struct(name=name, parent=parent, pose=pose, collision=0, **more)


def standing_on_z() -> list[Struct]:
    """A hip, a head above it and a foot below it, along +Z."""
    places = (("hip", 0, 1.0, 1.0), ("head", 0, 2.0, 1.0), ("foot", 0, 0.0, -1.0))
    bones = []
    for name, parent, height, local in places:
        made = bone(name, parent, 0.0, 0.0)
        made.pose["position"] = (0, 0, local)
        made.pose["offset"][2, 3] = -height
        bones.append(made)
    return bones


def model_record(magic: str = "UMD2", **changed: Any) -> Struct:
    """A post of two bones, one geometry with two LODs (the far one half of it), one morph."""
    vertices, indices = post()
    lods = np.zeros(2, LOD)
    lods["count"] = len(indices), len(indices) // 2
    lods["distance"] = 0, 10
    records = np.zeros(4, morph_dtype(Struct(mask=3)))
    records["vertex"] = np.arange(4) + 16
    records["position"] = (0, 0.5, 0)
    target = Struct(vertex_buffer=0, mask=3, records=records)
    buffer = Struct(
        vertex_count=len(vertices),
        elements=np.array(list(ELEMENTS), ELEMENT),
        morph_start=16,
        morph_count=4,
        vertices=vertices,
    )
    bounds = np.zeros((), AABB)
    bounds["min"], bounds["max"] = (-0.1, 0, -0.1), (0.1, 1, 0.1)
    values: dict[str, Any] = {
        "magic": magic,
        "vertex_buffers": [buffer],
        "index_buffers": [Struct(index_count=len(indices), index_size=2, indices=indices)],
        "geometries": [Struct(bone_map=np.array([0, 1], "<u4"), lods=lods)],
        "morphs": [Struct(name="taller", weight=0.25, targets=[target])],
        "bones": [bone("base", 0, 0, 0), bone("tip", 0, 0.5, 0.5)],
        "bounds": bounds,
        "centers": np.array([[0, 0.5, 0]], "<f4"),
    }
    if magic == "UMD3":
        values["version"] = 2
    return Struct(**(values | changed))


def model_bytes(magic: str = "UMD2", **changed: Any) -> bytes:
    """The bytes of `model_record`."""
    return MODEL.pack(model_record(magic, **changed))


def track(name: str, times: list[float], **channels: Any) -> Struct:
    """A track with the channels given: position=[[x, y, z], …], rotation=[[w, x, y, z], …], scale=…"""
    mask = sum({"position": 1, "rotation": 2, "scale": 4}[path] for path in channels)
    keys = np.zeros(len(times), key_dtype(Struct(mask=mask)))
    keys["time"] = times
    for path, values in channels.items():
        keys[path] = values
    return Struct(name=name, mask=mask, keys=keys)


def animation_record(
    name: str = "Bend", length: float = 1.0, tracks: list[Struct] | None = None, **more: Any
) -> Struct:
    """`tip` turns by 90 degrees about Z and back, and rises."""
    half = np.sqrt(0.5)
    bend = track(
        "tip",
        [0, 0.5, 1],
        position=[[0, 0.5, 0], [0, 0.6, 0], [0, 0.5, 0]],
        rotation=[[1, 0, 0, 0], [half, 0, 0, half], [1, 0, 0, 0]],
    )
    values = {"magic": "UANI", "name": name, "length": length, "tracks": [bend] if tracks is None else tracks}
    return Struct(**(values | more))


def animation_bytes(
    name: str = "Bend", length: float = 1.0, tracks: list[Struct] | None = None, **more: Any
) -> bytes:
    """The bytes of `animation_record`."""
    return ANIMATION.pack(animation_record(name, length, tracks, **more))


def write_pair(folder: Path) -> Path:
    """`Post.mdl` with `Post_Bend.ani` beside it; the model's path."""
    (folder / "Post.mdl").write_bytes(model_bytes())
    (folder / "Post_Bend.ani").write_bytes(animation_bytes())
    return folder / "Post.mdl"


def opened_with_two_clips(folder: Path) -> State:
    """The pair in view, with `Wave` beside its own clip `Bend`."""
    path = write_pair(folder)
    path.with_name("Wave.ani").write_bytes(animation_bytes("Wave", 2.0))
    state = State()
    state.put(open_document(path))
    return state


QUAD = np.array(((-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)), np.float32)
QUAD_INDICES = np.array((0, 1, 2, 0, 2, 3), np.uint16)


def vertex_buffer(normalized: tuple[str, ...] = (), gap: int = 0, **columns: Array) -> VertexBuffer:
    """A vertex buffer of these columns [V, components] in this order, with `gap` unused bytes in front."""
    elements, parts, offset = [], [], gap
    count = len(next(iter(columns.values())))
    for semantic, column in columns.items():
        kind = f"{column.dtype.kind}{column.dtype.itemsize * 8}"
        elements.append(VertexElement(semantic, kind, column.shape[1], offset, semantic in normalized))
        parts.append(
            np.ascontiguousarray(column).view(np.uint8).reshape(count, column.shape[1] * column.itemsize)
        )
        offset += parts[-1].shape[1]
    data = np.concatenate((np.full((count, gap), 0xFF, np.uint8), *parts), axis=1)
    return VertexBuffer(data.reshape(-1), count, offset, tuple(elements))


def model_of(
    *buffers: VertexBuffer,
    indices: Array = QUAD_INDICES,
    geometry: dict[str, Any] | None = None,
    **fields: Any,
) -> Model:
    """A model of one geometry that draws all indices from these streams."""
    lod = Lod(0.0, tuple(range(len(buffers))), 0, 0, len(indices), Primitive.TRIANGLES)
    made = replace(Geometry("only", (lod,)), **(geometry or {}))
    return Model("synthetic", buffers, (IndexBuffer(indices),), (made,), **fields)


def skeleton_of(count: int) -> Skeleton:
    """Bones without parents, at rest in the origin."""
    rest = np.tile(np.array((0.0, 0, 0, 1)), (count, 1))
    names = tuple(f"bone {number}" for number in range(count))
    return Skeleton(names, np.full(count, -1, np.int32), rest[:, :3], rest, np.ones((count, 3)))


def pose_of(skin: Array) -> Pose:
    """A pose with these skin matrices [B, 3, 4]; nothing else of it is right."""
    rest = np.zeros((len(skin), 4))
    return Pose(rest[:, :3], rest, rest[:, :3], skin, skin)


def random_skin(count: int, seed: int = 1) -> Array:
    """[B, 3, 4] rotations with scale and translation."""
    random = np.random.default_rng(seed)
    rotations = np.linalg.qr(random.normal(size=(count, 3, 3)))[0]
    scaled = rotations * random.uniform(0.5, 1.5, (count, 1, 1))
    return np.concatenate((scaled, random.normal(size=(count, 3, 1))), axis=2)
