"""Converts seconds to pixels and back, and finds the positions of the ruler's lines."""

from __future__ import annotations

import math
from collections.abc import Iterator

from msgspec import Struct

STEPS = (1, 2, 5)


class TimeScale(Struct, frozen=True):
    """The seconds from `start` to `end` over `width` pixels from `left` on."""

    start: float
    end: float
    left: float
    width: float

    @property
    def density(self) -> float:
        """Pixels per second."""
        return self.width / (self.end - self.start)

    def x(self, time: float) -> float:
        """The pixel of a time."""
        return self.left + (time - self.start) * self.density

    def time(self, x: float) -> float:
        """The time at a pixel."""
        return self.start + (x - self.left) / self.density

    def ticks(self, unit: float, room: float) -> Iterator[tuple[float, bool]]:
        """The visible round multiples of `unit` seconds, and whether each has `room` pixels for its number.

        Lines without a number are a fifth or half as far from each other.
        """
        major = _round_up(room / self.density / unit)
        minor = major / (4 if _leads_with_two(major) else 5)
        minor = max(minor, 1.0) if unit < 1 and major >= 1 else minor
        ratio = round(major / minor)
        first = math.ceil(self.start / (minor * unit))
        for number in range(first, math.floor(self.end / (minor * unit)) + 1):
            yield number * minor * unit, number % ratio == 0


def _round_up(value: float) -> float:
    """The next number of the form 1, 2 or 5 × a power of ten."""
    power = 10.0 ** math.floor(math.log10(value))
    return next((step * power for step in STEPS if step * power >= value * (1 - 1e-9)), 10 * power)


def _leads_with_two(value: float) -> bool:
    return f"{value:e}"[0] == "2"


def label(time: float, fps: float, frames: bool, step: float = 1e-3) -> str:
    """A time in seconds with as many digits as steps of `step` need, or in frames."""
    if frames:
        return f"{time * fps:.6g}"
    return f"{time:.{max(0, min(6, math.ceil(-math.log10(step) - 1e-9)))}f}"
