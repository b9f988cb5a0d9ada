"""The record of a live particle, and its conversion from the output of the vertex shader."""

from __future__ import annotations

import numpy as np

from viewer.arrays import Array
from viewer.render.effects.carried_resources import CarriedResources
from viewer.render.effects.emitter_resources import EmitterResources

PARTICLE = np.dtype(
    [
        ("number", "u8"),
        ("age", "f4"),
        ("life", "f4"),
        ("position", "f4", 3),
        ("velocity", "f4", 3),
        ("color", "f4", 4),
        ("size", "f4"),
        ("angle", "f4"),
        ("cell", "i4"),
        ("tail", "f4", 3),
    ]
)
"""A live particle.

`number` counts births (two's complement before time 0); `age` and `life` are in seconds; `position`,
`velocity` and `tail` (the end of the tail) are in the file's axes; `color` is sRGB with straight alpha;
`size` is half the width and `angle` is in radians.
"""
CARRIED = np.dtype([*PARTICLE.descr, ("carrier", "u8"), ("place", "i4")])
"""A live child particle: `place` is the number of its child emitter, `carrier` the number of its carrier;
`number` counts the births of the carrier.
"""
COLUMNS = (
    ("alive", 2),
    ("position", 3),
    ("velocity", 3),
    ("color", 4),
    ("size", 2),
    ("angle", 1),
    ("cell", 1),
    ("tail", 3),
)
VARYINGS = tuple(name for name, _ in COLUMNS)
ROW = np.dtype(("f4", sum(size for _, size in COLUMNS)))
"""Data type of a captured birth: the values of `COLUMNS` as f32."""


def live(each: EmitterResources, rows: Array) -> Array:
    """Return the live particles [N] of `PARTICLE` among the captured births [count] of `ROW`, oldest
    first.
    """
    backs = np.flatnonzero(rows[:, 0] >= 0)[::-1]
    made = np.empty(len(backs), PARTICLE)
    _fill(made, rows[backs])
    made["number"] = (each.newest - backs).astype(np.int64).view(np.uint64)
    return made


def live_carried(part: CarriedResources, rows: Array) -> Array:
    """Return the live child particles among the captured births [count] of `ROW`, [N] of `CARRIED`.

    They are sorted first by carrier (newest first), then by age (oldest first).
    """
    alive = np.flatnonzero(rows[:, 0] >= 0)
    made = np.empty(len(alive), CARRIED)
    _fill(made, rows[alive])
    carrier, number = part.births()
    made["number"], made["carrier"] = (each[alive].view(np.uint64) for each in (number, carrier))
    made["place"] = part.child
    return made


def _fill(records: Array, rows: Array) -> None:
    """Copy the columns of the shader's output into the fields of `records`."""
    parts = np.split(rows, np.cumsum([n for _, n in COLUMNS])[:-1], axis=1)
    columns = dict(zip(VARYINGS, parts, strict=True))
    records["age"], records["life"] = columns["alive"].T
    for name in ("position", "velocity", "color", "tail"):
        records[name] = columns[name]
    records["size"] = columns["size"][:, 0]
    records["angle"] = columns["angle"][:, 0]
    records["cell"] = columns["cell"][:, 0].astype(np.int32)
