"""Decode texts of which no file says the encoding.

A text that is not UTF-8 is in the code page of its author. The page is guessed: the letters that texts of a
page usually have are counted.
"""

from __future__ import annotations

import re
from collections.abc import Callable

LATIN = "latin-1"
"""The encoding that decodes all bytes; it is used if no code page fits."""
WORDS = r"[^\W\d_]+"
RUSSIAN = r"[А-Яа-яЁёЄєІіЇїҐґЎў]+"
WESTERN = r"[A-Za-zÀ-ÖØ-öø-ÿŒœŠšŽžŸ]+"
KANA = r"[ぁ-ゖァ-ー]"
RARE = 0.3
"""The score of a letter that is in the page, and that few texts have."""
KNOWN = 0.6
"""What is added to the score of the page in which other texts of the file are."""


def _hanzi(text: str) -> float:
    """The score of the letters of Chinese texts: GB 2312 has the common ones first, GBK also rare ones."""
    return sum(
        _leads(letter, "gb2312", 0xD7) or (RARE if bytes_in(letter, "gbk") else 0.0)
        for letter in text
        if not letter.isascii()
    )


def _kanji(text: str) -> float:
    """The score of the letters of Japanese texts: kana, and the characters of Shift-JIS, common ones
    first.
    """
    return sum(
        1.0 if re.match(KANA, letter) else _leads(letter, "shift_jis", 0x97)
        for letter in text
        if not letter.isascii()
    )


def _leads(letter: str, encoding: str, last: int) -> float:
    """1 for a letter whose first byte in `encoding` is at most `last`, 0.5 for another letter of two
    bytes.
    """
    try:
        raw = letter.encode(encoding)
    except UnicodeEncodeError:
        return 0.0
    return 0.0 if len(raw) < 2 else 1.0 if raw[0] <= last else 0.5


def _cyrillic(text: str) -> float:
    """The score of the letters of words that are Cyrillic."""
    return _in_words(text, lambda word: re.fullmatch(RUSSIAN, word) is not None)


def _western(text: str) -> float:
    """The score of the letters of words that are Latin, for the most part without accents."""
    return _in_words(
        text,
        lambda word: re.fullmatch(WESTERN, word) is not None and 2 * sum(map(str.isascii, word)) >= len(word),
    )


def _in_words(text: str, usual: Callable[[str], bool]) -> float:
    """The score of the letters of usual words without a capital after a small letter. Signs between them
    make it smaller.
    """
    words = (
        word
        for word in re.findall(WORDS, text)
        if usual(word) and word[1:] in (word[1:].lower(), word[1:].upper())
    )
    usual_letters = sum(not letter.isascii() for word in words for letter in word)
    return usual_letters**2 / max(sum(not letter.isascii() for letter in text), 1)


PAGES: dict[str, tuple[str, Callable[[str], float]]] = {
    "gb18030": ("GB18030", _hanzi),
    "cp932": ("Shift-JIS", _kanji),
    "cp1251": ("Windows-1251", _cyrillic),
    "cp1252": ("Windows-1252", _western),
}
"""The code pages that are tried, each with its name and the score of the letters of a text. Of equal pages
the first is used.
"""
ENCODINGS = ("utf-8", *PAGES, LATIN)


def page_of(raw: bytes, known: str = "") -> str:
    """Guess the code page of a text that is not UTF-8: the page whose usual letters are the largest share of
    the text. `known` is the page of other texts of the file, which is preferred.
    """
    best, score = LATIN, 0.0
    for page, (_, usual) in PAGES.items():
        text = _in_page(raw, page)
        if text is None:
            continue
        letters = sum(not letter.isascii() for letter in text)
        share = usual(text) / max(letters, 1)
        share += KNOWN if page == known and share > 0 else 0.0
        if share > score:
            best, score = page, share
    return best


def decode(raw: bytes, last: str = LATIN) -> str:
    """Decode a text in UTF-8, else in the code page that is guessed. `last` is the encoding if none fits."""
    text = _in_page(raw, "utf-8")
    if text is not None:
        return text
    page = page_of(raw)
    return raw.decode(last if page == LATIN else page)


def spellings(text: str) -> tuple[str, ...]:
    """Return a text, then what its bytes are in UTF-8 and in the code pages, if they were decoded in a wrong
    one.
    """
    if text.isascii():
        return (text,)
    others = (_in_page(raw, each) for raw in raws_of(text) for each in ENCODINGS)
    return tuple(dict.fromkeys((text, *filter(None, others))))


def raws_of(text: str) -> tuple[bytes, ...]:
    """Return the bytes of a text in UTF-8, and in each code page that has its letters."""
    raws = (bytes_in(text, each) for each in ENCODINGS)
    return tuple(dict.fromkeys(filter(None, raws)))


def bytes_in(text: str, encoding: str) -> bytes | None:
    """Return the bytes of a text in an encoding; None if it lacks a letter."""
    try:
        return text.encode(encoding)
    except UnicodeEncodeError:
        return None


def _in_page(raw: bytes, encoding: str) -> str | None:
    """Decode bytes; None if they are not valid."""
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError:
        return None
