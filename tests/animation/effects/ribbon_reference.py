"""Ribbons in float64, edge by edge, as the facts of the format have them: no code of the program's own.

Edges are born at m / e for whole m, e = ceil(edges per second), and live for max(lifetime, 0.25) seconds; one
more, the leading edge, is always at the bone. With G(b) = bone matrix at the birth b · T(position), age a:
top = G·0 + above(b) G.Y, bottom = G·0 - below(b) G.Y, and both rise by gravity a².
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from msgspec import Struct

from viewer.arrays import Array

Number = Callable[[float], float]

SHORTEST = 0.25


class Told(Struct, frozen=True):
    """A ribbon as functions of the time of birth: `bone` [3, 4], `color` [3]."""

    bone: Callable[[float], Array]
    position: tuple[float, float, float]
    rate: float
    lifetime: float
    gravity: float
    above: Number
    below: Number
    color: Callable[[float], Array]
    alpha: Number


def births(told: Told, time: float) -> list[float]:
    """The moments of birth of all edges at `time`, the leading one first, then the youngest."""
    rate, lifetime = math.ceil(told.rate), max(told.lifetime, SHORTEST)
    last = math.floor(time * rate)
    found = [time]
    while last / rate > time - lifetime:
        found.append(last / rate)
        last -= 1
    return found


def edges(told: Told, time: float) -> tuple[Array, Array, Array, Array]:
    """Births [N], tops [N, 3], bottoms [N, 3], colours [N, 4], the leading edge first."""
    rows = []
    for born in births(told, time):
        frame = told.bone(born)
        origin = frame[:, :3] @ np.array(told.position) + frame[:, 3]
        origin[2] += told.gravity * (time - born) ** 2
        top = origin + told.above(born) * frame[:, 1]
        bottom = origin - told.below(born) * frame[:, 1]
        rows.append((born, top, bottom, (*told.color(born), told.alpha(born))))
    columns = zip(*rows, strict=True)
    born, top, bottom, color = (np.array(column, float) for column in columns)
    return born, top, bottom, color
