"""Words in the middle of a picture."""

from __future__ import annotations

import numpy as np
import pytest

from viewer.export.caption import captioned

GREY = (90, 90, 90, 255)


@pytest.mark.parametrize("width", [120, 480])
def test_the_words_are_in_the_middle_and_fit(width: int) -> None:
    plain = np.full((80, width, 4), GREY, np.uint8)
    found = captioned(plain, "No vertices in it")
    assert found.shape == plain.shape and (plain == GREY).all()
    rows, columns = np.nonzero(found[..., :3].min(axis=2) > 180)
    assert abs(columns.mean() - width / 2) < width * 0.05 and abs(rows.mean() - 40) < 5
    assert columns.min() > 0 and columns.max() < width - 1


def test_a_transparent_picture_is_opaque_behind_the_words_alone() -> None:
    found = captioned(np.zeros((60, 200, 4), np.uint8), "No vertices")
    assert found[30, 100, 3] > 150 and found[2, 2, 3] == 0
