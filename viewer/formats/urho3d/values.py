"""Numbers as the engine's texts spell them: separated by spaces."""

from __future__ import annotations

import math


def floats(text: str, default: tuple[float, ...]) -> tuple[float, ...] | None:
    """The numbers of a text, as many as `default` has; missing numbers are taken from `default`. None if a
    number is not finite.
    """
    try:
        numbers = tuple(float(word) for word in text.split(None, len(default))[: len(default)])
    except ValueError:
        return None
    if not all(math.isfinite(number) for number in numbers):
        return None
    return numbers + default[len(numbers) :]
