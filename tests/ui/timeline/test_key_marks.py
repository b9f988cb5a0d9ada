"""Keys as diamonds and bars, the ruler's lines, the rows of the sheet: numbers only."""

from __future__ import annotations

import numpy as np
import pytest

from tests.synthetic import skeleton_of
from viewer.animation.key_times import keys
from viewer.scene.animation import Animation, MorphTrack, Track
from viewer.scene.text_filter import TextFilter
from viewer.ui.timeline.dope_sheet import dope_rows
from viewer.ui.timeline.keys import marks, nearest
from viewer.ui.timeline.ruler import TimeScale, label


def test_keys_far_from_each_other_are_diamonds() -> None:
    found = marks([(0, np.array([0, 0.5])), (3, np.array([1.0]))], (0.0, 1.0), 100, 5)
    assert found.xs.tolist() == [0, 50, 100]
    assert found.lines.tolist() == [0, 0, 3]
    assert len(found.bar_xs) == 0


def test_keys_nearer_than_the_gap_are_one_bar() -> None:
    times = np.array([0.10, 0.12, 0.14, 0.5])
    found = marks([(2, times)], (0.0, 1.0), 100, 5)
    assert found.xs.tolist() == [50]
    assert found.bar_xs.tolist() == [7.5, 16.5] and found.bar_lines.tolist() == [2, 2]


def test_keys_of_neighbouring_rows_are_not_joined() -> None:
    found = marks([(0, np.array([0.5])), (1, np.array([0.501]))], (0.0, 1.0), 100, 5)
    assert found.xs == pytest.approx([50, 50.1])


def test_keys_out_of_sight_are_left_out() -> None:
    found = marks([(0, np.linspace(0, 10, 11))], (4.5, 6.5), 200, 5)
    assert found.xs.tolist() == [50, 150]


@pytest.mark.parametrize("count", [5_000, 100_000])
def test_dense_rows_cost_columns_and_keep_their_gaps(count: int) -> None:
    half = np.linspace(0, 0.4, count)
    found = marks([(0, np.concatenate((half, half + 0.6)))], (0.0, 1.0), 500, 4)
    assert len(found.xs) == 0
    assert found.bar_xs == pytest.approx([-2, 202, 298, 502], abs=1.1)


def test_no_rows_no_marks() -> None:
    found = marks([(0, np.empty(0))], (0.0, 1.0), 100, 5)
    assert len(found.xs) == len(found.bar_xs) == 0


@pytest.mark.parametrize(("time", "number"), [(0.02, 0), (0.4, 1), (0.61, None), (5.0, None), (-0.05, 0)])
def test_the_nearest_key_within_reach(time: float, number: int | None) -> None:
    assert nearest(np.array([0, 0.5, 0.8]), time, 0.1) == number
    assert nearest(np.empty(0), time, 0.1) is None


def test_pixels_and_seconds_are_inverse() -> None:
    scale = TimeScale(1.0, 3.0, 50, 200)
    assert scale.x(2.0) == 150
    assert scale.time(150) == 2.0


@pytest.mark.parametrize("length", [0.001, 0.37, 1.0, 33.0, 7200.0])
@pytest.mark.parametrize("unit", [1.0, 1 / 30])
def test_the_ruler_has_room_for_its_numbers(length: float, unit: float) -> None:
    scale = TimeScale(-0.1 * length, length, 0, 1000)
    ticks = list(scale.ticks(unit, 75))
    written = [time for time, major in ticks if major]
    assert 2 <= len(written) <= 16
    assert np.diff([scale.x(time) for time in written]).min() >= 74.9
    assert len(ticks) < 100
    assert 0.0 in [time for time, _ in ticks]


@pytest.mark.parametrize(
    ("time", "frames", "step", "text"),
    [(0.5, False, 0.1, "0.5"), (2, False, 1, "2"), (0.125, False, 1e-3, "0.125"), (0.5, True, 1, "15")],
)
def test_times_have_the_digits_that_they_need(time: float, frames: bool, step: float, text: str) -> None:
    assert label(time, 30, frames, step) == text


def sheet(shown: str, wanted: str = "", picked: int | None = None) -> list[tuple[str, int, bool]]:
    """Name, depth, and whether it has keys; `bone 0` > `bone 2` > `bone 1`, and the track `lost`."""
    skeleton = skeleton_of(3)
    skeleton.parents[:] = (-1, 2, 0)
    tracks = [Track(name, "position", np.zeros(1), np.zeros((1, 3))) for name in ("bone 1", "lost")]
    animation = Animation("A", 1.0, tuple(tracks), ("bone 1", "lost"))
    rows = dope_rows(animation, keys(animation), skeleton, shown, TextFilter(wanted), picked)
    return [(row.name, row.depth, row.keys is not None) for row in rows]


def test_animated_bones_and_tracks_without_one() -> None:
    assert sheet("animated") == [("bone 1", 2, True), ("lost", 0, True)]


def test_tracks_of_vertices_come_first() -> None:
    weights = MorphTrack(np.array([0]), np.array([0, 1.0]), np.zeros((2, 1)))
    tracks = (Track("bone 0", "position", np.zeros(1), np.zeros((1, 3))),)
    animation = Animation("A", 1.0, tracks, ("bone 0",), morph_tracks=(weights,))
    rows = dope_rows(animation, keys(animation), skeleton_of(1), "animated", TextFilter(), None)
    assert [(row.name, row.bone, row.keys) for row in rows] == [("morph weights", None, 1), ("bone 0", 0, 0)]


def test_all_bones_come_after_their_parents() -> None:
    assert sheet("all") == [
        ("bone 0", 0, False),
        ("bone 2", 1, False),
        ("bone 1", 2, True),
        ("lost", 0, True),
    ]


def test_the_selected_bone_and_those_below() -> None:
    assert sheet("selected", picked=2) == [("bone 2", 1, False), ("bone 1", 2, True)]
    assert sheet("selected") == []


def test_the_filter_finds_parts_of_names() -> None:
    assert sheet("all", "LO") == [("lost", 0, True)]
