"""What follows from the header of a picture."""

from __future__ import annotations

import pytest

from viewer.scene.material import ImageHeader


@pytest.mark.parametrize(("width", "height", "levels"), [(1, 1, 1), (4, 2, 3), (256, 512, 10), (300, 1, 9)])
def test_levels_lead_down_to_one_pixel(width: int, height: int, levels: int) -> None:
    assert ImageHeader("PNG", width, height, False).full_levels == levels
