"""The layout of an OGRE skeleton: v1.10, v1.80, and the key lists of the game 天龙八部 (TLBB).

Source: OGRE `OgreSkeletonSerializer.cpp`; the game client's OGRE 1.2.5 for chunk 0x4120.
"""

from __future__ import annotations

from viewer.binary import (
    Array,
    Chunk,
    ChunkStream,
    Fixed,
    Record,
    Run,
    VaryingDtype,
    When,
    chunk_dtype,
    varying_chunk,
)
from viewer.families.ogre.names import TextLine
from viewer.families.ogre.versions import F32, QUATERNION, U16, VEC3

PLAIN_BONE = 36
"""Declared length of a bone chunk without a scale. The length never includes the name, so a longer chunk has
a scale.
"""
PLAIN_KEY = 38
"""Declared length of a keyframe chunk without a scale."""

LISTED_ROTATION, LISTED_TRANSLATION, LISTED_SCALE = 1, 2, 4

AVERAGE, CUMULATIVE = 0, 1

BLEND_MODE = Chunk(
    0x1010,
    "blend mode",
    Fixed("mode", U16, note="0: average, 1: cumulative"),
    note="rule by which animations are mixed",
)

BONE = Chunk(
    0x2000,
    "bone",
    TextLine("name", note="name by which animations of other skeletons find the bone"),
    Fixed("handle", U16, note="the number that tracks and bone assignments use"),
    Fixed("position", VEC3, note="bind pose, local to the parent"),
    Fixed("rotation", QUATERNION, note="bind pose, local to the parent, x y z w"),
    When(f"declared > {PLAIN_BONE}", Fixed("scale", VEC3, note="bind pose, local to the parent")),
    note="one bone; the chunk's length does not count the name",
    title=lambda bone: str(bone.get("name", "")),
    length=lambda bone: PLAIN_BONE + (12 if bone.get("scale") is not None else 0),
    many=True,
)
PARENTS = Run(
    0x3000,
    "parents",
    chunk_dtype(("child", U16, "handle of the bone"), ("parent", U16, "handle of its parent")),
    note="the hierarchy of bones",
)


KEY_FIELDS = (
    ("time", F32, "seconds"),
    ("rotation", QUATERNION, "relative to the bind pose, x y z w"),
    ("translation", VEC3, "relative to the bind pose"),
)
SCALED = ("scale", VEC3, "relative to the bind pose")
KEY, SCALED_KEY = chunk_dtype(*KEY_FIELDS), chunk_dtype(*KEY_FIELDS, SCALED)

KEYS = Run(
    0x4110,
    "keyframes",
    varying_chunk(*KEY_FIELDS, (*SCALED, f"declared > {PLAIN_KEY}")),
    note="keyframes of one bone",
)


listed_key = VaryingDtype(
    ("time", F32, "seconds"),
    ("rotation", QUATERNION, "relative to the bind pose, x y z w", f"flags & {LISTED_ROTATION}"),
    ("translation", VEC3, "relative to the bind pose", f"flags & {LISTED_TRANSLATION}"),
    ("scale", VEC3, "relative to the bind pose", f"flags & {LISTED_SCALE}"),
)
"""A key of a list: its time, and the parts that the list's flags name."""

LISTED_KEYS = Array("keys", listed_key, "key_count", note="keyframes of one bone")
KEY_LIST = Chunk(
    0x4120,
    "key list",
    Fixed("key_count", U16, note="number of keys that follow"),
    Fixed(
        "flags",
        U16,
        note="1: rotation, 2: translation, 4: scale; the chunk's length does not count these two bytes",
    ),
    LISTED_KEYS,
    length=lambda keys: 8 + listed_key(keys).itemsize * keys.key_count,
    note="keyframes as the game TLBB writes them",
)

TRACK_BONE = Fixed("bone", U16, note="handle of the bone that the track moves")
TRACK = Chunk(
    0x4100,
    "track",
    TRACK_BONE,
    ChunkStream("chunks", (KEYS, KEY_LIST)),
    note="keys of one bone",
    title=lambda track: f"bone {track.get('bone')}",
    many=True,
)
BASE = Chunk(
    0x4010,
    "base",
    TextLine("animation", note="animation of the base key; if empty, this animation"),
    Fixed("time", F32, note="time of the base key, seconds"),
    note="base key, to which every other key is relative",
)
ANIMATION = Chunk(
    0x4000,
    "animation",
    TextLine("name", note="name of the animation"),
    Fixed("length", F32, note="duration, seconds"),
    ChunkStream("chunks", (BASE, TRACK)),
    note="an animation of bones",
    title=lambda animation: str(animation.get("name", "")),
    many=True,
)
LINK = Chunk(
    0x5000,
    "skeleton link",
    TextLine("file", note="name of the other skeleton file"),
    Fixed("scale", F32, note="factor of the translations"),
    note="a skeleton whose animations move this skeleton too, by bone handle",
    title=lambda link: str(link.get("file", "")),
    many=True,
)

SKELETON_FILE = Record(
    "skeleton file",
    Fixed("header", U16, note="0x1000 in the byte order of the file"),
    TextLine("version", note="[Serializer_v1.10] or [Serializer_v1.80]"),
    ChunkStream("chunks", (BLEND_MODE, BONE, PARENTS, ANIMATION, LINK), skip=True),
)
