"""The words of an unfinished command line, as bash and its line editor split and quote them."""

from __future__ import annotations

import re
from typing import NamedTuple

PLAIN = re.compile(r"([^\w./,:=@%+-])", re.ASCII)
"""Characters that bash may interpret, unless they are not ASCII."""
INSIDE = re.compile(r'(["$`\\])')
"""Characters that bash interprets inside double quotes."""
SPACE = " \t\n"


class Word(NamedTuple):
    """The last word of a line, without its quotes.

    `kept` is the number of letters that stay when the line editor replaces the word's last part. `quote` is
    the quote in which the word ends, or empty.
    """

    text: str
    kept: int
    quote: str


def split(line: str, breaks: str) -> tuple[list[str], Word]:
    """Split a line into the words before the last one, and the last one, which may be empty or unfinished.

    `breaks` are the characters at which the line editor splits words outside of quotes. It replaces only the
    part after the last of them.
    """
    words: list[str] = []
    text, kept, outside, quote, begun = "", 0, 0, "", False
    letters = iter(line)
    for letter in letters:
        if quote and letter == quote:
            quote, kept = "", outside
        elif letter == "\\" and quote != "'":
            text, begun = text + next(letters, ""), True
        elif quote:
            text += letter
        elif letter in "'\"":
            quote, outside, kept, begun = letter, kept, len(text), True
        elif letter in SPACE:
            words += [text] if begun else []
            text, kept, begun = "", 0, False
        else:
            text, begun = text + letter, True
            kept = len(text) if letter in breaks else kept
    return words, Word(text, kept, quote)


def quoted(text: str, quote: str) -> str:
    """Quote a text for bash. `quote` is the quote that is already open, or empty."""
    if quote == "'":
        return text.replace("'", "'\\''")
    if quote == '"':
        return INSIDE.sub(r"\\\1", text)
    return PLAIN.sub(lambda found: found[1] if ord(found[1]) > 127 else f"\\{found[1]}", text)
