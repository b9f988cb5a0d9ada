"""How well one colour can be read on another."""

from __future__ import annotations


def contrast(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    """The ratio of relative luminances. Source: WCAG 2.1."""
    bright, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def luminance(color: tuple[float, ...]) -> float:
    """The relative luminance of an sRGB colour."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in color]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
