"""The layout of an Urho3D animation, `.ani`: UANI, and UAN2 (rbfx) versions 2 to 4.

Source: Urho3D `Animation.cpp`, `Animation::BeginLoad`; rbfx `Animation.cpp` and `AnimationTrack.h` for UAN2.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from viewer.binary import Array, Fixed, Magic, Record, Repeat, Struct, Text, When
from viewer.errors import FormatError

U8, U32, F32 = np.dtype("u1"), np.dtype("<u4"), np.dtype("<f4")

POSITION, ROTATION, SCALE = 1, 2, 4
CHANNELS = (("position", POSITION, 3), ("rotation", ROTATION, 4), ("scale", SCALE, 3))

STRING = 11
TANGENT_SPLINE = 3
INTERPOLATIONS = ("none", "linear", "tension spline", "tangent spline")

VARIANTS: dict[int, tuple[str, np.dtype[Any]]] = {
    1: ("int", np.dtype("<i4")),
    2: ("bool", np.dtype("u1")),
    3: ("float", F32),
    4: ("vec2", np.dtype((F32, (2,)))),
    5: ("vec3", np.dtype((F32, (3,)))),
    6: ("vec4", np.dtype((F32, (4,)))),
    7: ("double vec2", np.dtype(("<f8", (2,)))),
    8: ("double vec3", np.dtype(("<f8", (3,)))),
    9: ("quaternion w x y z", np.dtype((F32, (4,)))),
    10: ("color", np.dtype((F32, (4,)))),
    18: ("int rect", np.dtype(("<i4", (4,)))),
    19: ("int vec2", np.dtype(("<i4", (2,)))),
    21: ("matrix 3×3", np.dtype((F32, (3, 3)))),
    22: ("matrix 3×4", np.dtype((F32, (3, 4)))),
    23: ("matrix 4×4", np.dtype((F32, (4, 4)))),
    24: ("double", np.dtype("<f8")),
    26: ("rect", np.dtype((F32, (4,)))),
    27: ("int vec3", np.dtype(("<i4", (3,)))),
    28: ("int64", np.dtype("<i8")),
}
"""rbfx variant types of fixed size; type 11 is a string. Urho3D numbers its own variants differently."""


def key_dtype(track: Struct) -> np.dtype[Any]:
    """One keyframe: its time, then the channels of the track's mask."""
    present = [(name, F32, size) for name, bit, size in CHANNELS if track.mask & bit]
    return np.dtype([("time", F32), *present])


def variant_name(kind: int) -> str:
    """The name of a variant type."""
    return "string" if kind == STRING else VARIANTS[kind][0] if kind in VARIANTS else f"type {kind}"


def _value_dtype(track: Struct) -> np.dtype[Any]:
    if track.variant not in VARIANTS:
        raise FormatError(f"variant type {track.variant} is unknown, and so is its size")
    return VARIANTS[track.variant][1]


def _variant_key(track: Struct) -> np.dtype[Any]:
    return np.dtype([("time", F32), ("value", _value_dtype(track))])


def _tangents(track: Struct) -> np.dtype[Any]:
    return np.dtype([("in", _value_dtype(track)), ("out", _value_dtype(track))])


def _version(record: Struct) -> int:
    """The version of a record; 0 for UANI."""
    outermost = record.outer if record.outer is not None else record
    return int(outermost.get("version", 0))


KEYS = Array(
    "keys",
    key_dtype,
    U32,
    note="time in seconds; position and scale local to the parent; rotation w x y z",
    salvage=True,
)

TRACK = Record(
    "track",
    Text("name", note="of the bone that it moves"),
    Fixed("mask", U8, note="1 position, 2 rotation, 4 scale"),
    When(lambda track: _version(track) >= 4, Fixed("weights", np.dtype((F32, (3,))), note="per channel")),
    When(lambda track: _version(track) == 3, Fixed("weight", F32)),
    KEYS,
    title=lambda track: track.get("name", ""),
)

STRING_KEY = Record("key", Fixed("time", F32, note="seconds"), Text("value"))

VARIANT_TRACK = Record(
    "variant track",
    Text("name", note="path of the attribute that it animates"),
    Fixed("variant", U8, note="type of the values, rbfx numbering"),
    Fixed("interpolation", U8, note="0 none, 1 linear, 2 tension spline, 3 tangent spline"),
    Fixed("tension", F32, note="of a spline"),
    When(lambda track: _version(track) >= 3, Fixed("weight", F32)),
    Fixed("key_count", U32),
    When(lambda track: track.variant == STRING, Repeat("texts", STRING_KEY, "key_count")),
    When(
        lambda track: track.variant != STRING,
        Array("keys", _variant_key, "key_count", note="time in seconds"),
    ),
    When(
        lambda track: track.interpolation == TANGENT_SPLINE and track.variant != STRING,
        Array("tangents", _tangents, "key_count", note="of the spline at each key"),
    ),
    title=lambda track: track.get("name", ""),
)

TRACKS = Repeat("tracks", TRACK, U32)

ANIMATION = Record(
    "animation",
    Magic("magic", (b"UANI", b"UAN2")),
    When(lambda animation: animation.magic == "UAN2", Fixed("version", U32)),
    Text("name"),
    Fixed("length", F32, note="seconds; may lie behind the last key"),
    TRACKS,
    When(
        lambda animation: animation.magic == "UAN2" and animation.version >= 2,
        Repeat(
            "variant_tracks", VARIANT_TRACK, U32, note="attributes of nodes and components: shown, not played"
        ),
    ),
)
