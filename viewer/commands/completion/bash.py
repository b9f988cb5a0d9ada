"""Splits and quotes the words of an unfinished command line in the same way as bash and its line editor."""

from __future__ import annotations

import re
from typing import NamedTuple

PLAIN = re.compile(r"([^\w./,:=@%+-])", re.ASCII)
"""Matches a character that bash may interpret. Letters that are not ASCII are never interpreted."""
INSIDE = re.compile(r'(["$`\\])')
"""Characters that bash interprets inside double quotes."""
SPACE = " \t\n"


class Word(NamedTuple):
    """The last word of a line, without its quotes.

    The line editor replaces only the end of the word; the first `kept` letters stay. `quote` is the quote
    that is still open at the end of the word, or empty.
    """

    text: str
    kept: int
    quote: str


def split(line: str, breaks: str) -> tuple[list[str], Word]:
    """Split a line into its last word and the words before it. The last word may be empty or unfinished.

    `breaks` are the characters at which the line editor splits words outside of quotes. The editor replaces
    only the text after the last of these characters.
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
    """Quote a text for bash. `quote` is the quote that the user has already opened, or empty."""
    if quote == "'":
        return text.replace("'", "'\\''")
    if quote == '"':
        return INSIDE.sub(r"\\\1", text)
    return PLAIN.sub(lambda found: found[1] if ord(found[1]) > 127 else f"\\{found[1]}", text)
