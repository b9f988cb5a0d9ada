"""Filters of lists: which texts contain all words, anywhere and in any case, and at which letters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence


class TextFilter:
    """A filter that fits every text with all its words, anywhere and in any case.

    `text` is what the user typed, `words` the case-folded words. A filter without words fits every text, and
    is false. Filters with the same words are equal.
    """

    __slots__ = ("text", "words")

    def __init__(self, text: str = "") -> None:
        self.text = text
        self.words = tuple(dict.fromkeys(text.casefold().split()))

    def __bool__(self) -> bool:
        return bool(self.words)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TextFilter) and self.words == other.words

    def __hash__(self) -> int:
        return hash(self.words)

    def fits(self, *texts: str) -> bool:
        """Whether each word is in one of the texts."""
        folded = "\n".join(texts).casefold()
        return all(word in folded for word in self.words)

    def matching(self, texts: Iterable[str]) -> list[int]:
        """The indices of the texts that the filter fits, in order."""
        folded = [text.casefold() for text in texts]
        found = list(range(len(folded)))
        for word in self.words:
            found = [number for number in found if word in folded[number]]
        return found

    def marks(self, text: str) -> list[tuple[int, int]]:
        """The ranges (first, end) of the letters of `text` that words occupy: in order, and apart.

        Case folding makes two letters of some letters (`ß` becomes `ss`); a letter is in a range if a part
        of it is.
        """
        folded = text.casefold()
        letters: Sequence[int] = range(len(text))
        if len(folded) != len(text):
            letters = [number for number, letter in enumerate(text) for _ in letter.casefold()]
        ranges: list[tuple[int, int]] = []
        for at, size in sorted(
            (found.start(), len(word)) for word in self.words for found in re.finditer(_ahead(word), folded)
        ):
            first, end = letters[at], letters[at + size - 1] + 1
            if ranges and first <= ranges[-1][1]:
                last = ranges.pop()
                first, end = last[0], max(last[1], end)
            ranges.append((first, end))
        return ranges


EVERYTHING = TextFilter()
"""The filter without words."""


def _ahead(word: str) -> str:
    """The pattern of the places at which a word begins; occurrences may overlap."""
    return f"(?={re.escape(word)})"
