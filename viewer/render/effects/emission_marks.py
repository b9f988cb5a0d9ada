"""Lines for emission shapes, emission cones, birth frames, ribbon edges and the selected particle."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from viewer.animation.effects.bone_path import BonePath
from viewer.animation.effects.emission import VALUES
from viewer.animation.effects.particle_motion import NO_SOURCE, SAMPLES, even_points
from viewer.arrays import Array, Color
from viewer.render.effects.emitter_resources import EmitterResources
from viewer.render.effects.particle_capture import live_particles
from viewer.render.mesh.mesh_resources import MeshResources
from viewer.render.overlays.segments import ACCENT, THICK, THIN, TURNS, circles, dots, segments
from viewer.render.view_parameters import EffectTime
from viewer.scene.display import DisplayOptions, effect_of
from viewer.scene.emitter import Emitter
from viewer.scene.items import Item, ParticleItem, RibbonItem
from viewer.scene.maths import transform

SHAPE: Color = (0.86, 0.52, 0.95, 0.9)
WAY: Color = (0.98, 0.80, 0.36, 0.9)
EDGE: Color = (0.60, 0.72, 0.98, 0.9)
AXES: tuple[Color, ...] = ((0.90, 0.30, 0.32, 0.8), (0.32, 0.68, 0.28, 0.8), (0.26, 0.52, 0.96, 0.8))
SIDES = 8
"""Number of lines in a cone."""
FLAT = 0.01
"""A sphere counts as flat if its largest angle to the equator, in radians, is at most this."""
FLOWN, LONG = 0.3, 10.0
"""A cone is as long as the path of a particle during a part of its life. The first number is this part as a
share of the life, the second number its largest duration in seconds.
"""
DRAWN_BIRTHS = 24
CROSS = 0.35
"""Length of a birth frame's arms, as a share of the length of the cone. A cone is at least as long as the
same share of the emission shape's size.
"""
DOT, RIM = 4.0, 1.5
"""Radius of the dot at the selected particle, and width of its ring, in points."""


def emission_segments(
    mesh: MeshResources,
    effect_time: EffectTime,
    options: DisplayOptions,
    picked: Item | None,
) -> list[Array]:
    """Make the lines that `options` and the selected item show, each [N] of `SEGMENT` in the file's axes."""
    chosen = effect_of(picked)
    found: list[Array] = []
    for each in mesh.particles.emitters:
        if options.emitters or chosen == each.item:
            each.prepare(effect_time)
            found += _emitter(each, effect_time, THICK if chosen == each.item else THIN)
    for number in range(len(mesh.model.ribbons)):
        if options.emitters or chosen == RibbonItem(number):
            found += _ribbon(mesh, number, effect_time)
    if isinstance(picked, ParticleItem):
        found += _particle(mesh, picked.emitter, picked.number)
    return found


def _emitter(each: EmitterResources, effect_time: EffectTime, radius: float) -> list[Array]:
    assert each.emission is not None and each.path is not None, "the emitter is prepared"
    row = np.nan_to_num(each.emission.birth(np.array([each.newest]))[1][0])
    values = dict(zip(VALUES, row.tolist(), strict=True))
    frame, shape = each.frame(effect_time), shape_lines(each.emitter, values)
    extent = float(np.ptp(shape.reshape(-1, 3), axis=0).max()) if len(shape) else 0.0
    flown = abs(values["speed"]) * min(values["lifespan"], LONG) * FLOWN
    length = max(flown, extent * CROSS) if flown else 0.0
    found = [segments(transform(frame, shape), SHAPE, radius)]
    found.append(segments(transform(frame, way_lines(each.emitter, values, length)), WAY, radius))
    if "model space" not in each.emitter.flags:
        found += _births(each, each.path, max(length, extent) * CROSS)
    return found


def shape_lines(emitter: Emitter, values: Mapping[str, float]) -> Array:
    """Return the outline of the area in which an emitter's particles are born, as lines [N, 2, 3] in the
    emitter's space.

    A sphere whose particles are born only near its equator is drawn as two rings.
    """
    length, width = values["length"], values["width"]
    if emitter.type == "sphere":
        flat = abs(values["vertical_range"]) < FLAT
        unit = _joined(_ring(np.pi / 2)) if flat else circles(np.zeros(3), 1.0)
        return np.concatenate((unit * abs(length), unit * abs(width)))
    if emitter.type == "spline":
        points = even_points(emitter.spline)[0]
        first, last = (int(np.clip(end, 0, 1) * (SAMPLES - 1)) for end in sorted((length, width)))
        return _joined(points[first : last + 1])
    corners = np.array(((-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0), (-1, -1, 0))) / 2
    return _joined(corners * (length, width, 0.0))


def way_lines(emitter: Emitter, values: Mapping[str, float], length: float) -> Array:
    """Return the emission directions as lines [N, 2, 3] of `length` in the emitter's space.

    If particles move away from a point, the lines lead away from this point.
    """
    source = values["z_source"]
    if abs(source) > NO_SOURCE:
        return _fled(shape_lines(emitter, values)[:, 0], np.array((0.0, 0.0, source)), length)
    if emitter.type == "sphere" and "up only" not in emitter.flags:
        return np.empty((0, 2, 3))
    half = min(abs(values["vertical_range"]), np.pi)
    rim = _ring(half) * length
    spokes = np.stack((np.zeros_like(rim[:-1]), rim[:-1]), axis=1)
    return np.concatenate((spokes[:: TURNS // SIDES], _joined(rim))) if half > 0 else spokes[:1]


def _fled(points: Array, source: Array, length: float) -> Array:
    """Return lines that lead away from `source` and start at some of the `points` [N, 3], and a dot at
    `source`.
    """
    rim = points[:: max(len(points) // SIDES, 1)]
    away = rim - source
    size = np.linalg.norm(away, axis=1, keepdims=True)
    lines = np.stack((rim, rim + away / np.where(size > 0, size, 1) * length), axis=1)
    return np.concatenate((lines, np.repeat(source[None, None], 2, axis=1)))


def _ring(half: float) -> Array:
    """Return points [T + 1, 3] on the rim of a cone of length 1 around +z; `half` is the cone's half angle in
    radians.
    """
    angle = np.linspace(0, 2 * np.pi, TURNS + 1)
    flat = np.stack((np.cos(angle), np.sin(angle)), axis=1) * np.sin(half)
    return np.column_stack((flat, np.full(TURNS + 1, np.cos(half))))


def _births(each: EmitterResources, path: BonePath, arm: float) -> list[Array]:
    """Make a cross at the birth position of some live particles; its arms are the axes of the birth frame."""
    assert each.emission is not None
    step = max(-(-each.count // DRAWN_BIRTHS), 1)
    times = each.emission.birth(each.newest - np.arange(0, each.count, step))[0]
    times = times[np.isfinite(times)]
    if not len(times):
        return []
    frames = path.at(times)
    axes = frames[:, :, :3] / np.maximum(np.linalg.norm(frames[:, :, :3], axis=1, keepdims=True), 1e-12)
    origins = frames[:, :, 3]
    return [
        segments(np.stack((origins, origins + axes[:, :, axis] * arm), axis=1), AXES[axis], THIN)
        for axis in range(3)
    ]


def _ribbon(mesh: MeshResources, number: int, effect_time: EffectTime) -> list[Array]:
    """Make a line across the ribbon at each edge; the leading edge is thicker."""
    edges = mesh.ribbons.capture(number, effect_time)
    across = np.stack((edges["top"], edges["bottom"]), axis=1)
    return [segments(across[1:], EDGE, THIN), segments(across[:1], SHAPE, THICK)]


def _particle(mesh: MeshResources, emitter: int, number: int) -> list[Array]:
    """Make a dot at the particle, and a line along its velocity."""
    if emitter >= len(mesh.particles.emitters):
        return []
    rows = live_particles(mesh, emitter)
    found = rows[rows["number"].astype(np.int64) == number]
    if not len(found):
        return []
    at, ahead = found["position"], found["position"] + found["velocity"] * FLOWN
    return [segments(np.stack((at, ahead), axis=1), ACCENT, THICK), dots(at, ACCENT, DOT, RIM)]


def _joined(points: Array) -> Array:
    """Return the lines between consecutive points [N, 3] as [N - 1, 2, 3]."""
    return np.stack((points[:-1], points[1:]), axis=1)
