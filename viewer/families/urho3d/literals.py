"""Find texts in binary data. A text is stored as a number, which is twice its length, and then its
letters.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from viewer.arrays import Array
from viewer.budget import BUDGET
from viewer.scene.script import ScriptLiteral

LEAST, PLAIN_LEAST = 3, 5
"""The smallest number of letters in an identifier, and in any other text. Shorter sequences occur by chance.
"""
SHORT, LONG = 0x40, 0x60
"""A length has one byte if its first byte is below `SHORT`, and two bytes if its first byte is from `SHORT`
to below `LONG`.
"""
TEXT_BYTES = (LONG - SHORT << 8) // 2 + 2
BLOCK = 1 << 18

PRINTABLE = np.zeros(256, bool)
PRINTABLE[0x20:0x7F] = PRINTABLE[0x80:0xFF] = True
PRINTABLE[[0x09, 0x0A, 0x0D]] = True


def literals(data: bytes, start: int) -> tuple[ScriptLiteral, ...]:
    """Return the texts from offset `start`, without texts inside other texts, at most `BUDGET.literals`.

    Texts are found by their lengths only, so some may be wrong, because random bytes may form a short
    identifier.
    """
    return tuple(_literals(data, start))


def _literals(data: bytes, start: int) -> Iterator[ScriptLiteral]:
    found, free = 0, start
    for at in range(start, len(data), BLOCK):
        offsets, heads, lengths = _candidates(data, at)
        ends = offsets + heads + lengths
        number = int(np.searchsorted(offsets, free))
        while number < len(offsets) and found < BUDGET.literals:
            offset, end = int(offsets[number]), int(ends[number])
            text = _text(data[offset + int(heads[number]) : end])
            inner = int(np.searchsorted(offsets, end))
            if text and (text.isidentifier() or not _cut_off(data, offsets, heads, ends, number, inner)):
                yield ScriptLiteral(offset, end - offset, text)
                found, free, number = found + 1, end, inner
            else:
                number += 1


def _cut_off(data: bytes, offsets: Array, heads: Array, ends: Array, number: int, inner: int) -> bool:
    """Whether an identifier begins inside text `number` and ends after it, so that the identifier is the real
    text.
    """
    inside = range(number + 1, min(inner, number + BUDGET.literal_offsets))
    return any(
        ends[each] > ends[number]
        and data[offsets[each] + heads[each] : ends[each]].decode("latin-1").isidentifier()
        for each in inside
    )


def _candidates(data: bytes, at: int) -> tuple[Array, Array, Array]:
    """Find the length fields in the block at `at`. After a length field there are as many letters as it
    states. Return the offsets [N] of the fields, their sizes [N] in bytes, and the numbers [N] of letters.
    """
    block = np.frombuffer(data, np.uint8, min(BLOCK + TEXT_BYTES, len(data) - at), at)
    letters = np.concatenate(([0], np.cumsum(PRINTABLE[block], dtype=np.int32)))
    first = block[:BLOCK].astype(np.int32)
    second = np.append(block[1 : BLOCK + 1], 0)[: len(first)].astype(np.int32)
    long = first >= SHORT
    doubled = np.where(long, (first - SHORT << 8) | second, first)
    head = np.where(long, 2, 1)
    offsets = np.arange(len(first), dtype=np.int32)
    begin, end = offsets + head, offsets + head + doubled // 2
    fits = (first < LONG) & (doubled % 2 == 0) & (doubled >= 2 * LEAST) & (end <= len(block))
    offsets, begin, end = offsets[fits], begin[fits], end[fits]
    sound = letters[end] - letters[begin] == end - begin
    begin, end, offsets = begin[sound], end[sound], offsets[sound]
    return offsets.astype(np.int64) + at, begin - offsets, end - begin


def _text(raw: bytes) -> str:
    """The letters as a text; empty if they look random."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        return ""
    if text.isidentifier():
        return text if text.isalpha() or len(text) >= PLAIN_LEAST else ""
    words = sum(letter.isalnum() or letter in " _./" for letter in text)
    return text if len(text) >= PLAIN_LEAST and 4 * words >= 3 * len(text) else ""
