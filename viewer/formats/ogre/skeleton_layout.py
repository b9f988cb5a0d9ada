"""The layout of an OGRE skeleton: v1.10, v1.80, and the key lists of the game 天龙八部 (TLBB).

Source: OGRE `OgreSkeletonSerializer.cpp`; the game client's OGRE 1.2.5 for chunk 0x4120.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from viewer.binary import Array, Chunk, ChunkStream, Fixed, Record, Run, Struct, When, chunk_dtype
from viewer.formats.ogre.names import TextLine
from viewer.formats.ogre.versions import F32, QUATERNION, U16, VEC3

PLAIN_BONE = 36
"""A bone's length without its scale. The length never includes the name: a longer chunk has a scale."""
PLAIN_KEY = 38
"""A keyframe's length without its scale."""

LISTED_ROTATION, LISTED_TRANSLATION, LISTED_SCALE = 1, 2, 4

AVERAGE, CUMULATIVE = 0, 1

BLEND_MODE = Chunk(0x1010, "blend mode", Fixed("mode", U16, note="0 average, 1 cumulative"))

BONE = Chunk(
    0x2000,
    "bone",
    TextLine("name"),
    Fixed("handle", U16, note="the number that tracks and bone assignments use"),
    Fixed("position", VEC3, note="bind pose, local to the parent"),
    Fixed("rotation", QUATERNION, note="x y z w, local to the parent"),
    When(lambda bone: bone.declared > PLAIN_BONE, Fixed("scale", VEC3)),
    title=lambda bone: str(bone.get("name", "")),
    length=lambda bone: PLAIN_BONE + (12 if bone.get("scale") is not None else 0),
    many=True,
)
PARENTS = Run(0x3000, "parents", chunk_dtype(("child", U16), ("parent", U16)), note="bone handles")


KEY = chunk_dtype(("time", F32), ("rotation", F32, 4), ("translation", F32, 3))
SCALED_KEY = chunk_dtype(("time", F32), ("rotation", F32, 4), ("translation", F32, 3), ("scale", F32, 3))

KEYS = Run(
    0x4110,
    "keyframes",
    lambda declared, track: SCALED_KEY if declared > PLAIN_KEY else KEY,
    note="seconds; rotation x y z w; relative to the bind pose",
)


def listed_key(keys: Struct) -> np.dtype[Any]:
    """One key of a list: its time and the parts that the flags name."""
    parts = (
        ("rotation", LISTED_ROTATION, 4),
        ("translation", LISTED_TRANSLATION, 3),
        ("scale", LISTED_SCALE, 3),
    )
    present = [(name, F32, size) for name, bit, size in parts if keys.flags & bit]
    return np.dtype([("time", F32), *present])


LISTED_KEYS = Array("keys", listed_key, "key_count", note="seconds; relative to the bind pose")
KEY_LIST = Chunk(
    0x4120,
    "key list",
    Fixed("key_count", U16),
    Fixed("flags", U16, note="1 rotation, 2 translation, 4 scale; these two bytes are not in the length"),
    LISTED_KEYS,
    length=lambda keys: 8 + listed_key(keys).itemsize * keys.key_count,
    note="TLBB",
)

TRACK_BONE = Fixed("bone", U16, note="handle")
TRACK = Chunk(
    0x4100,
    "track",
    TRACK_BONE,
    ChunkStream("chunks", (KEYS, KEY_LIST)),
    title=lambda track: f"bone {track.get('bone')}",
    many=True,
)
BASE = Chunk(
    0x4010,
    "base",
    TextLine("animation", note="empty: the animation itself"),
    Fixed("time", F32, note="of the pose that keys are taken relative to, seconds"),
)
ANIMATION = Chunk(
    0x4000,
    "animation",
    TextLine("name"),
    Fixed("length", F32, note="seconds"),
    ChunkStream("chunks", (BASE, TRACK)),
    title=lambda animation: str(animation.get("name", "")),
    many=True,
)
LINK = Chunk(
    0x5000,
    "skeleton link",
    TextLine("file", note="its animations are played as well, by bone handle"),
    Fixed("scale", F32, note="of their translations"),
    title=lambda link: str(link.get("file", "")),
    many=True,
)

SKELETON_FILE = Record(
    "skeleton file",
    Fixed("header", U16, note="0x1000; in this order the file is little-endian"),
    TextLine("version"),
    ChunkStream("chunks", (BLEND_MODE, BONE, PARENTS, ANIMATION, LINK), skip=True),
)
