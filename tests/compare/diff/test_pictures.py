"""Whether two pictures show the same."""

from __future__ import annotations

import numpy as np
import pytest

from viewer.arrays import Array
from viewer.compare.diff.pictures import PictureBudget, image_difference, picture_difference
from viewer.errors import FormatError
from viewer.scene.material import Image, Texture

GREY = np.full((100, 50, 4), 128, np.uint8)


def dotted(count: int, value: int = 255) -> Array:
    """Grey with some pixels of another red."""
    made = GREY.copy()
    made.reshape(-1, 4)[:count, 0] = value
    return made


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        (Image((GREY.copy(),)), ""),
        (Image((dotted(50),)), "1 % of the pixels differ, by up to 127 of 255"),
        (Image((dotted(5000, 126),)), "100 % of the pixels differ, by up to 2 of 255"),
        (Image((GREY[:50],)), "50 × 100 → 50 × 50 pixels"),
        (Image((GREY, GREY[::2, ::2])), "1 → 2 mip levels"),
    ],
)
def test_pixels_are_compared(other: Image, expected: str) -> None:
    assert image_difference(Image((GREY,)), other) == expected


def test_mip_levels_are_compared() -> None:
    one, other = (Image((GREY, level)) for level in (GREY[::2, ::2], dotted(9)[::2, ::2]))
    assert image_difference(one, other) == "mip level 1 differs"


def test_pixels_beyond_the_budget_are_not_decoded() -> None:
    one, other = (Texture("t", decode=lambda: Image((GREY,))) for _ in range(2))
    budget = PictureBudget(9000)
    assert picture_difference(one, other, budget) == "" and budget.left == -1000
    with pytest.raises(FormatError, match="too many pixels"):
        picture_difference(one, other, budget)
