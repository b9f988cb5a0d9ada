"""Words in texts: which texts have them, and where."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest

from viewer.scene.text_filter import TextFilter


@pytest.mark.parametrize(
    ("wanted", "text", "fits"),
    [
        ("", "anything", True),
        ("  ", "", True),
        ("leg LEFT", "Left upper leg", True),
        ("leg arm", "Left upper leg", False),
        ("legleft", "leg left", False),
        ("a.b", "axb", False),
        ("(.*)[", "x(.*)[y", True),
        ("strasse", "STRASSE Straße", True),
        ("ΣΊΣΥΦΟΣ", "σίσυφος", True),
        ("龙 八", "天龙八部", True),
        ("i", "İ", True),
    ],
)
def test_a_text_fits_with_all_words_anywhere_in_any_case(wanted: str, text: str, fits: bool) -> None:
    assert TextFilter(wanted).fits(text) is fits
    assert TextFilter(wanted).matching(["", text]) == ([0] if not wanted.strip() else []) + [1] * fits


def test_words_are_found_across_texts_but_not_over_their_borders() -> None:
    assert TextFilter("one two").fits("one", "two")
    assert not TextFilter("onetwo").fits("one", "two")


@pytest.mark.parametrize(
    ("wanted", "text", "marked"),
    [
        ("", "text", []),
        ("x", "text", ["x"]),
        ("T", "text", ["t", "t"]),
        ("ex te", "text", ["tex"]),
        ("aa", "baaab", ["aaa"]),
        ("ab ba", "abab", ["abab"]),
        ("a b", "a b", ["a", "b"]),
        ("s.", "as. asx", ["s."]),
        ("tras", "Straße", ["traß"]),
        ("sse", "Straße", ["ße"]),
        ("stan", "İstanbul İstan", ["stan", "stan"]),
        ("i", "İi", ["İi"]),
        ("ffi", "a\ufb03x", ["\ufb03"]),
        ("部", "天龙八部", ["部"]),
        ("nothing", "text", []),
    ],
)
def test_the_marks_are_the_letters_of_the_words(wanted: str, text: str, marked: list[str]) -> None:
    ranges = TextFilter(wanted).marks(text)
    assert [text[first:end] for first, end in ranges] == marked
    assert all(end < first for (_, end), (first, _) in pairwise(ranges))


def test_filters_with_the_same_words_are_equal() -> None:
    assert TextFilter(" A  b") == TextFilter("a B ") and TextFilter("a") != TextFilter("a b")
    assert len({TextFilter("a b"), TextFilter("a  b")}) == 1
    assert TextFilter("a") and not TextFilter(" ") and TextFilter(" A").text == " A"


def test_a_hundred_thousand_long_names_are_filtered_at_once() -> None:
    names = [f"{'long name ' * 29}{number}" for number in range(100_000)]
    started = time.thread_time()
    assert TextFilter("9999 LONG").matching(names) == sorted(
        {*range(9999, 100_000, 10_000), *range(99990, 100_000)}
    )
    assert time.thread_time() - started < 1.0
    assert len(TextFilter("n a").marks(names[0])) == 58
