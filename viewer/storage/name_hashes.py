"""The hashes by which archives of games find files by their names.

Source: Zezula, MPQ format; measured on AXP archives, which use the same hashes with other numbers.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from viewer.binary.cursor import NdArray

U32 = np.dtype("<u4")
START, CHECK_A, CHECK_B, FILE_KEY = range(4)
"""The kinds of hashes: the first hash table index, the two checks, and the key of a file."""
SEED_A, SEED_B = 0x7FED7FED, 0xEEEEEEEE
WORD_MASK = 0xFFFFFFFF
FOLD = bytes(ord("\\") if c == ord("/") else c - 32 if ord("a") <= c <= ord("z") else c for c in range(256))
"""Maps the bytes of a name to the bytes that are hashed: upper case and backslashes."""


def number_table(rows: int) -> NdArray:
    """The numbers [256 × rows] u4 for hashing. Another value of `rows` gives other numbers."""
    words, seed = np.zeros(0x100 * rows, U32), 0x00100001
    for low in range(0x100):
        for row in range(rows):
            high = seed = (seed * 125 + 3) % 0x2AAAAB
            seed = (seed * 125 + 3) % 0x2AAAAB
            words[low + 0x100 * row] = (high & 0xFFFF) << 16 | (seed & 0xFFFF)
    return words


HASH_NUMBERS = number_table(5)
"""The numbers [1280] u4 that hashing and encryption use. The last 256 numbers serve the encryption."""
ROWS = HASH_NUMBERS.tolist()


def hash_name(name: bytes, kind: int, fold: bytes = FOLD) -> int:
    """Hash a name to a 32-bit number. `kind` is one of the kinds of hashes, `fold` maps the bytes before
    hashing.
    """
    a, b, row = SEED_A, SEED_B, 0x100 * kind
    for c in name.translate(fold):
        a = ROWS[row + c] ^ (a + b & WORD_MASK)
        b = c + a + b * 33 + 3 & WORD_MASK
    return a


def hash_names(
    names: Sequence[bytes],
    kinds: Sequence[int],
    table: NdArray = HASH_NUMBERS,
    fold: bytes | None = FOLD,
    signed: bool = False,
) -> NdArray:
    """Hash N names together by K kinds of hashes. Return the hashes [K, N] u4.

    `table` are the numbers that the kind of archive uses. `fold` maps the bytes before hashing; None leaves
    them unchanged. With `signed` the bytes from 0x80 count as negative numbers.
    """
    lengths = np.array([len(name) for name in names], np.int64)
    order = np.argsort(-lengths, kind="stable")
    starts = np.concatenate(([0], np.cumsum(lengths)[:-1]))[order] if len(names) else order
    raw = np.frombuffer(b"".join(names).translate(fold), np.int8 if signed else np.uint8)
    shape = len(kinds), len(names)
    a, b = np.full(shape, SEED_A, U32), np.full(shape, SEED_B, U32)
    rows = np.array(kinds, U32)[:, None] * np.uint32(0x100)
    falling = -lengths[order]
    for column in range(int(lengths.max(initial=0))):
        active = int(np.searchsorted(falling, -column))  # only names longer than `column` are hashed further
        c = raw[starts[:active] + column].astype(U32)
        a[:, :active] = table[rows + c] ^ (a[:, :active] + b[:, :active])
        b[:, :active] = c + a[:, :active] + b[:, :active] * np.uint32(33) + np.uint32(3)
    found = np.empty(shape, U32)
    found[:, order] = a
    return found


def check_keys(first: NdArray, second: NdArray) -> NdArray:
    """The two checks of each name as one number [N] u8."""
    return first.astype(np.uint64) << np.uint64(32) | second.astype(np.uint64)
