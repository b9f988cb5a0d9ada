"""The colours of the themes."""

from __future__ import annotations

from typing import Any

import pytest
from imgui_bundle import imgui

from tests.contrast import contrast
from viewer.ui.kit.theme import GRAB, PALETTES, ThemeColors


@pytest.mark.parametrize("theme", sorted(PALETTES))
def test_the_value_of_a_slider_is_readable_on_its_grip(theme: str) -> None:
    colors = PALETTES[theme]
    pairs = zip(colors[ThemeColors.ACCENT], colors[ThemeColors.RAISED], strict=True)
    grip = tuple(GRAB * accent + (1 - GRAB) * ground for accent, ground in pairs)
    assert contrast(colors[ThemeColors.TEXT], grip) >= 3.5


def test_a_scale_does_not_depend_on_the_scales_before(desk: Any) -> None:
    desk.host.style("dark", 1.0)
    first = imgui.get_style()._main_scale
    for scale in (1.5, 2.0, 3.0, 1.0):
        desk.host.style("dark", scale)
    assert imgui.get_style()._main_scale == first
