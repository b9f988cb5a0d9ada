"""Where compared models are in the picture."""

from __future__ import annotations

from itertools import pairwise

import pytest

from viewer.scene.choices import CompareMode
from viewer.scene.comparison import GAP, Comparison, Pane, difference_text, panes

SIDE, SLIDER, DIFFERENCE, DISTANCE, MOTION = map(Comparison, CompareMode)


@pytest.mark.parametrize("count", [2, 3, 5])
@pytest.mark.parametrize("width", [64, 101, 1280])
def test_panes_side_by_side_are_equally_wide_and_fill_the_picture(count: int, width: int) -> None:
    found = panes(SIDE, count, width)
    assert len({pane.width for pane in found}) == 1
    assert found[0].left == 0 and found[-1].end == width
    gaps = [after.start - before.end for before, after in pairwise(found)]
    assert GAP <= min(gaps) <= max(gaps) <= min(gaps) + count


def test_a_picture_narrower_than_its_lines_still_has_panes() -> None:
    assert all(pane.width == 1 and 0 <= pane.left < 3 for pane in panes(SIDE, 3, 3))


def test_the_slider_shows_a_part_of_each_whole_picture() -> None:
    found = panes(Comparison(CompareMode.SLIDER, 0.25), 2, 100)
    assert found == (Pane(0, 100, 0, 25), Pane(0, 100, 25, 100))


@pytest.mark.parametrize("comparison", [SIDE, SLIDER, DIFFERENCE, DISTANCE])
def test_a_single_model_has_the_whole_picture_in_every_mode(comparison: Comparison) -> None:
    assert panes(comparison, 1, 100) == (Pane(0, 100, 0, 100),)


def test_the_slider_stays_in_the_picture() -> None:
    assert panes(Comparison(CompareMode.SLIDER, 7.0), 2, 100)[1] == Pane(0, 100, 100, 100)


def test_distances_are_shown_side_by_side() -> None:
    assert panes(DISTANCE, 2, 100) == panes(MOTION, 2, 100) == panes(SIDE, 2, 100)
    assert [each.side_by_side for each in (SIDE, SLIDER, DIFFERENCE, DISTANCE)] == [True, False, False, True]


def test_the_difference_is_of_whole_pictures() -> None:
    assert panes(DIFFERENCE, 2, 100) == (Pane(0, 100, 0, 100),) * 2


def test_a_share_is_told_once_if_it_never_changes() -> None:
    assert difference_text(0.0123, 0.0123) == "1.23 % of the pixels differ"
    assert difference_text(0.0, 0.5) == "0.00 to 50.00 % of the pixels differ"
