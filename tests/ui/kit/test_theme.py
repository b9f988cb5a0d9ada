"""The colours of the themes."""

from __future__ import annotations

import pytest

from tests.contrast import contrast
from viewer.ui.kit.theme import GRAB, PALETTES, ThemeColors


@pytest.mark.parametrize("theme", sorted(PALETTES))
def test_the_value_of_a_slider_is_readable_on_its_grip(theme: str) -> None:
    colors = PALETTES[theme]
    pairs = zip(colors[ThemeColors.ACCENT], colors[ThemeColors.RAISED], strict=True)
    grip = tuple(GRAB * accent + (1 - GRAB) * ground for accent, ground in pairs)
    assert contrast(colors[ThemeColors.TEXT], grip) >= 3.5
