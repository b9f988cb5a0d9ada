"""Animations packed by hand from the specification, byte for byte."""

from __future__ import annotations

import struct

import pytest

from viewer.binary import Cursor, Struct
from viewer.errors import FormatError
from viewer.families.urho3d.animation_layout import ANIMATION, VARIANTS


def u32(*values: int) -> bytes:
    return struct.pack(f"<{len(values)}I", *values)


def f32(*values: float) -> bytes:
    return struct.pack(f"<{len(values)}f", *values)


KEY_POSITION = f32(0.5) + f32(1, 2, 3)
UANI = (
    b"UANI" + b"Walk\0" + f32(2) + u32(2)
    + b"hip\0\x01" + u32(1) + KEY_POSITION
    + b"leg\0\x07" + u32(2) + (f32(0) + f32(1, 2, 3) + f32(1, 0, 0, 0) + f32(1, 1, 1)) * 2
)  # fmt: skip


def uan2(version: int, extra: bytes, variants: bytes = u32(0)) -> bytes:
    head = b"UAN2" + u32(version) + b"Walk\0" + f32(2) + u32(1) + b"hip\0\x01" + extra + u32(1) + KEY_POSITION
    return head + (variants if version >= 2 else b"")


def variant_track(kind: int, interpolation: int, keys: bytes, count: int = 1, weight: bytes = b"") -> bytes:
    return u32(1) + b"@/Light/Color\0" + bytes((kind, interpolation)) + f32(0.5) + weight + u32(count) + keys


def read(data: bytes) -> Struct:
    cursor = Cursor(data)
    record = ANIMATION.read(cursor)
    assert cursor.left == 0
    assert ANIMATION.pack(record) == data
    return record


def test_uani() -> None:
    record = read(UANI)
    assert (record.name, record.length) == ("Walk", 2)
    hip, leg = record.tracks
    assert hip.keys.dtype.names == ("time", "position")
    assert leg.keys.dtype.names == ("time", "position", "rotation", "scale")
    assert hip.keys["position"].tolist() == [[1, 2, 3]]


@pytest.mark.parametrize("mask", range(8))
def test_every_mask(mask: int) -> None:
    size = 4 + 12 * (mask & 1) + 16 * (mask >> 1 & 1) + 12 * (mask >> 2 & 1)
    data = b"UANI" + b"\0" + f32(1) + u32(1) + b"hip\0" + bytes([mask]) + u32(3) + bytes(3 * size)
    assert read(data).tracks[0].keys.dtype.itemsize == size


@pytest.mark.parametrize(("version", "extra"), [(1, b""), (2, b""), (3, f32(0.5)), (4, f32(0.1, 0.2, 0.3))])
def test_uan2_weights_by_version(version: int, extra: bytes) -> None:
    (track,) = read(uan2(version, extra)).tracks
    assert track.keys["time"].tolist() == [0.5]
    assert track.get("weight") == (0.5 if version == 3 else None)
    assert (track.get("weights") is not None) == (version == 4)


@pytest.mark.parametrize("kind", sorted(VARIANTS))
def test_variant_values_of_every_fixed_type(kind: int) -> None:
    keys = f32(0.25) + bytes(VARIANTS[kind][1].itemsize)
    (track,) = read(uan2(2, b"", variant_track(kind, 1, keys))).variant_tracks
    assert track.keys["time"].tolist() == [0.25]


def test_variant_strings() -> None:
    (track,) = read(
        uan2(2, b"", variant_track(11, 0, f32(0) + b"on\0" + f32(1) + b"off\0", 2))
    ).variant_tracks
    assert [key.value for key in track.texts] == ["on", "off"]


def test_spline_tangents_follow_the_keys() -> None:
    (track,) = read(uan2(2, b"", variant_track(3, 3, f32(0, 7) + f32(1, 2)))).variant_tracks
    assert track.tangents[0].item() == (1, 2)


def test_variant_weights_from_version_3() -> None:
    data = uan2(4, f32(1, 1, 1), variant_track(3, 1, f32(0, 7), weight=f32(0.25)))
    assert read(data).variant_tracks[0].weight == 0.25


def test_an_unknown_variant_type_is_refused_by_name() -> None:
    with pytest.raises(FormatError, match="variant type 99"):
        ANIMATION.read(Cursor(uan2(2, b"", variant_track(99, 1, b""))))


def test_variant_sizes_as_the_engine_has_them() -> None:
    sizes = {1: 4, 2: 1, 3: 4, 4: 8, 5: 12, 6: 16, 7: 16, 8: 24, 9: 16, 10: 16, 18: 16, 19: 8, 21: 36, 22: 48,
             23: 64, 24: 8, 26: 16, 27: 12, 28: 8}  # fmt: skip
    assert {kind: dtype.itemsize for kind, (_, dtype) in VARIANTS.items()} == sizes
