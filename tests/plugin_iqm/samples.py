"""A figure of boxes as an Inter-Quake Model: it stands on +Z, faces +X, and raises its right arm."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np
from rigscope_iqm.layout import HEADER
from rigscope_iqm.write import Clip, Extension, Iqm, Joint, Mesh, VertexArray, pack

from viewer.scene.document import Document
from viewer.scene.model import Model
from viewer.storage.documents import open_document

POSITION, UV, NORMAL, TANGENT, JOINTS, WEIGHTS, COLOR, CUSTOM = 0, 1, 2, 3, 4, 5, 6, 0x10

SIDES = np.array([(axis, sign) for axis in range(3) for sign in (-1, 1)])
HIPS, SPINE, HEAD, ARM = range(4)
FIGURE = (
    ("legs", HIPS, (-0.12, -0.28, 0.0), (0.12, 0.28, 0.8), (20, 20, 160)),
    ("body", SPINE, (-0.15, -0.32, 0.8), (0.15, 0.32, 1.5), (30, 140, 30)),
    ("head", HEAD, (-0.18, -0.18, 1.55), (0.18, 0.18, 1.95), (220, 180, 140)),
    ("nose", HEAD, (0.18, -0.05, 1.66), (0.34, 0.05, 1.78), (220, 40, 40)),
    ("arm", ARM, (-0.08, -0.5, 1.35), (0.08, -0.34, 2.15), (200, 200, 60)),
)
JOINT_ROWS = (
    Joint("hips", -1, (0, 0, 0.8)),
    Joint("spine", HIPS, (0, 0, 0.2)),
    Joint("head", SPINE, (0, 0, 0.5)),
    Joint("arm", SPINE, (0, -0.42, 0.4)),
)
FRAMES, RATE = 8, 25.0


def box(low: Any, high: Any) -> tuple[Any, Any, Any]:
    """Positions [24, 3], normals [24, 3] and triangles [12, 3] of a box, clockwise seen from outside."""
    corners, normals, triangles = [], [], []
    for axis, sign in SIDES.tolist():
        one, other = ((axis + 1) % 3, (axis + 2) % 3) if sign > 0 else ((axis + 2) % 3, (axis + 1) % 3)
        first = len(corners)
        for u, v in ((0, 0), (1, 0), (1, 1), (0, 1)):  # counter-clockwise
            corner = np.zeros(3)
            corner[axis] = high[axis] if sign > 0 else low[axis]
            corner[one], corner[other] = (low[one], high[one])[u], (low[other], high[other])[v]
            corners.append(corner)
            normals.append(np.eye(3)[axis] * sign)
        triangles += [(first, first + 2, first + 1), (first, first + 3, first + 2)]
    return np.array(corners, np.float32), np.array(normals, np.float32), np.array(triangles, np.uint32)


def turned(degrees: float) -> tuple[float, float, float, float]:
    """A rotation around X, xyzw."""
    half = np.radians(degrees) / 2
    return float(np.sin(half)), 0.0, 0.0, float(np.cos(half))


def waving() -> Any:
    """The channels [F, P, 10] of frames in which the arm swings outward and the head turns."""
    frames = np.zeros((FRAMES, len(JOINT_ROWS), 10))
    for number, joint in enumerate(JOINT_ROWS):
        frames[:, number] = (*joint.translate, *joint.rotate, *joint.scale)
    for frame in range(FRAMES):
        frames[frame, ARM, 3:7] = turned(80 * np.sin(np.pi * frame / FRAMES))
        frames[frame, HEAD, 2] = 0.5 + 0.05 * frame
    return frames


def bounds(count: int = FRAMES) -> Any:
    """Rows of bounds [F, 8] of frames."""
    return np.tile((-0.2, -1.4, 0, 0.4, 0.4, 2.5, 1.5, 3.0), (count, 1))


def figure(**changed: Any) -> Iqm:
    """The figure with all parts that a file may have; `changed` are fields of `Iqm`."""
    positions, normals, triangles, joints, colors, meshes = [], [], [], [], [], []
    for name, joint, low, high, color in FIGURE:
        first = 24 * len(positions), 12 * len(positions)
        corners, directions, faces = box(low, high)
        positions.append(corners)
        normals.append(directions)
        triangles.append(faces + first[0])
        joints.append(np.tile((joint, 0, 0, 0), (24, 1)))
        colors.append(np.tile((*color, 255), (24, 1)))
        meshes.append(Mesh(name, f"{name}_skin", first[0], 24, first[1], 12))
    points = np.concatenate(positions)
    arrays = (
        VertexArray(POSITION, points),
        VertexArray(UV, np.tile(((0, 0), (1, 0), (1, 1), (0, 1)), (len(points) // 4, 1)).astype(np.float32)),
        VertexArray(NORMAL, np.concatenate(normals)),
        VertexArray(JOINTS, np.concatenate(joints).astype(np.uint8)),
        VertexArray(WEIGHTS, np.tile((255, 0, 0, 0), (len(points), 1)).astype(np.uint8)),
        VertexArray(COLOR, np.concatenate(colors).astype(np.uint8)),
    )
    fields = {
        "arrays": arrays,
        "meshes": meshes,
        "triangles": np.concatenate(triangles),
        "adjacency": neighbours(np.concatenate(triangles), points),
        "joints": JOINT_ROWS,
        "frames": waving(),
        "clips": (Clip("wave", 0, FRAMES, RATE, 1), Clip("still", 2, 3)),
        "bounds": bounds(),
        "comment": "a figure of boxes",
        "extensions": (Extension("tool", b"some data"), Extension("empty")),
    }
    return Iqm(**(fields | changed))


def data(**changed: Any) -> bytes:
    """The bytes of the figure; `changed` are fields of `Iqm`."""
    return pack(figure(**changed))


def alone(**changed: Any) -> bytes:
    """The bytes of a file that has only the animations of the figure."""
    clips = {name: getattr(figure(), name) for name in ("frames", "clips", "bounds")}
    return pack(Iqm(**(clips | {"parents": [joint.parent for joint in JOINT_ROWS]} | changed)))


def neighbours(triangles: Any, positions: Any) -> Any:
    """[T, 3]: the triangles behind the three edges of each triangle; vertices at one place count as one."""
    places = [tuple(place) for place in positions.tolist()]
    edges: dict[frozenset[Any], list[int]] = {}
    for number, corners in enumerate(triangles.tolist()):
        for corner in range(3):
            ends = frozenset((places[corners[corner]], places[corners[corner - 1]]))
            edges.setdefault(ends, []).append(number)
    found = np.full(triangles.shape, 0xFFFFFFFF, np.uint32)
    for number, corners in enumerate(triangles.tolist()):
        for corner in range(3):
            ends = frozenset((places[corners[corner]], places[corners[corner - 1]]))
            found[number, corner] = next((each for each in edges[ends] if each != number), 0xFFFFFFFF)
    return found


def place(name: str) -> int:
    """The offset of a number in the header."""
    names = [field.name for field in HEADER.fields]
    return 16 + 4 * (names.index(name) - 1)


def number(data: bytes, name: str) -> int:
    """A number of the header."""
    return int.from_bytes(data[place(name) : place(name) + 4], "little")


def patched(data: bytes, at: int | str, value: float) -> bytes:
    """The bytes with another number at an offset, or in a field of the header."""
    offset = place(at) if isinstance(at, str) else at
    number = struct.pack("<f", value) if isinstance(value, float) else struct.pack("<I", value & 0xFFFFFFFF)
    return data[:offset] + number + data[offset + 4 :]


def opened(path: Path, content: bytes | None = None, name: str = "figure.iqm") -> Document:
    """The document of a file in a folder; the figure without `content`."""
    (path / name).write_bytes(data() if content is None else content)
    return open_document(path / name)


def model(document: Document) -> Model:
    """The model of a document that has one."""
    assert isinstance(document.content, Model)
    return document.content
