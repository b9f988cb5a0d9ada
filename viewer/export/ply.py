"""Binary PLY files of vertices and triangles.

Source: Greg Turk, The PLY Polygon File Format. The format does not say how texture coordinates and colours
are called; common programs read `s`, `t`, `red`, `green`, `blue` and `alpha`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from viewer.arrays import Array

VERTEX = np.dtype([("position", "<f4", 3), ("normal", "<f4", 3)])
COORDINATES, COLOR = ("coordinates", "<f4", 2), ("color", "u1", 4)
"""The fields of vertices with texture coordinates, V upwards, and with colours."""
FACE = np.dtype([("corners", "u1"), ("vertices", "<u4", 3)])
NAMES = {
    "position": ("x", "y", "z"),
    "normal": ("nx", "ny", "nz"),
    "coordinates": ("s", "t"),
    "color": ("red", "green", "blue", "alpha"),
}
"""The names of properties by field."""
TYPES = {"f": "float", "u": "uchar"}


def vertex_type(coordinates: bool, colors: bool) -> np.dtype[np.void]:
    """The type of vertices with or without texture coordinates and colours."""
    more = [field for field, wanted in ((COORDINATES, coordinates), (COLOR, colors)) if wanted]
    return np.dtype([*((name, VERTEX[name]) for name in VERTEX.names or ()), *more])


def ply_bytes(parts: Sequence[tuple[Array, Array]]) -> bytes:
    """Return a little-endian PLY file of all parts.

    A part is a pair: its vertices [V] of `VERTEX` or of one `vertex_type`, and its triangles [T, 3] as
    indices of these vertices.
    """
    starts = np.cumsum([0, *(len(vertices) for vertices, _ in parts)])
    kind = parts[0][0].dtype if parts else VERTEX
    vertices = np.concatenate([np.empty(0, kind), *(vertices for vertices, _ in parts)])
    corners = [triangles + start for (_, triangles), start in zip(parts, starts, strict=False)]
    faces = np.zeros(sum(map(len, corners)), FACE)
    faces["corners"] = 3
    faces["vertices"] = np.concatenate([np.empty((0, 3), np.int64), *corners])
    return _header(vertices, len(faces)) + vertices.tobytes() + faces.tobytes()


def _header(vertices: Array, faces: int) -> bytes:
    fields = [(vertices.dtype[field].base.kind, NAMES[field]) for field in vertices.dtype.names or ()]
    properties = "".join(f"property {TYPES[kind]} {name}\n" for kind, names in fields for name in names)
    return (
        f"ply\nformat binary_little_endian 1.0\nelement vertex {len(vertices)}\n{properties}"
        f"element face {faces}\nproperty list uchar uint vertex_indices\nend_header\n"
    ).encode()
