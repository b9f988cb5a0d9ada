"""Particles in float64 from the facts about the format: another way to the same numbers, for tests.

Births come from sums in small steps, frames from whoever knows them exactly, positions from the closed form
or from small Euler steps. Only the random numbers are the program's own: the same draw has to mean the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from msgspec import Struct, field

from viewer.arrays import Array

Track = tuple[Any, Any, bool]
"""Times, values, whether it steps."""

STEP = 1e-4
FOLLOWED = 5e-4
"""Seconds of a step of those that follow their emitter, counted back from now: all use the same frames."""
MASK = 0xFFFFFFFF
TURN = np.array(((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)))
"""A quarter turn around Z: the emitter's x is the model's y."""


def mixed(word: int) -> int:
    word ^= word >> 16
    word = word * 0x7FEB352D & MASK
    word ^= word >> 15
    word = word * 0x846CA68B & MASK
    return word ^ word >> 16


def draw(seed: int, number: int, what: int) -> float:
    """In [0, 1)."""
    start = mixed((number & MASK) ^ seed)
    return (mixed((start + what * 0x9E3779B9) & MASK) >> 8) / 2**24


class Case(Struct):
    """An emitter: tracks by name, plain numbers by name, flags. `frame` gives the bone's matrix [3, 4] at any
    time."""

    type: str = "plane"
    tracks: dict[str, Track] = field(default_factory=dict)
    numbers: dict[str, Any] = field(default_factory=dict)
    flags: tuple[str, ...] = ()
    position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    frame: Callable[[float], Array] = lambda time: np.eye(3, 4)
    duration: float = 2.0
    spline: Array = field(default_factory=lambda: np.empty((0, 3)))

    def track(self, name: str, time: float, default: float = 0.0) -> float:
        if name not in self.tracks:
            return default
        times, values, stepped = self.tracks[name]
        own = time % self.duration
        if stepped:
            return float(values[max(int(np.searchsorted(times, own, "right")) - 1, 0)])
        return float(np.interp(own, times, values))

    def number(self, name: str, default: float = 0.0) -> float:
        return float(self.numbers.get(name, default))

    def pose_at(self, time: float) -> tuple[Array, Array]:
        """Axes [3, 3] and origin [3] of the emitter."""
        bone = np.asarray(self.frame(time), float)
        return bone[:, :3] @ TURN, bone[:, :3] @ self.position + bone[:, 3]


def births(case: Case, now: float, before: float) -> list[tuple[int, float]]:
    """Number and time of each birth between `before` and `now`."""
    low, high = min(before, 0.0) - STEP, max(now, 0.0) + STEP
    edges = np.arange(math.floor(low / STEP), math.ceil(high / STEP) + 1) * STEP
    middles = np.mod((edges[:-1] + edges[1:]) / 2, case.duration)

    def sampled(name: str, default: float) -> Array:
        if name not in case.tracks:
            return np.full(len(middles), default)
        times, values, stepped = case.tracks[name]
        if stepped:
            return np.asarray(values, float)[np.clip(np.searchsorted(times, middles, "right") - 1, 0, None)]
        return np.interp(middles, times, values)

    rate = sampled("rate", 0.0) * (sampled("enabled", 1.0) > 0)
    total = np.concatenate(([0.0], np.cumsum(rate) * STEP))
    total -= np.interp(0.0, edges, total)
    first, last = math.ceil(np.interp(before, edges, total)), math.floor(np.interp(now, edges, total) + 1e-9)
    found = []
    for n in range(first, last + 1):
        at = int(np.searchsorted(total, n + 1e-9, "right")) - 1  # of a pause the end counts
        if at + 1 < len(total):
            found.append((n, float(edges[at] + STEP * (n - total[at]) / (total[at + 1] - total[at]))))
    return [(n, time) for n, time in found if time <= now + 1e-9]


def direction(case: Case, time: float, seed: int, n: int) -> tuple[Array, Array]:
    """Where a particle starts in the emitter's space, and which way."""

    def part(what: int) -> float:
        return draw(seed, n, what)

    def u(what: int) -> float:
        return 2 * part(what) - 1

    length, width = case.track("length", time), case.track("width", time)
    vertical, horizontal = case.track("vertical_range", time), case.track("horizontal_range", time)
    up = np.array((0.0, 0.0, 1.0))
    po, az = vertical * u(3), horizontal * u(4)
    if case.type == "sphere":
        way = np.array((math.cos(po) * math.cos(az), math.cos(po) * math.sin(az), math.sin(po)))
        start = (length + (width - length) * part(1)) * way
        way = up if "up only" in case.flags else way
    elif case.type == "spline":
        low, high = min(max(length, 0), 1), min(max(width, 0), 1)
        start, tangent = on_curve(case.spline, low + (high - low) * part(1))
        way = up
        if vertical:
            way = (
                up * math.cos(po)
                + np.cross(tangent, up) * math.sin(po)
                + tangent * tangent[2] * (1 - math.cos(po))
            )
            start = start + way * horizontal * part(4)
    else:
        start = np.array((u(1) * length / 2, u(2) * width / 2, 0.0))
        way = np.array((math.cos(az) * math.sin(po), math.sin(az) * math.sin(po), math.cos(po)))
    source = case.track("z_source", time)
    if abs(source) > 0.001:
        way = start - np.array((0, 0, source))
        way = way / np.linalg.norm(way)
    return start, way


def on_curve(points: Array, part: float) -> tuple[Array, Array]:
    """The point of the Bézier chain at a part of its length, and the tangent there."""
    t = np.linspace(0, 1, 4001)[:, None]
    pieces = []
    for i in range(0, len(points) - 3, 3):
        a, b, c, d = points[i : i + 4]
        pieces.append((1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t * t * c + t**3 * d)
    line = np.concatenate(pieces)
    along = np.concatenate(([0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))))
    at = part * along[-1]

    def point(where: float) -> Array:
        return np.array([np.interp(where, along, axis) for axis in line.T])

    step = along[-1] * 1e-3
    way = point(min(at + step, along[-1])) - point(max(at - step, 0.0))
    return point(at), way / np.linalg.norm(way)


def closed(p: Array, v: Array, pull: Array, k: float, a: float) -> tuple[Array, Array]:
    if abs(k * a) < 1e-6:
        return p + v * a + pull * a * a / 2, v + pull * a
    first = -math.expm1(-k * a) / k
    return p + v * first + pull * (a - first) / k, v * math.exp(-k * a) + pull * first


def euler(p: Array, v: Array, pull: Array, k: float, a: float, steps: int = 4000) -> tuple[Array, Array]:
    """The client's own step, small: p += v dt + ½ a dt², v += a dt, v *= 1 - drag dt."""
    dt = a / steps
    for _ in range(steps):
        p = p + v * dt + pull * dt * dt / 2
        v = (v + pull * dt) * (1 - k * dt)
    return p, v


Mover = Callable[[Array, Array, Array, float, float], tuple[Array, Array]]


def particles(
    case: Case, now: float, seed: int, cold: bool = False, move: Mover = closed
) -> list[Mapping[str, Any]]:
    """The live particles in the order of their births, in model space."""
    most = max(np.max(case.tracks["lifespan"][1]), 0) + abs(case.number("lifespan_variation"))
    found = []
    for n, born in births(case, now, now - most):
        life = case.track("lifespan", born) + case.number("lifespan_variation") * (2 * draw(seed, n, 5) - 1)
        age = now - born
        if age > life or life <= 0 or (cold and n < 0):
            continue
        way = moved(case, n, born, now, seed, move)
        if way is not None:
            found.append({"number": n, "age": age, "life": life, "position": way[0], "velocity": way[1]})
    return found


def moved(case: Case, n: int, born: float, now: float, seed: int, move: Mover) -> tuple[Array, Array] | None:
    p, way = direction(case, born, seed, n)
    speed = case.track("speed", born) * (1 + case.track("speed_variation", born) * (2 * draw(seed, n, 0) - 1))
    v, middle, local = way * speed, np.zeros(3), "model space" in case.flags
    if not local:
        axes, origin = case.pose_at(born)
        p, v, middle = axes @ p + origin, axes @ v, origin
        if "burst" in case.flags:
            v = (
                v
                + case.number("burst", 1.0)
                * (case.pose_at(born + 1e-5)[1] - case.pose_at(born - 1e-5)[1])
                / 2e-5
            )
        if "on the ground" in case.flags:
            p[2] = 0
    age, k = now - born, case.number("drag")
    pull = np.array((0, 0, -case.track("gravity", born)))
    windy = min(age, case.number("wind_time"))
    if windy > 0:
        p, v = move(p, v, pull + np.array(case.numbers["wind"]), k, windy)
    p, v = move(p, v, pull, k, age - windy)
    if "dies in the middle" in case.flags and np.dot(p - middle, v) > 0:
        return None
    if local:
        axes, origin = case.pose_at(now)
        return axes @ p + origin, axes @ v
    if "follows" in case.flags:
        p = p + _followed(case, born, now)
    return p, v


def _followed(case: Case, born: float, now: float) -> Array:
    """How far something is carried along between two times."""
    (slow, low), (fast, high) = case.numbers["follow"]
    back = np.arange(math.ceil((now - born) / FOLLOWED - 0.01)) * FOLLOWED
    times = np.concatenate(([born], now - back[::-1]))
    steps = np.diff([case.pose_at(float(t))[1] for t in times], axis=0)
    speed = np.linalg.norm(steps, axis=1) / np.diff(times)
    share = np.clip(low + (speed - slow) * (high - low) / (fast - slow), 0, 1)
    return (steps * share[:, None]).sum(axis=0)
