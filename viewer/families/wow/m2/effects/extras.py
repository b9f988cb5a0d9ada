"""Build attachments, event points and the collision mesh, and list the parameters of emitters."""

from __future__ import annotations

import numpy as np

from viewer.arrays import Array
from viewer.binary import Cursor, Fixed
from viewer.binary.tables import REF, RecordTables, RowField, RowRecord
from viewer.families.wow.m2.clips.events import event_name
from viewer.families.wow.m2.layout.fields import F32, HALF, I16, U32, TrackField, vector
from viewer.families.wow.m2.names import attachment_name
from viewer.scene.model import Attachment, Collision, EventPoint


def triple(values: Array) -> tuple[float, float, float]:
    """Return an array of three numbers as a tuple."""
    x, y, z = np.asarray(values).tolist()
    return x, y, z


def attachments_of(records: RecordTables) -> tuple[Attachment, ...]:
    """Return the attachments, in file order."""
    return tuple(
        Attachment(int(row["id"]), attachment_name(int(row["id"])), int(row["bone"]), triple(row["position"]))
        for row in records.tables["attachments"]
    )


def events_of(records: RecordTables) -> tuple[EventPoint, ...]:
    """Return the points of events, in file order."""
    return tuple(
        EventPoint(event_name(row), int(row["bone"]), triple(row["position"]))
        for row in records.tables["events"]
    )


def collision_of(records: RecordTables) -> Collision | None:
    """Return the collision mesh; None if it has no triangles. Triangles with missing vertices are left out
    and reported.
    """
    vertices = records.tables["collision_vertices"]
    indices = records.tables["collision_indices"]
    triangles = indices[: len(indices) // 3 * 3].reshape(-1, 3).astype(np.int64)
    known = (triangles < len(vertices)).all(axis=1)
    if not known.all():
        records.report.warn(f"{int((~known).sum())} triangles of the collision mesh use unknown vertices")
    return Collision(vertices, triangles[known]) if known.any() else None


def parameters_of(
    records: RecordTables, layout: RowRecord, rows: Array
) -> list[dict[str, tuple[float, ...]]]:
    """Return two floats for each row, by field name. For a constant, both floats are the constant's value;
    for a track, they are the track's first and last key. A nested track gives the keys of its first sequence.
    """
    found: list[dict[str, tuple[float, ...]]] = [{} for _ in rows]
    for part in layout.present(records.generation):
        if isinstance(part, Fixed) and part.dtype == F32:
            for entry, value in zip(found, rows[part.name].tolist(), strict=True):
                entry[part.name] = value, value
        elif isinstance(part, TrackField) and not part.dtype.shape:
            if not rows[part.name]["values"]["count"].any():
                continue
            scale = 1 / HALF if part.dtype == I16 else 1
            rows_with, ends = _ends(records, part, rows[part.name])
            for row, (first, last) in zip(rows_with.tolist(), (ends * scale).tolist(), strict=True):
                found[row][part.name] = first, last
    return found


def _ends(records: RecordTables, part: RowField, tracks: Array) -> tuple[Array, Array]:
    """Numbers [N] of the tracks with keys, and their first and last values [N, 2]."""
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
    ends = [cursor.gather(offsets, part.dtype).astype(np.float64) for offsets in (first, last)]
    return rows[there], np.stack(ends, axis=-1)


def _inside(records: RecordTables, places: Array, offsets: Array, sizes: Array | int) -> Array:
    return np.asarray(places & (offsets.astype(np.int64) + sizes <= records.size))
