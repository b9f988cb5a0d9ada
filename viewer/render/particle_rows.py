"""What is told of a live particle, and how it is made of what the vertex shader says."""

from __future__ import annotations

from typing import Any

import numpy as np

from viewer.render.emitter_resources import EmitterResources

Array = np.ndarray[Any, Any]

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
"""A live particle: its number (of a birth before time 0 as two's complement), seconds, the file's axes, sRGB
and straight alpha, half its width, radians, where its tail ends."""
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
NUMBERS = sum(size for _, size in COLUMNS)


def live(each: EmitterResources, rows: Array) -> Array:
    """Those of [count, `NUMBERS`] that are alive, the oldest first."""
    backs = np.flatnonzero(rows[:, 0] >= 0)[::-1]
    columns = dict(
        zip(VARYINGS, np.split(rows[backs], np.cumsum([n for _, n in COLUMNS])[:-1], axis=1), strict=True)
    )
    made = np.empty(len(backs), PARTICLE)
    made["number"] = (each.newest - backs).astype(np.int64).view(np.uint64)
    made["age"], made["life"] = columns["alive"].T
    for name in ("position", "velocity", "color", "tail"):
        made[name] = columns[name]
    made["size"] = columns["size"][:, 0]
    made["angle"] = columns["angle"][:, 0]
    made["cell"] = columns["cell"][:, 0].astype(np.int32)
    return made
