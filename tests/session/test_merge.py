"""Two windows change the settings at the same time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from viewer.session.interface import RECENT, Preferences
from viewer.session.merge import merged, merged_recent


def test_each_window_keeps_what_it_changed() -> None:
    before = Preferences()
    stored = replace(before, theme="light")
    result = merged(before, replace(before, scale=1.5), stored)
    assert (result.theme, result.scale) == ("light", 1.5)


def test_the_last_change_of_one_value_counts() -> None:
    before = Preferences(scale=1.0)
    assert merged(before, replace(before, scale=1.5), replace(before, scale=2.0)).scale == 1.5


def test_tables_are_merged_by_their_entries() -> None:
    before = Preferences(keys={"play": ["P"], "fit": ["F"], "home": ["H"]})
    now = replace(before, keys={"play": ["Space"], "fit": ["F"]})
    stored = replace(before, keys={"play": ["P"], "fit": ["G"], "home": ["H"], "undo": ["U"]})
    assert merged(before, now, stored).keys == {"play": ["Space"], "fit": ["G"], "undo": ["U"]}


def test_lists_are_merged_by_their_entries() -> None:
    before = Preferences(closed=["bones", "morphs"])
    now, stored = (
        replace(before, closed=["morphs", "chunks"]),
        replace(before, closed=["bones", "morphs", "log"]),
    )
    assert merged(before, now, stored).closed == ["morphs", "log", "chunks"]


def test_a_list_that_is_sorted_anew_keeps_its_order() -> None:
    before = Preferences(resources=["a", "b"])
    assert merged(before, replace(before, resources=["b", "a"]), before).resources == ["b", "a"]


@pytest.mark.parametrize(
    ("before", "now", "stored", "result"),
    [
        ("abc", "xabc", "yabc", "xyabc"),
        ("abc", "cab", "yabc", "cyab"),
        ("abc", "xcab", "abc", "xcab"),
        ("abc", "abc", "yabc", "yabc"),
        ("abc", "", "yabc", "y"),
        ("abc", "ac", "yabc", "yac"),
        ("", "x", "y", "xy"),
        ("", "x", "yx", "xy"),
    ],
)
def test_recent_files_of_both_windows_stay(before: str, now: str, stored: str, result: str) -> None:
    assert merged_recent([*before], [*now], [*stored]) == [*result]


def test_recent_files_have_a_limit_that_removes_nothing_else() -> None:
    before = [str(number) for number in range(RECENT)]
    assert merged_recent(before, ["x", *before[:-1]], before) == ["x", *before[:-1]]
    assert merged_recent(before, ["x", *before[:-1]], ["y", *before[:-1]]) == ["x", "y", *before[:-2]]


def test_of_two_placements_of_the_window_the_last_counts_whole() -> None:
    before = Preferences(window={"x": 1, "width": 800})
    moved, stored = Preferences(window={"x": 2, "width": 800}), Preferences(window={"x": 1, "width": 900})
    assert merged(before, moved, stored).window == {"x": 2, "width": 800}
    assert merged(before, before, stored).window == {"x": 1, "width": 900}


def test_the_merged_settings_share_no_lists() -> None:
    now = Preferences(closed=["bones"])
    result = merged(Preferences(), now, Preferences())
    now.closed.append("morphs")
    assert result.closed == ["bones"]
