"""Floors of opening OGRE files: the bytes viewed in numpy by hand, headers compared, and nothing made.

Each function reads the file anew, as an opening does.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np

from viewer.families.ogre.skeleton_layout import KEY, SCALED_KEY

CHUNK = struct.Struct("<HI")
TRACK = struct.Struct("<HIHHI")
"""A track's header, its bone, and the header of its first key."""
BONE, BONE_FIELDS, SCALE = 0x2000, 2 + 12 + 16, 12
ANIMATION, TRACKS, KEYS = 0x4000, 0x4100, 0x4110
SUBMESH, GEOMETRY, DATA = 0x4000, 0x5000, 0x5210
KEY_DTYPES = {each.itemsize: each for each in (KEY, SCALED_KEY)}


def ogre_skeleton(path: Path) -> list[Any]:
    """All keys of an OGRE skeleton with the header of each compared; bones only passed over."""
    data = path.read_bytes()
    at, runs = 2 + data.index(b"\n", 2) - 1, []
    while at < len(data):
        id, declared = CHUNK.unpack_from(data, at)
        if id == BONE:
            at = data.index(b"\n", at + CHUNK.size) + 1 + BONE_FIELDS + (SCALE if declared > 36 else 0)
        elif id == ANIMATION:
            at = data.index(b"\n", at + CHUNK.size) + 5
            while at + TRACK.size <= len(data):
                id, declared, _, _, size = TRACK.unpack_from(data, at)
                if id != TRACKS:
                    break
                runs.append((at + 8, (declared - 8) // size, size))
                at += declared
        else:
            at += declared
    return [_gathered(data, np.array(runs), size, dtype) for size, dtype in KEY_DTYPES.items()]


def _gathered(data: bytes, runs: Any, size: int, dtype: Any) -> Any:
    """The keys of this size in one array, and how many have the header that they should have."""
    starts, counts, _ = runs[runs[:, 2] == size].T
    if not len(starts):
        return None
    offsets = np.repeat(starts - (np.cumsum(counts) - counts) * size, counts) + np.arange(counts.sum()) * size
    every = np.lib.stride_tricks.sliding_window_view(np.frombuffer(data, np.uint8), size)
    rows = every[offsets].view(dtype)[:, 0]
    return rows, ((rows["id"] == KEYS) & (rows["declared"] == size)).sum()


def ogre_mesh(path: Path) -> list[Any]:
    """The vertices and indices of the submeshes of a newest OGRE mesh, every index compared."""
    data = path.read_bytes()
    at, parts = data.index(b"\n", 2) + 1 + CHUNK.size + 1, []
    while at < len(data) and CHUNK.unpack_from(data, at)[0] == SUBMESH:
        at = data.index(b"\n", at + CHUNK.size) + 1
        _, count, wide = struct.unpack_from("<BIB", data, at)
        indices = np.frombuffer(data, "<u4" if wide else "<u2", count, at + 6)
        at += 6 + indices.nbytes
        while at < len(data) and (id := CHUNK.unpack_from(data, at)[0]) not in (SUBMESH, 0x9000):
            vertices = struct.unpack_from("<I", data, at + CHUNK.size)[0] if id == GEOMETRY else 0
            at += CHUNK.size + 4
            _, declared = CHUNK.unpack_from(data, at)
            at += declared  # the declaration
            _, _, _, stride = struct.unpack_from("<HIHH", data, at)
            at += CHUNK.size + 4 + CHUNK.size
            buffer = np.frombuffer(data, np.uint8, vertices * stride, at)
            at += buffer.nbytes
            parts.append((buffer, indices, int(indices.max()) < vertices))
    return parts
