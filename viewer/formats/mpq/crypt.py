"""The hashing and the encryption of MPQ archives.

Each word of an encrypted stream depends on the words before it. A bit depends only on lower or equal bits of
these words, so each pass over all words in numpy makes one more bit of every word right. After 32 passes all
words are right. This is several times faster than a loop over the words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from viewer.binary.cursor import NdArray

U32 = np.dtype("<u4")
START, CHECK_A, CHECK_B, FILE_KEY = range(4)
"""The kinds of hashes: the first hash table index, the two checks, and the key of a file."""
SEED_A, SEED_B = 0x7FED7FED, 0xEEEEEEEE
WORD = 0xFFFFFFFF
BITS = 32
TOGETHER = 1 << 14
"""Number of words that are decrypted together, so that they stay in the processor's cache."""
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


TABLE = number_table(5)
"""The numbers [1280] u4 that hashing and encryption use. The last 256 numbers serve the encryption."""
ROWS = TABLE.tolist()


def hash_name(name: bytes, kind: int, fold: bytes = FOLD) -> int:
    """Hash a name."""
    a, b, row = SEED_A, SEED_B, 0x100 * kind
    for c in name.translate(fold):
        a = ROWS[row + c] ^ (a + b & WORD)
        b = c + a + b * 33 + 3 & WORD
    return a


def hash_names(
    names: Sequence[bytes],
    kinds: Sequence[int],
    table: NdArray = TABLE,
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


def key_stream(key: int, count: int) -> NdArray:
    """Return the keys [count] u4 of the words of a stream. The keys soon repeat with a period of a few
    words.
    """
    known: dict[int, int] = {}
    while key not in known and len(known) < count:
        known[key] = len(known)
        key = (~key << 21) + 0x11111111 & WORD | key >> 11
    first = np.fromiter(known, U32, len(known))
    if len(first) == count:
        return first
    begin = known[key]
    period = first[begin:]
    return np.concatenate((first[:begin], np.tile(period, -(-count // len(period)))))[:count]


def decrypt(data: bytes, key: int) -> bytes:
    """Decrypt a stream. Its last 1 to 3 bytes, which are no whole word, are not encrypted."""
    return decrypt_all([data], [key])[0]


def decrypt_all(streams: Sequence[bytes], keys: Sequence[int]) -> list[bytes]:
    """Decrypt streams side by side, each with its own key."""
    wide = max((len(stream) // 4 for stream in streams), default=0)
    words = np.zeros((len(streams), wide), U32)
    for row, stream in zip(words, streams, strict=True):
        row[: len(stream) // 4] = np.frombuffer(stream, U32, len(stream) // 4)
    together = max(1, TOGETHER // max(wide, 1))
    for first in range(0, len(words), together):
        some = slice(first, first + together)
        _decrypt_rows(words[some], np.stack([key_stream(key & WORD, wide) for key in keys[some]]))
    return [
        row[: len(stream) // 4].tobytes() + bytes(stream[len(stream) & ~3 :])
        for row, stream in zip(words, streams, strict=True)
    ]


def _decrypt_rows(words: NdArray, keys: NdArray) -> None:
    """Decrypt streams [S, W] in place; `keys` [S, W] are the keys of their words."""
    seeds = np.full(len(words), SEED_B, U32)
    for at in range(0, words.shape[1], TOGETHER):
        part = slice(at, at + TOGETHER)
        stored, key = words[:, part].copy(), keys[:, part]
        added = TABLE[0x400 + (key & 0xFF)]
        sums = added.copy()
        sums[:, 0] += seeds
        added += np.uint32(3)
        following, scaled = np.empty_like(sums), np.empty_like(sums)
        for _ in range(min(BITS, stored.shape[1])):
            np.add(key, sums, out=following)
            np.bitwise_xor(stored, following, out=following)
            np.multiply(sums, np.uint32(33), out=scaled)
            np.add(following, scaled, out=following)
            np.add(following[:, :-1], added[:, 1:], out=sums[:, 1:])
        plain = stored ^ (key + sums)
        seeds = plain[:, -1] + sums[:, -1] * np.uint32(33) + np.uint32(3)
        words[:, part] = plain


def keys_of(data: bytes, plain: int) -> Iterator[int]:
    """Yield each key with which the first word of `data` decrypts to `plain`. The lowest byte of a key
    chooses the number that is added to the key; therefore all 256 values of this byte are tried.
    """
    total = (int.from_bytes(data[:4], "little") ^ plain) - SEED_B
    for low in range(0x100):
        key = total - ROWS[0x400 + low] & WORD
        if key & 0xFF == low:
            yield key


def encrypt(data: bytes, key: int) -> bytes:
    """Encrypt a stream, word by word. Tests need it for their archives."""
    seed, count = SEED_B, len(data) // 4
    out: list[int] = []
    for word, step in zip(
        np.frombuffer(data, U32, count).tolist(), key_stream(key & WORD, count).tolist(), strict=True
    ):
        seed = seed + ROWS[0x400 + (step & 0xFF)] & WORD
        out.append(word ^ (step + seed & WORD))
        seed = word + seed * 33 + 3 & WORD
    return np.array(out, U32).tobytes() + data[len(data) & ~3 :]
