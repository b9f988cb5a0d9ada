"""Numbers as the engine's texts spell them: separated by spaces."""

from __future__ import annotations

import math


def floats(text: str, default: tuple[float, ...]) -> tuple[float, ...] | None:
    """As many numbers as `default` has, which fills up what the text lacks. None: no finite numbers."""
    try:
        numbers = tuple(float(word) for word in text.split(None, len(default))[: len(default)])
    except ValueError:
        return None
    if not all(math.isfinite(number) for number in numbers):
        return None
    return numbers + default[len(numbers) :]
