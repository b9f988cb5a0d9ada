"""The encryption of MPQ archives.

Each word of an encrypted stream depends on the words before it. A bit depends only on lower or equal bits of
these words, so each pass over all words in numpy makes one more bit of every word right. After 32 passes all
words are right. This is several times faster than a loop over the words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from viewer.binary.cursor import NdArray
from viewer.storage.name_hashes import HASH_NUMBERS, ROWS, SEED_B, U32, WORD_MASK

BITS = 32
TOGETHER = 1 << 14
"""Number of words that are decrypted together, so that they stay in the processor's cache."""


def key_stream(key: int, count: int) -> NdArray:
    """Return the keys [count] u4 of the words of a stream. The keys soon repeat with a period of a few
    words.
    """
    known: dict[int, int] = {}
    while key not in known and len(known) < count:
        known[key] = len(known)
        key = (~key << 21) + 0x11111111 & WORD_MASK | key >> 11
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
        _decrypt_rows(words[some], np.stack([key_stream(key & WORD_MASK, wide) for key in keys[some]]))
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
        added = HASH_NUMBERS[0x400 + (key & 0xFF)]
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
        key = total - ROWS[0x400 + low] & WORD_MASK
        if key & 0xFF == low:
            yield key


def encrypt(data: bytes, key: int) -> bytes:
    """Encrypt a stream, word by word. Tests need it for their archives."""
    seed, count = SEED_B, len(data) // 4
    out: list[int] = []
    for word, step in zip(
        np.frombuffer(data, U32, count).tolist(), key_stream(key & WORD_MASK, count).tolist(), strict=True
    ):
        seed = seed + ROWS[0x400 + (step & 0xFF)] & WORD_MASK
        out.append(word ^ (step + seed & WORD_MASK))
        seed = word + seed * 33 + 3 & WORD_MASK
    return np.array(out, U32).tobytes() + data[len(data) & ~3 :]
