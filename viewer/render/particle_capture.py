"""What the vertex shader makes of every particle, read back: for `bake`, panels and tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from viewer.gpu.target import somewhere
from viewer.render.emitter_resources import EmitterResources, Instant
from viewer.render.mesh_resources import MeshResources
from viewer.scene.look import Look

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


def capture_particles(mesh: MeshResources, instant: Instant, look: Look) -> list[Array]:
    """Of each emitter of the model the live particles, [N] of `PARTICLE`, in the order of their births; none
    of one that is not shown."""
    with somewhere(mesh.composer.ctx):
        mesh.write(instant.pose, look, np.eye(4), np.eye(4))
        mesh.use()
        found = [np.empty(0, PARTICLE) for _ in mesh.model.emitters]
        for each in mesh.particles.prepared(look, instant):
            found[each.number] = _live(each, mesh.particles.captured(each, VARYINGS, NUMBERS))
        return found


def live_particles(mesh: MeshResources, number: int) -> Array:
    """[N] of `PARTICLE`, in the order of their births: those of an emitter that is prepared. A framebuffer
    and the mesh's `Frame` block have to be bound."""
    each = mesh.particles.emitters[number]
    if not each.count:
        return np.empty(0, PARTICLE)
    each.use()
    return _live(each, mesh.particles.captured(each, VARYINGS, NUMBERS))


def _live(each: EmitterResources, rows: Array) -> Array:
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
