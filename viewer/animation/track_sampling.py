"""Samples tracks at many times by the rules of M2, and finds the interval after which all tracks repeat.

Before all keys, the first key applies; after all keys, the last key applies. Tracks with a period follow the
unwrapped time. `nodes` finds the times at which tracks bend or jump; a bake samples at these times.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from msgspec import Struct

from viewer.animation.sampling import KeyTiming, folded, key_pairs
from viewer.arrays import Array
from viewer.budget import BUDGET
from viewer.scene.emitter import Curve
from viewer.scene.maths import distinct

JUST = 1e-6
"""The values on both sides of a jump are read this many seconds before and after the jump."""
MILLISECONDS = 1000


class BakeInterval(Struct, frozen=True):
    """A baked interval of time, `seconds` long from `start`. With `looped`, the interval repeats in both
    directions; otherwise the values at its ends apply outside the interval.

    If the common period of the loops is too long, the interval is shorter than this period, and not `exact`.
    If `start` is not 0, the motion never repeats, and the interval is a part of this motion.
    """

    seconds: float = 1.0
    looped: bool = True
    exact: bool = True
    start: float = 0.0

    def fold(self, time: float) -> tuple[float, float]:
        """Return the time within the interval, and the number of repetitions that are completed before this
        time.
        """
        if not self.looped:
            return min(max(time - self.start, 0.0), self.seconds), 0.0
        loops = math.floor(time / self.seconds)
        return min(max(time - loops * self.seconds, 0.0), self.seconds), float(loops)

    def folded(self, times: Array) -> tuple[Array, Array]:
        """`fold` for [N] times at once."""
        if not self.looped:
            return np.clip(times - self.start, 0.0, self.seconds), np.zeros(len(times))
        loops = np.floor(times / self.seconds)
        return np.clip(times - loops * self.seconds, 0.0, self.seconds), loops


def curve_values(curve: Curve, times: Array, duration: float, looped: bool) -> Array:
    """[N] or [N, C]: the values of a curve at `times` [N] seconds in a clip that lasts `duration` seconds."""
    period = duration if curve.period is None else curve.period
    own = folded(times, period, looped or curve.period is not None)
    first, second, factor = key_pairs(curve.times, own, curve.stepped)
    low, high = curve.values[first], curve.values[second]
    return np.asarray(low + (high - low) * (factor if low.ndim == 1 else factor[:, None]))


def bake_interval(timings: Iterable[KeyTiming], duration: float, looped: bool) -> BakeInterval:
    """Find the interval after which all tracks repeat together; one second if nothing changes."""
    moving = [each for each in timings if len(each.times) > 1]
    own = {each.period for each in moving if each.period is not None and each.period > 0}
    follows = any(each.period is None for each in moving) and 0 < duration < math.inf
    if follows and not looped:
        return BakeInterval(duration, False, not own)
    turns = {*own, duration} if follows else own
    if not turns:
        return BakeInterval()
    whole = math.lcm(*(max(round(turn * MILLISECONDS), 1) for turn in turns)) / MILLISECONDS
    if whole <= BUDGET.curve_seconds or len(turns) == 1:
        return BakeInterval(min(turns) if len(turns) == 1 else whole)
    turn = duration if follows else min(turns)
    return BakeInterval(turn * max(math.floor(BUDGET.curve_seconds / turn), 1), True, False)


def filled(timings: Iterable[KeyTiming], duration: float, looped: bool, period: float) -> BakeInterval | None:
    """Return the interval of `period` seconds if all tracks repeat after it; else None."""
    moving = [each for each in timings if len(each.times) > 1]
    own = bake_interval(moving, duration, looped)
    times = period / own.seconds
    fits = own.looped and own.exact and times > 0.5 and abs(times - round(times)) < JUST
    return BakeInterval(period) if 0 < period <= BUDGET.curve_seconds and (fits or not moving) else None


def nodes(
    timings: Iterable[KeyTiming], stretch: BakeInterval, duration: float, grid: float = math.inf
) -> tuple[Array, Array]:
    """Find the nodes of an interval: times between which every track is linear. Returns the nodes [K] in
    seconds from the start of `stretch`, and the times [K] at which to sample them. The nodes ascend and
    include both ends. A jump has two nodes at the same time, which are sampled just before and just after it.

    `grid` is the largest distance in seconds between two nodes. If there are too many nodes, evenly spaced
    nodes replace them.
    """
    end = stretch.seconds
    smooth: list[Array] = [np.empty(0)]
    jumps: list[Array] = [np.array((0.0, end)) if stretch.looped else np.empty(0)]
    for each in timings:
        turn = duration if each.period is None else each.period
        if len(each.times) < 2 or not 0 < turn < math.inf:
            continue
        first = math.floor(stretch.start / turn)
        last = math.ceil((stretch.start + end) / turn - JUST)
        repeats = np.arange(first, min(last, first + BUDGET.curve_nodes)) * turn - stretch.start
        inside = each.times[(each.times >= 0) & (each.times <= turn)]
        if inside.size * repeats.size > BUDGET.curve_nodes:
            return _even(end)
        (jumps if each.stepped else smooth).append((repeats[:, None] + inside).ravel())
        jumps.append(repeats)
    if math.isfinite(grid):
        smooth.append(np.linspace(0, end, min(math.ceil(end / grid), BUDGET.curve_nodes) + 1))
    times, probes = _with_jumps(np.concatenate([(0.0, end), *smooth]), np.concatenate(jumps), stretch)
    return (times, probes) if len(times) <= BUDGET.curve_nodes else _even(end)


def _even(end: float) -> tuple[Array, Array]:
    times = np.linspace(0, end, BUDGET.curve_nodes)
    return times, np.clip(times, JUST, end - JUST)


def _with_jumps(smooth: Array, jumps: Array, stretch: BakeInterval) -> tuple[Array, Array]:
    end = stretch.seconds
    smooth, jumps = distinct(smooth), distinct(jumps)
    smooth = smooth[~np.isin(smooth, jumps)]
    times = np.concatenate((smooth, jumps, jumps))
    probes = np.concatenate((smooth, jumps - JUST, jumps + JUST))
    kept = (times >= 0) & (times <= end)
    if stretch.looped:
        kept &= (probes >= 0) & (probes <= end)
    times, probes = times[kept], probes[kept]
    order = np.lexsort((probes, times))
    return times[order], probes[order]
