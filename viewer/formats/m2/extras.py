"""What a model has besides its mesh and bones: cameras, lights, attachments, events, emitters, collision."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from viewer.binary import Cursor
from viewer.formats.m2.names import attachment_name
from viewer.formats.m2.record import F32, I16, REF, U32, Layout, Part, vector
from viewer.formats.m2.records import Array, Records
from viewer.scene.camera import Camera
from viewer.scene.parts import Attachment, Light

CAMERAS = {0: "portrait", 1: "character info"}
ASPECT = 4 / 3
USUAL_FOV = 0.95
LIGHTS = {0: "directional", 1: "point"}
HALF = 32767


def cameras_of(records: Records) -> tuple[Camera, ...]:
    """The cameras. A field of view is stored across the diagonal; here vertical, in a picture of 4:3."""
    return tuple(
        Camera(
            name=CAMERAS.get(int(camera["type"]), f"camera {number}"),
            position=triple(camera["position"]),
            target=triple(camera["target"]),
            fov=math.degrees(_diagonal(camera)) / math.hypot(1, ASPECT),
            diagonal=math.degrees(_diagonal(camera)),
            near=float(camera["near"]),
            far=float(camera["far"]),
        )
        for number, camera in enumerate(records.tables["cameras"])
    )


def _diagonal(camera: Any) -> float:
    """Radians. Since 265 it is a track; then a usual angle."""
    return float(camera["fov"]) if "fov" in camera.dtype.names else USUAL_FOV


def triple(values: Array) -> tuple[float, float, float]:
    """Three numbers of an array."""
    x, y, z = np.asarray(values).tolist()
    return x, y, z


def attachments_of(records: Records) -> tuple[Attachment, ...]:
    """The attachments, in file order."""
    return tuple(
        Attachment(int(row["id"]), attachment_name(int(row["id"])), int(row["bone"]), triple(row["position"]))
        for row in records.tables["attachments"]
    )


def lights_of(records: Records) -> tuple[Light, ...]:
    """The lights, in file order."""
    return tuple(
        Light(LIGHTS.get(int(row["type"]), "unknown"), int(row["bone"]), triple(row["position"]))
        for row in records.tables["lights"]
    )


def parameters_of(records: Records, layout: Layout, rows: Array) -> list[dict[str, tuple[float, ...]]]:
    """For each row the first and last key of the numbers that change over time, and the plain numbers twice.

    Of a nested track the first sequence that it knows counts.
    """
    found: list[dict[str, tuple[float, ...]]] = [{} for _ in rows]
    for part in layout.present(records.generation):
        if part.kind == "plain" and part.dtype == F32:
            for place, value in zip(found, rows[part.name].tolist(), strict=True):
                place[part.name] = value, value
        elif part.kind == "track" and not part.dtype.shape:
            scale = 1 / HALF if part.dtype == I16 else 1
            rows_with, ends = _ends(records, part, rows[part.name])
            for row, (first, last) in zip(rows_with.tolist(), (ends * scale).tolist(), strict=True):
                found[row][part.name] = first, last
    return found


def _ends(records: Records, part: Part, tracks: Array) -> tuple[Array, Array]:
    """The numbers of the tracks that have keys, [N], and their first and last value, [N, 2]."""
    cursor = Cursor(records.data)
    rows, stored = np.arange(len(tracks)), tracks["values"]
    if records.generation.nested:
        there = _inside(records, stored["count"] > 0, stored["offset"], REF.itemsize)
        rows = rows[there]
        pairs = cursor.gather(records.base + stored["offset"][there].astype(np.int64), vector(2, U32))
        counts, offsets = pairs[:, 0].astype(np.int64), pairs[:, 1].astype(np.int64)
    else:
        counts, offsets = stored["count"].astype(np.int64), stored["offset"].astype(np.int64)
    size = part.dtype.itemsize
    there = _inside(records, counts > 0, offsets, counts * size)
    first = records.base + offsets[there]
    last = first + (counts[there] - 1) * size
    ends = [cursor.gather(place, part.dtype).astype(np.float64) for place in (first, last)]
    return rows[there], np.stack(ends, axis=-1)


def _inside(records: Records, wanted: Array, offsets: Array, sizes: Array | int) -> Array:
    return np.asarray(wanted & (offsets.astype(np.int64) + sizes <= records.size))
