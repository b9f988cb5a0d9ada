"""Bakes ribbons into tables over a loop: the position of an edge at its birth, and the edges alive at a time.

Edges are born at whole multiples of 1 / rate seconds; the leading edge is always at the bone itself. The
table has the positions of edges at their births; a formula gives their later motion
(`shaders/include/ribbon.glsl`), so edges can be computed for times in any order. Source: Deamon87
WebWowViewerCpp `CRibbonEmitter`, whose steps add up to this formula.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from viewer.animation.effects.bone_path import BoneMotion, bone_motion, window
from viewer.animation.pose import Layer
from viewer.animation.sampling import KeyTiming
from viewer.animation.track_sampling import (
    BakeInterval,
    bake_interval,
    curve_values,
    filled,
    nodes,
)
from viewer.arrays import Array
from viewer.budget import BUDGET
from viewer.scene.emitter import Curve, Ribbon
from viewer.scene.maths import IDENTITY, transform
from viewer.scene.skeleton import Skeleton

SHORTEST = 0.25
"""The shortest life of an edge in seconds, as in the client."""
GRID, SAMPLES = 1 / 120, 2048
"""The time in seconds between two samples of a moving bone, and the largest number of samples. If the bone
moves on a circle once a second, the sampled path has an error of 1/3000 of the circle's radius.
"""
HIDDEN = -1.0
RIBBON_TEXELS = 4
"""The texels of a sample: origin, upper and lower extent, colour."""
DEFAULTS = {
    "color": Curve(np.zeros(1), np.ones((1, 3))),
    "alpha": Curve(np.zeros(1), np.ones(1)),
    "above": Curve(np.zeros(1), np.zeros(1)),
    "below": Curve(np.zeros(1), np.zeros(1)),
    "texture_slot": Curve(np.zeros(1), np.zeros(1)),
    "visible": Curve(np.zeros(1), np.ones(1)),
}
"""The curves that replace tracks without keys, by the name of the track."""


class EdgeRange(Struct, frozen=True):
    """The `count` edges at a time: the leading edge, then `count` - 1 births.

    The newest birth is `youngest` seconds old. Successive births are `between` seconds apart; no birth is
    older than `lifetime`.
    """

    count: int
    youngest: float
    between: float
    lifetime: float


class RibbonTable(Struct, frozen=True, eq=False):
    """The baked table of a ribbon. `texels` [4 R, 4] f32 has 4 texels for each of R samples of
    `bake_interval`, in time order, laid out as in `shaders/include/ribbon.glsl`.

    A table that does not cover all times also has the edges that are born before the interval, by at most
    `before` seconds. `faces`: the table depends on the camera. `approximations` are the differences from the
    engine, one line each.
    """

    texels: Array
    bake_interval: BakeInterval
    before: float
    faces: bool
    approximations: tuple[str, ...]

    @property
    def rows(self) -> int:
        """The number of samples."""
        return len(self.texels) // RIBBON_TEXELS

    def now(self, time: float, lifetime: float) -> float:
        """Convert `time` to seconds from the table's start. In a table that repeats, the time is wrapped. In
        any other table, a time far outside is moved near the table, where float32 can distinguish all edges
        of this `lifetime`.
        """
        if self.bake_interval.looped:
            return self.bake_interval.fold(time)[0]
        return min(max(time - self.bake_interval.start, -1.0), self.bake_interval.seconds + lifetime + 1.0)

    def covers(self, time: float) -> bool:
        """Whether the table is valid at `time`. Motion without a period is baked only for an interval."""
        return self.bake_interval.exact or window(time, self.before).start == self.bake_interval.start


def edges(
    ribbon: Ribbon, time: float, cold: bool = False, factor: float = 1.0, period: float = 0.0
) -> EdgeRange:
    """Find the edges at `time` seconds (never wrapped), exactly in float64.

    `cold`: no edge is born before time 0. `factor` multiplies the rate. A `period` other than 0 is the
    number of seconds after which the edges repeat; the number of edges in it is rounded to a whole number.
    """
    whole, lifetime = pace(ribbon, factor)
    if whole == 0:
        return EdgeRange(1, 0.0, 0.0, lifetime)
    rate = max(round(whole * period), 1) / period if period > 0 else float(whole)
    time = time % period if period > 0 else time
    newest = math.floor(time * rate)
    oldest = math.floor((time - lifetime) * rate) + 1
    count = newest - (max(oldest, 0) if cold else oldest) + 1
    return EdgeRange(1 + max(count, 0), max(time - newest / rate, 0.0), 1 / rate, lifetime)


def pace(ribbon: Ribbon, factor: float = 1.0) -> tuple[int, float]:
    """The edges per second (a whole number) and the life of an edge in seconds. The budget limits the number
    of live edges.
    """
    lifetime = max(ribbon.lifetime, SHORTEST) if math.isfinite(ribbon.lifetime) else SHORTEST
    rate = ribbon.rate * factor if math.isfinite(ribbon.rate) else 0.0
    return max(min(math.ceil(rate), int(BUDGET.ribbon_edges / lifetime)), 0), lifetime


def finite(value: float) -> float:
    """Limit a number to the budget of ribbons; 0 for a number that is not finite."""
    return float(np.clip(value, -BUDGET.ribbon_number, BUDGET.ribbon_number)) if math.isfinite(value) else 0.0


class _Plan(Struct, frozen=True, eq=False):
    """The inputs of a table. `playing` is the first layer, `links` is the motion of the ribbon's bone, and
    `curves` are the ribbon's tracks. `moves` is True if the bone moves.
    """

    playing: Layer | None
    links: BoneMotion | None
    curves: Mapping[str, Curve]
    moves: bool
    timings: list[KeyTiming]
    stretch: BakeInterval

    @property
    def duration(self) -> float:
        """The duration in seconds of the playing clip."""
        return self.playing.animation.duration if self.playing else 0.0

    @property
    def whole(self) -> float:
        """The duration of the longest clip in seconds."""
        return self.links.duration if self.links else self.duration

    @property
    def looped(self) -> bool:
        return self.playing is None or self.playing.looped

    def values(self, times: Array) -> dict[str, Array]:
        """The values [N] or [N, C] of every track at `times` [N] seconds."""
        return {
            name: curve_values(each, times, self.duration, self.looped) for name, each in self.curves.items()
        }

    def frames(self, times: Array, view: Array | None) -> Array:
        """[N, 3, 4]: the skin matrices of the ribbon's bone at `times` [N] seconds."""
        if self.links is None:
            return np.broadcast_to(IDENTITY, (len(times), 3, 4))
        return self.links.skin(times, view)


def _plan(ribbon: Ribbon, skeleton: Skeleton | None, layers: Sequence[Layer], time: float = 0.0) -> _Plan:
    playing = layers[0] if layers else None
    curves = {**DEFAULTS, **ribbon.curves(playing.animation if playing else None)}
    links = bone_motion(skeleton, ribbon.bone, layers)
    bones = list(links.timings()) if links else []
    moves = any(len(each.times) > 1 for each in bones)
    found = _Plan(playing, links, curves, moves, bones, BakeInterval())
    for each in curves.values():
        own = found.duration if found.looped and found.duration != found.whole else None
        bones.append(KeyTiming(each.times, each.stepped, own if each.period is None else each.period))
    stretch = bake_interval(bones, found.whole, found.looped)
    return replace(found, stretch=stretch if stretch.exact else window(time, pace(ribbon)[1]))


def approximations(
    ribbon: Ribbon, skeleton: Skeleton | None, layers: Sequence[Layer] = ()
) -> tuple[str, ...]:
    """Describe the differences from the engine while `layers` play, one line each."""
    return _approximations(ribbon, _plan(ribbon, skeleton, layers))


def repeats(ribbon: Ribbon, skeleton: Skeleton | None, layers: Sequence[Layer], period: float) -> bool:
    """Whether the ribbon repeats after `period` seconds while `layers` play."""
    plan = _plan(ribbon, skeleton, layers)
    return filled(plan.timings, plan.whole, plan.looped, period) is not None


def bake(
    ribbon: Ribbon,
    skeleton: Skeleton | None,
    layers: Sequence[Layer] = (),
    view: Array | None = None,
    time: float = 0.0,
) -> RibbonTable:
    """Bake the table of a ribbon while `layers` play.

    The ribbon's own tracks follow the first layer. `view` turns the file's axes into eye space, as in
    `pose`. A missing bone does not move. If the motion has no short period, only an interval around `time`
    is baked.
    """
    plan = _plan(ribbon, skeleton, layers, time)
    stretch = plan.stretch
    grid = max(GRID, stretch.seconds / SAMPLES) if plan.moves else math.inf
    times, probes = nodes(plan.timings, stretch, plan.whole, grid)
    sampled_times = stretch.start + probes
    texels = _texels(ribbon, times, plan.frames(sampled_times, view), plan.values(sampled_times))
    faces = plan.links is not None and plan.links.faces
    return RibbonTable(texels, stretch, pace(ribbon)[1], faces, _approximations(ribbon, plan))


def _texels(ribbon: Ribbon, times: Array, frames: Array, values: dict[str, Array]) -> Array:
    out = np.empty((len(times), RIBBON_TEXELS, 4))
    out[:, 0, :3] = transform(frames, np.array(ribbon.position))
    out[:, 0, 3] = times
    for part, name in ((1, "above"), (2, "below")):
        out[:, part, :3] = frames[:, :, 1] * values[name].reshape(-1, 1)
    seen = values["visible"].ravel() > 0.5
    out[:, 1, 3] = np.where(seen, np.maximum(np.floor(values["texture_slot"].ravel()), 0), HIDDEN)
    out[:, 2, 3] = 0.0
    out[:, 3, :3], out[:, 3, 3] = values["color"], values["alpha"].ravel()
    kept = np.clip(np.nan_to_num(out), -BUDGET.ribbon_number, BUDGET.ribbon_number)
    return kept.reshape(-1, 4).astype(np.float32)


def _approximations(ribbon: Ribbon, plan: _Plan) -> tuple[str, ...]:
    rate, _ = pace(ribbon)
    faces = plan.links is not None and plan.links.faces
    found = {
        f"at most {BUDGET.ribbon_edges} edges are drawn at a time": ribbon.rate > rate + 1,
        "the bone faces the camera, but earlier edges are computed with the present camera": faces,
    }
    return tuple(text for text, holds in found.items() if holds)
