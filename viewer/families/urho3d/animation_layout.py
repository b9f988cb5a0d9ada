"""The layout of an Urho3D animation, `.ani`: UANI, and UAN2 (rbfx) versions 2 to 4.

Source: Urho3D `Animation.cpp`, `Animation::BeginLoad`; rbfx `Animation.cpp` and `AnimationTrack.h` for UAN2.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from viewer.binary import Array, Choice, Fixed, Magic, Record, Repeat, Text, VaryingDtype, When

U8, U32, F32 = np.dtype("u1"), np.dtype("<u4"), np.dtype("<f4")

POSITION, ROTATION, SCALE = 1, 2, 4

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
"""Names and dtypes of the rbfx variant types of fixed size. Type 11 is a string. In Urho3D the types have
other numbers.
"""


key_dtype = VaryingDtype(
    ("time", F32, "seconds"),
    ("position", np.dtype((F32, (3,))), "local to the parent, model units", f"mask & {POSITION}"),
    ("rotation", np.dtype((F32, (4,))), "local to the parent, w x y z", f"mask & {ROTATION}"),
    ("scale", np.dtype((F32, (3,))), "local to the parent", f"mask & {SCALE}"),
)
"""A keyframe: its time, then the channels that the track's mask names."""


def variant_name(kind: int) -> str:
    """Return the name of a variant type, such as `vec3`, or `type 99` for an unknown type."""
    return "string" if kind == STRING else VARIANTS[kind][0] if kind in VARIANTS else f"type {kind}"


VALUE = Choice(
    "variant",
    {kind: dtype for kind, (_, dtype) in VARIANTS.items()},
    "variant type {} is unknown, so its size is unknown too",
    "value by variant",
)
VARIANT_KEY = VaryingDtype(("time", F32, "seconds"), ("value", VALUE, "value of the attribute"))
TANGENTS = VaryingDtype(("in", VALUE, "incoming tangent"), ("out", VALUE, "outgoing tangent"))
UAN2, NUMBERS = "magic == 'UAN2' and version", f"variant != {STRING}"
INTERPOLATED = f"interpolation == {TANGENT_SPLINE} and {NUMBERS}"

KEYS = Array(
    "keys",
    key_dtype,
    U32,
    note="keyframes in the order of time",
    salvage=True,
)

TRACK = Record(
    "track",
    Text("name", note="name of the bone that the track moves"),
    Fixed("mask", U8, note="bits of the channels: 1 is position, 2 rotation, 4 scale"),
    When(
        f"{UAN2} >= 4", Fixed("weights", np.dtype((F32, (3,))), note="weights of position, rotation, scale")
    ),
    When(f"{UAN2} == 3", Fixed("weight", F32, note="weight of all channels")),
    KEYS,
    title=lambda track: track.get("name", ""),
)

STRING_KEY = Record("key", Fixed("time", F32, note="seconds"), Text("value", note="value of the attribute"))

VARIANT_TRACK = Record(
    "variant track",
    Text("name", note="path of the attribute that the track animates"),
    Fixed("variant", U8, note="rbfx variant type of the values; 3: float, 5: vec3, 11: text …"),
    Fixed("interpolation", U8, note="0: none, 1: linear, 2: tension spline, 3: tangent spline"),
    Fixed("tension", F32, note="tension of a tension spline"),
    When(f"{UAN2} >= 3", Fixed("weight", F32, note="weight of the track")),
    Fixed("key_count", U32, note="number of keys that follow"),
    When(f"variant == {STRING}", Repeat("texts", STRING_KEY, "key_count", note="keys with text values")),
    When(NUMBERS, Array("keys", VARIANT_KEY, "key_count", note="keys with values of fixed size")),
    When(INTERPOLATED, Array("tangents", TANGENTS, "key_count", note="spline tangents at each key")),
    title=lambda track: track.get("name", ""),
)

TRACKS = Repeat("tracks", TRACK, U32, note="tracks, one for each animated bone")

ANIMATION = Record(
    "animation",
    Magic("magic", (b"UANI", b"UAN2"), note="UAN2 is rbfx"),
    When("magic == 'UAN2'", Fixed("version", U32, note="1 to 4")),
    Text("name", note="name of the animation"),
    Fixed("length", F32, note="duration, which may exceed the time of the last key, seconds"),
    TRACKS,
    When(
        f"{UAN2} >= 2",
        Repeat("variant_tracks", VARIANT_TRACK, U32, note="animated attributes of nodes and components"),
    ),
)
