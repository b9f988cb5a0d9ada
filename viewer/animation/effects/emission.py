"""Computes the births of an emitter's particles: the integral of its rate, the inverse of this integral, and
the parameters at birth.

Birth number n happens when the integral of rate × enabled from time 0 reaches n. Everything is a function of
time. The integral and all parameters are baked over the period of the tracks, at the times where a track
bends or jumps. Between two such nodes the rate is linear, so the integral and its inverse are exact. Source
of the values at birth: Deamon87 WebWowViewerCpp and rkabachenko OpenWow.
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Mapping
from functools import cached_property

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from viewer.animation.effects.random_hash import RandomDraw, uniform
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
from viewer.scene.animation import Animation
from viewer.scene.emitter import Curve, Curves, Emitter, Ramp

VALUES = (
    "lifespan",
    "speed",
    "speed_variation",
    "vertical_range",
    "horizontal_range",
    "gravity",
    "length",
    "width",
    "z_source",
)
"""The values that a particle keeps from its birth, in the order of the baked columns."""
SLOT = 0.1
"""The seconds for which a rate with random variation stays constant."""
VARIED = 10.0
"""The seconds after which rates with random variation repeat, unless a period is given."""


class BirthCount(Struct, frozen=True):
    """The births up to a time. `newest` is the number of the last birth.

    `base` is the integral of the rate from the interval's start to the last birth. `base` is negative if the
    last birth was before the interval. `part` is the fraction of the next birth that the integral has
    reached. `time` is the time within the interval (not wrapped if the interval does not repeat).
    """

    newest: int
    base: float
    part: float
    time: float


class Emission(Struct, frozen=True, eq=False, dict=True):
    """The baked birth schedule of an emitter. `times` [K] are f64 seconds of the interval. At these times
    `births` [K] are the integral of the rate, `rates` [K] the rates, and `values` [K, 9] the parameters as in
    `VALUES`. `longest` is the longest life of a particle in seconds. `loop` is the number of births after
    which random numbers repeat; 0 if they never repeat.
    """

    stretch: BakeInterval
    times: Array
    births: Array
    rates: Array
    values: Array
    longest: float
    loop: int = 0

    @cached_property
    def _lists(self) -> tuple[list[float], list[float], list[float]]:
        """The tables as lists, which are much faster than arrays for single look-ups."""
        return self.times.tolist(), self.births.tolist(), self.rates.tolist()

    def alike(self, numbers: Array) -> Array:
        """[N]: the numbers that select the random values of the births `numbers` [N]. Births that are one
        loop apart have the same random values.
        """
        return numbers % self.loop if self.loop else numbers

    @property
    def a_loop(self) -> float:
        """The number of births in the whole interval."""
        return float(self.births[-1])

    def _reached(self, time: float) -> tuple[float, float]:
        """Split the integral of the rate up to `time`: the part in the current repetition of the interval,
        and the part in all earlier repetitions.
        """
        times, births, rates = self._lists
        own, loops = self.stretch.fold(time)
        node = min(max(bisect.bisect_right(times, own) - 1, 0), len(times) - 2)
        since, gap = own - times[node], times[node + 1] - times[node]
        slope = (rates[node + 1] - rates[node]) / gap if gap > 0 else 0.0
        inside = births[node] + since * (rates[node] + slope * since / 2)
        if not self.stretch.looped:
            inside += min(time, 0.0) * rates[0] + max(time - self.stretch.seconds, 0.0) * rates[-1]
        return inside, loops * births[-1]

    def total(self, time: float) -> float:
        """The integral of the rate from time 0."""
        inside, before = self._reached(time)
        return inside + before

    def at(self, time: float) -> BirthCount:
        """The births up to `time` seconds, which is not wrapped."""
        inside, before = self._reached(time)
        newest = math.floor(inside + before)
        base = newest - before
        own = self.stretch.fold(time)[0] if self.stretch.looped else time
        return BirthCount(newest, base, inside - base, own)

    def candidates(self, time: float, cold: bool) -> int:
        """An upper limit of the number of births that may be alive at `time`. It assumes the longest possible
        life.
        """
        oldest = math.ceil(self.total(time - self.longest))
        return max(math.floor(self.total(time)) - (max(oldest, 0) if cold else oldest) + 1, 0)

    @cached_property
    def most(self) -> int:
        """An upper limit of the number of particles alive at once."""
        return self.most_within(self.longest)

    def most_within(self, seconds: float) -> int:
        """An upper limit of the number of births in `seconds`."""
        ends = np.concatenate((self.times, self.times + seconds))
        return math.floor(float((self.totals(ends) - self.totals(ends - seconds)).max())) + 1

    def totals(self, times: Array) -> Array:
        """[N]: the integral of the rate from time 0 to `times` [N]."""
        own, loops = np.clip(times, 0, self.stretch.seconds), np.zeros(len(times))
        if self.stretch.looped:
            loops = np.floor(times / self.stretch.seconds)
            own = np.clip(times - loops * self.stretch.seconds, 0, self.stretch.seconds)
        node = np.clip(np.searchsorted(self.times, own, "right") - 1, 0, len(self.times) - 2)
        since, slope = own - self.times[node], self._slope(node)
        found = self.births[node] + since * (self.rates[node] + slope * since / 2) + loops * self.a_loop
        if not self.stretch.looped:
            found += np.minimum(times, 0) * self.rates[0]
            found += np.maximum(times - self.stretch.seconds, 0) * self.rates[-1]
        return np.asarray(found)

    def _slope(self, node: Array) -> Array:
        """The slope of the rate after each of these nodes."""
        gap, rise = self.times[node + 1] - self.times[node], self.rates[node + 1] - self.rates[node]
        return np.asarray(np.divide(rise, gap, out=np.zeros_like(gap), where=gap > 0))

    def birth(self, numbers: Array) -> tuple[Array, Array]:
        """The times [N] in seconds of the births `numbers` [N], and their parameters [N, 9]. The time of a
        birth that never happens is NaN.

        If the integral reaches a birth number exactly at the beginning of a pause in emission, the birth
        happens at the end of the pause.
        """
        numbers = np.asarray(numbers, np.float64)
        a_loop, looped = self.a_loop, self.stretch.looped
        if looped and a_loop <= 0:
            return np.full(len(numbers), np.nan), np.full((len(numbers), len(VALUES)), np.nan)
        loops = np.floor(numbers / a_loop) if looped else np.zeros(len(numbers))
        e = numbers - loops * a_loop
        node = np.clip(np.searchsorted(self.births, e, "right") - 1, 0, len(self.times) - 2)
        gap = self.times[node + 1] - self.times[node]
        since = self._since(node, np.maximum(e - self.births[node], 0), gap)
        part = np.divide(since, gap, out=np.zeros_like(since), where=gap > 0)[:, None]
        values = self.values[node] + (self.values[node + 1] - self.values[node]) * np.clip(part, 0, 1)
        times = self.times[node] + since + loops * self.stretch.seconds
        return (times, values) if looped else (self._outside(times, e), values)

    def _since(self, node: Array, e: Array, gap: Array) -> Array:
        """Seconds from a node until `e` more births: the root of rate · t + slope · t² / 2 = e."""
        rate = self.rates[node]
        divisor = rate + np.sqrt(np.maximum(rate * rate + 2 * self._slope(node) * e, 0))
        since = np.divide(2 * e, divisor, out=np.zeros_like(e), where=divisor > 0)
        return np.asarray(np.minimum(since, gap))

    def _outside(self, times: Array, e: Array) -> Array:
        """[N]: the times of births. If the interval does not repeat, times outside it are computed from the
        rates at its ends.
        """
        # outside the interval the rate may be 0, and then no birth happens
        with np.errstate(divide="ignore", invalid="ignore"):
            before = np.where(self.rates[0] > 0, e / self.rates[0], np.nan)
            after = self.stretch.seconds + (e - self.a_loop) / self.rates[-1]
        after = np.where(self.rates[-1] > 0, after, np.nan)
        return np.where(e < 0, before, np.where(e > self.a_loop, after, times))


def emission(
    emitter: Emitter,
    animation: Animation | None,
    looped: bool = True,
    rate: float = 1.0,
    seed: int = 0,
    period: float = 0.0,
) -> Emission:
    """Bake the schedule of an emitter while an animation plays (None: no animation). `rate` multiplies the
    file's rate; `seed` is the seed of the emitter's random numbers. Numbers that are not finite are read as
    0, and extreme rates and lifespans are limited.

    `period` is the time in seconds after which everything repeats, if the tracks allow it. The number of
    births in a period is then rounded, to at least 1 if there are births.
    """
    curves = emitter.curves(animation)
    duration = animation.duration if animation is not None else 0.0
    timings = [_timing(curves, name) for name in ("rate", "enabled", *VALUES) if name in curves]
    whole = filled(timings, duration, looped, period)
    stretch = whole or bake_interval(timings, duration, looped)
    if emitter.rate_variation:
        stretch = replace(stretch, seconds=VARIED) if whole is None and stretch == BakeInterval() else stretch
        slots = np.arange(min(math.ceil(stretch.seconds / SLOT), 1024)) * SLOT
        timings.append(KeyTiming(slots, True, stretch.seconds))
    times, probes = nodes(timings, stretch, duration)

    def sampled(name: str) -> Array:
        return _sampled(curves[name], probes, duration, looped) if name in curves else np.zeros(len(probes))

    rates = sampled("rate")
    if emitter.rate_variation:
        slot = np.floor(np.clip(probes, 0, None) / SLOT).astype(np.int64)
        rates = rates + _finite(emitter.rate_variation) * (uniform(seed, slot, RandomDraw.RATE) * 2 - 1)
    rates = np.clip(rates * rate, 0, BUDGET.births_per_second)
    if "enabled" in curves:
        held = replace(curves["enabled"], stepped=True)
        rates = rates * (_sampled(held, probes, duration, looped) > 0)
    values = np.stack(
        [np.clip(sampled(name), -BUDGET.effect_number, BUDGET.effect_number) for name in VALUES], axis=-1
    )
    values[:, 0] = np.clip(values[:, 0], 0, BUDGET.lifespan)
    births = np.concatenate(((0.0,), np.cumsum(np.diff(times) * (rates[1:] + rates[:-1]) / 2)))
    loop = max(round(births[-1]), 1) if whole and births[-1] > 0 else 0
    if loop:
        rates, births = rates * (loop / births[-1]), births * (loop / births[-1])
        births[-1] = loop
    spread = min(abs(_finite(emitter.lifespan_variation)), BUDGET.lifespan)
    return Emission(stretch, times, births, rates, values, float(values[:, 0].max()) + spread, loop)


def _timing(curves: Curves, name: str) -> KeyTiming:
    curve = curves[name]
    return KeyTiming(curve.times, curve.stepped or name == "enabled", curve.period)


def _sampled(curve: Curve, times: Array, duration: float, looped: bool) -> Array:
    if len(curve.times) == 1:
        found = np.repeat(curve.values, len(times))
    else:
        found = curve_values(curve, times, duration, looped)
    return np.asarray(
        np.nan_to_num(found, nan=0.0, posinf=BUDGET.effect_number, neginf=-BUDGET.effect_number)
    )


def _finite(value: float) -> float:
    return value if math.isfinite(value) else 0.0


STEPS = 129
"""The number of points of a curve over life, enough to show the steps of texture cells."""


def over_time(curve: Curve, times: Array, animation: Animation | None, looped: bool) -> Array:
    """[N, C]: the values of a track at `times` [N] seconds of an animation. Without an animation, only tracks
    with a period change over time.
    """
    found = curve_values(curve, times, animation.duration if animation else 0.0, looped)
    return np.nan_to_num(found.reshape(len(times), -1))


def over_life(emitter: Emitter) -> Mapping[str, Array]:
    """Sample the ramps at N evenly spaced moments of a life; ramps without keys are left out. Return arrays
    [N, C] under the names `color` and `alpha` (0 to 1), `half size`, `head cell` and `tail cell`.
    """
    share = np.linspace(0.0, 1.0, STEPS)
    ramps = {"color": emitter.colors, "alpha": emitter.alphas, "half size": emitter.scales}
    found = {name: ramp_at(ramp, share) for name, ramp in ramps.items() if len(ramp)}
    phased = _phased(emitter, share)
    cells = {"head cell": (emitter.head, emitter.head_cells), "tail cell": (emitter.tail, emitter.tail_cells)}
    for name, (drawn, ramp) in cells.items():
        if drawn and len(ramp) and np.ptp(ramp.values) > 0:
            found[name] = np.floor(ramp_at(ramp, phased))
    return found


def ramp_at(ramp: Ramp, share: Array) -> Array:
    """[N, C]: a ramp at fractions [N] of a life."""
    columns = np.nan_to_num(ramp.values).T
    return np.stack([np.interp(share, ramp.times, column) for column in columns], axis=-1)


def _phased(emitter: Emitter, share: Array) -> Array:
    """[N]: the positions in the cell ramps at fractions [N] of a life. A life has two phases, and each phase
    plays its part of the ramp repeatedly. At the end of a life the position just before the end counts.
    """
    phases, share = emitter.phases, np.minimum(share, 1 - 1e-6)
    middle = phases.middle
    early = middle * np.mod(phases.first * share / max(middle, 1e-9), 1.0)
    late = middle + (1 - middle) * np.mod(phases.second * (share - middle) / max(1 - middle, 1e-9), 1.0)
    return np.where(share < middle, early, late)
