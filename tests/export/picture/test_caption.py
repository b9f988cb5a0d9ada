"""Words in the middle of a picture."""

from __future__ import annotations

import numpy as np
import pytest

from viewer.export.picture.caption import Label, captioned, labelled

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


@pytest.mark.parametrize(("right", "columns"), [(False, slice(100, 150)), (True, slice(150, 200))])
def test_a_label_is_below_in_its_columns_at_its_side(right: bool, columns: slice) -> None:
    plain = np.full((200, 300, 4), GREY, np.uint8)
    found = labelled(plain, [Label("ab", 100, 200, right)])
    changed = (found != plain).any(axis=2)
    assert changed[170:, columns].any() and (plain == GREY).all()
    changed[170:, columns] = False
    assert not changed.any()


def test_a_long_label_is_shortened_and_a_small_picture_has_none() -> None:
    plain = np.full((200, 300, 4), GREY, np.uint8)
    changed = (labelled(plain, [Label("a long name of a file.mesh", 20, 80)]) != plain).any(axis=2)
    columns = np.flatnonzero(changed.any(axis=0))
    assert columns[0] >= 20 and columns[-1] < 80
    for height in (60, 3):
        assert (labelled(plain[:height], [Label("a.mesh", 0, 300)]) == plain[:height]).all()
    assert (labelled(plain, [Label("a.mesh", 0, 12)]) == plain).all()
