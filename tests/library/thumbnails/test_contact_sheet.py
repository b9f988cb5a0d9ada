"""Pictures in rows with their names."""

from __future__ import annotations

import numpy as np
import pytest

from viewer.arrays import Array
from viewer.errors import ResourceError
from viewer.library.thumbnails.contact_sheet import (
    GAP,
    GROUND,
    LINE,
    NAME_WIDTH,
    SHEET_SIDE,
    SheetPicture,
    contact_sheet,
    plan_sheet,
)
from viewer.library.thumbnails.text_layout import font_for
from viewer.storage.png import png_pieces

SIZE = (60, 40)


def png(*color: int) -> bytes:
    return b"".join(png_pieces(np.tile(np.array(color, np.uint8), (SIZE[1], SIZE[0], 1))))


def sheet(*pictures: SheetPicture) -> Array:
    return contact_sheet(pictures, SIZE)


def test_pictures_are_in_their_order() -> None:
    made = sheet(*(SheetPicture(f"{number}.mdl", png(number * 40, 0, 0)) for number in range(6)))
    plan = plan_sheet([f"{number}.mdl" for number in range(6)], SIZE)
    width, height = plan.step
    assert made.shape == (plan.size[1], plan.size[0], 3)
    reds = [
        made[GAP + row * height + 20, GAP + column * width + 30, 0] for row in range(2) for column in range(3)
    ]
    assert (plan.columns, plan.rows, reds) == (3, 2, [0, 40, 80, 120, 160, 200])


def test_long_names_keep_within_their_column() -> None:
    made = sheet(SheetPicture("a_name_that_is_much_longer_than_its_picture.mdl", png(9, 9, 9)))
    written = np.argwhere((made[GAP + SIZE[1] :] != GROUND).any(axis=-1))
    assert len(written) > 50
    assert written[:, 1].min() >= GAP and written[:, 1].max() < GAP + NAME_WIDTH


def test_names_below_small_pictures_are_whole() -> None:
    names = ["a_long_name.mdl", "b.mdl"]
    plan = plan_sheet(names, (16, 16))
    font = font_for(names[0], plan.letters)
    assert font.getlength(names[0]) <= plan.width <= NAME_WIDTH
    assert plan.corner(0) == (GAP + (plan.width - 16) // 2, GAP)
    assert plan_sheet(["x" * 99], (16, 16)).width == NAME_WIDTH


def test_files_of_several_folders_have_a_second_line() -> None:
    one, two = (plan_sheet(names, SIZE) for names in (["a/x.mdl", "a/y.mdl"], ["a/x.mdl", "b/x.mdl"]))
    assert (one.lines, two.lines) == (1, 2)


def test_the_folder_is_written_below_the_name() -> None:
    made = sheet(SheetPicture("a/x.mdl", png(9, 9, 9)), SheetPicture("b/x.mdl", png(9, 9, 9)))
    plan = plan_sheet(["a/x.mdl", "b/x.mdl"], SIZE)
    second = made[GAP + SIZE[1] + round(plan.letters * LINE) : -GAP]
    assert (second != GROUND).any() and (made[GAP : GAP + SIZE[1], GAP : GAP + SIZE[0]] == 9).all()


def test_transparent_pictures_are_on_the_ground() -> None:
    made = sheet(SheetPicture("a.blp", png(255, 0, 0, 0)))
    assert made[GAP + 5, GAP + 5].tolist() == list(GROUND)


def test_a_failure_is_told_in_its_place() -> None:
    made = sheet(SheetPicture("a.mdl", b"", "the file is empty"), SheetPicture("b.mdl", png(1, 1, 1)))
    field = made[GAP : GAP + SIZE[1], GAP : GAP + SIZE[0]]
    assert field[1, 1].tolist() == list(GROUND)
    assert (field != GROUND).any()


@pytest.mark.parametrize("count", [1, 2, 79, 500])
def test_a_sheet_is_a_little_wider_than_high(count: int) -> None:
    plan = plan_sheet([str(number) for number in range(count)], (256, 256))
    assert plan.columns * plan.rows >= count > plan.columns * (plan.rows - 1)
    assert count < 4 or 1 < plan.size[0] / plan.size[1] < 2


def test_too_many_pictures_are_refused_in_words() -> None:
    with pytest.raises(ResourceError, match=r"100000 pictures of 256x256 are too many"):
        plan_sheet([""] * 100_000, (256, 256))
    assert max(plan_sheet([""] * 900, (200, 200)).size) <= SHEET_SIDE
