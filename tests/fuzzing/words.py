"""Mutations of texts: words, numbers, lines and brackets."""

from __future__ import annotations

import random
import re

WORD = re.compile(rb"[\w.$-]+")
ODD = (
    b"0", b"-1", b"1e39", b"-1e400", b"nan", b"inf", b"1e-400", b"99999999999999999999", b"0x10", b"-", b".",
    b"{", b"}", b'"', b"'", b"//", b"/*", b"<", b"</", b"&#0;", b"&lt;", b"<!--", b"]]>", b"$", b"$x", b":",
    b"*", b"set", b"pass", b"technique", b"texture_unit", b"material", b"import", b"from", b"none", b"on",
    b"\0", b"\xff", b"\xe2\x80\xae", b"\r", b"x" * 5000, b"{" * 300, b"0 " * 3000, b"\\",
)  # fmt: skip


def mutate_text(data: bytearray, numbers: random.Random) -> bytearray:
    """The text with one word, line or bracket changed."""
    kind = numbers.randrange(6)
    if kind < 3:
        return _word(data, numbers, kind)
    lines = data.split(b"\n")
    at = numbers.randrange(len(lines))
    if kind == 3:
        del lines[at]
    elif kind == 4:
        lines[at:at] = lines[at : at + numbers.choice((1, 1, 5))] * numbers.choice((1, 1, 2, 500))
    else:
        other = numbers.randrange(len(lines))
        lines[at], lines[other] = lines[other], lines[at]
    return bytearray(b"\n").join(lines)


def _word(data: bytearray, numbers: random.Random, kind: int) -> bytearray:
    """A word becomes odd, becomes another word of the text, or gets an odd neighbour."""
    words = list(WORD.finditer(data))
    if not words:
        return data + numbers.choice(ODD)
    found = numbers.choice(words)
    start, end = found.span()
    new = bytes(numbers.choice(words)[0]) if kind == 1 else numbers.choice(ODD)
    if kind == 2:
        start = end
    return data[:start] + new + data[end:]
