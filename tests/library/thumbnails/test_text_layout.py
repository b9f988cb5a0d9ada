"""Words in pictures: fonts with their letters, lines that fit."""

from __future__ import annotations

import pytest

from viewer.library.thumbnails.text_layout import fitting_font, font_for, shortened, wrapped
from viewer.session.system_fonts import cjk_font


def test_lines_are_broken_between_words() -> None:
    lines = wrapped("one two three four five six", 12, 60)
    assert " ".join(lines) == "one two three four five six"
    assert len(lines) > 2
    assert all(font_for(line, 12).getlength(line) <= 60 for line in lines)


def test_a_word_that_is_too_long_keeps_its_line() -> None:
    assert wrapped("a unpronounceable b", 20, 30) == ["a", "unpronounceable", "b"]


def test_letters_shrink_until_they_fit() -> None:
    assert fitting_font("word", 500, 20, 8).size == 20
    small = fitting_font("a rather long text", 100, 20, 8)
    assert 8 <= small.size < 20
    assert fitting_font("a rather long text", 1, 20, 8).size == 8


def test_long_names_lose_their_middle() -> None:
    font = font_for("x", 12)
    short = shortened("Character_with_a_long_name_01.mesh", font, 100)
    assert font.getlength(short) <= 100
    assert short.startswith("Char") and "…" in short and short.endswith("sh")
    assert shortened("short", font, 100) == "short"


@pytest.mark.skipif(cjk_font() is None, reason="the system has no such font")
def test_chinese_names_have_their_letters() -> None:
    assert font_for("骆驼.mesh", 12).getname() != font_for("camel.mesh", 12).getname()
