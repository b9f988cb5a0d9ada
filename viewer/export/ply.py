"""Binary PLY files of vertices and triangles.

Source: Greg Turk, The PLY Polygon File Format.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from viewer.arrays import Array

VERTEX = np.dtype([("position", "<f4", 3), ("normal", "<f4", 3)])
FACE = np.dtype([("corners", "u1"), ("vertices", "<u4", 3)])


def ply_bytes(parts: Sequence[tuple[Array, Array]]) -> bytes:
    """Return a little-endian PLY file of all parts.

    A part is a pair: its vertices [V] of `VERTEX`, and its triangles [T, 3] as indices of these vertices.
    """
    starts = np.cumsum([0, *(len(vertices) for vertices, _ in parts)])
    vertices = np.concatenate([np.empty(0, VERTEX), *(vertices for vertices, _ in parts)])
    corners = [triangles + start for (_, triangles), start in zip(parts, starts, strict=False)]
    faces = np.zeros(sum(map(len, corners)), FACE)
    faces["corners"] = 3
    faces["vertices"] = np.concatenate([np.empty((0, 3), np.int64), *corners])
    return _header(len(vertices), len(faces)) + vertices.tobytes() + faces.tobytes()


def _header(vertices: int, faces: int) -> bytes:
    properties = "".join(f"property float {name}\n" for name in ("x", "y", "z", "nx", "ny", "nz"))
    return (
        f"ply\nformat binary_little_endian 1.0\nelement vertex {vertices}\n{properties}"
        f"element face {faces}\nproperty list uchar uint vertex_indices\nend_header\n"
    ).encode()
