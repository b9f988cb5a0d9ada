"""The colours of distances."""

from __future__ import annotations

import numpy as np

from viewer.scene.vertex_distances import DISTANCE_COLORS, UNMATCHED, UNMOVED, ramp


def lightness(colors: object) -> np.ndarray:
    """The luminance of sRGB colours [..., 3], for the eye."""
    given = np.asarray(colors)
    linear = np.where(given <= 0.04045, given / 12.92, ((given + 0.055) / 1.055) ** 2.4)
    return np.cbrt(linear @ (0.2126, 0.7152, 0.0722))


def test_the_ramp_can_be_read_without_hues() -> None:
    assert (np.diff(lightness(ramp(64))) > 0).all()


def test_the_ramp_begins_and_ends_with_its_colours() -> None:
    assert np.allclose(ramp(9)[[0, -1]], (DISTANCE_COLORS[0], DISTANCE_COLORS[-1]))


def test_grey_is_no_colour_of_the_ramp() -> None:
    assert all(np.ptp(color) < 0.12 for color in (UNMOVED, *UNMATCHED))
    assert min(np.ptp(color) for color in DISTANCE_COLORS) > 0.4
    assert abs(np.subtract(*lightness(UNMATCHED))) > 0.3
