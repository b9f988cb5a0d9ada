"""Texts in code pages that no file states."""

from __future__ import annotations

import pytest

from viewer.binary.code_pages import decode, page_of, spellings

TEXTS = (
    ("白骆驼", "gb18030"),
    ("骷髅", "gb18030"),
    ("头", "gb18030"),
    ("龍", "gb18030"),
    ("текстура.png", "cp1251"),
    ("Дом_1.png", "cp1251"),
    ("Стена_кирпич 02", "cp1251"),
    ("Їжак", "cp1251"),
    ("髪_かみ", "cp932"),
    ("テクスチャ", "cp932"),
    ("Größe.png", "cp1252"),
    ("Äpfel", "cp1252"),
    ("naïve", "cp1252"),
)


@pytest.mark.parametrize(("text", "page"), TEXTS)
def test_the_page_is_guessed_by_the_usual_letters(text: str, page: str) -> None:
    assert page_of(text.encode(page)) == page
    assert text.encode(page).decode(page) in spellings(decode(text.encode(page)))


def test_a_text_that_fits_two_pages_is_in_the_page_of_the_file() -> None:
    raw = "СТОЛ".encode("cp1251")
    assert (page_of(raw), page_of(raw, "cp1251")) == ("gb18030", "cp1251")
    assert "СТОЛ" in spellings(decode(raw))


def test_bytes_of_no_page_are_latin_1() -> None:
    assert decode(b"a\x81\x00") == "a\x81\x00"


def test_ascii_has_one_spelling() -> None:
    assert spellings("skin.png") == ("skin.png",)
