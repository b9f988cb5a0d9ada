"""Compute the checksum of packages, SDBM over the unpacked bytes: h = (65599 · h + byte) mod 2³².

Source: Urho3D `MathDefs.h`, `SDBMHash`, and `PackageTool.cpp`. A file's checksum starts at 0; the package's
checksum covers the bytes of all files. Written as a sum, h is the sum of byte i times 65599^(n-1-i): a
product of the bytes and a row of powers.
"""

from __future__ import annotations

import numpy as np

from viewer.arrays import Array

Bytes = bytes | bytearray | memoryview

BASE, MODULUS = 65599, 1 << 32
WIDE, HIGH = 4096, 64
"""The number of bytes in one row, and the number of rows that are multiplied at a time. With these numbers
the operands stay in the processor's cache.
"""


def _powers(base: int, count: int) -> Array:
    """The powers of `base` as [count] u32, from base^(count - 1) down to base and 1."""
    powers = np.ones(count, np.uint32)
    known = 1
    while known < count:
        more = min(known, count - known)
        powers[known : known + more] = powers[:more] * np.uint32(pow(base, known, MODULUS))
        known += more
    return powers[::-1].copy()


POWERS = _powers(BASE, WIDE)
ROWS = _powers(pow(BASE, WIDE, MODULUS), HIGH)
PASSED = tuple(pow(BASE, WIDE * count, MODULUS) for count in range(HIGH + 1))
"""Factors by number of rows. If this number of rows follows some bytes, the checksum of these bytes is
multiplied by the factor.
"""


def sdbm(data: Bytes, before: int = 0) -> int:
    """Return the checksum of `data`, which follows bytes with the checksum `before` (0 for no bytes)."""
    head = len(data) % WIDE
    value = before
    if head:
        first = int((np.frombuffer(data, np.uint8, head) * POWERS[WIDE - head :]).sum(dtype=np.uint32))
        value = (before * pow(BASE, head, MODULUS) + first) % MODULUS
    if head == len(data):
        return value
    rows = np.frombuffer(data, np.uint8, len(data) - head, head).reshape(-1, WIDE)
    for at in range(0, len(rows), HIGH):
        sums = np.einsum("ij,j->i", rows[at : at + HIGH], POWERS)
        together = int((sums * ROWS[HIGH - len(sums) :]).sum(dtype=np.uint32))
        value = (value * PASSED[len(sums)] + together) % MODULUS
    return value


def joined_checksum(checksums: Array, sizes: Array) -> int:
    """Return the checksum of N concatenated files, from their checksums [N] u32 and sizes [N]."""
    behind = np.cumsum(sizes[::-1].astype(np.int64))[::-1] - sizes
    factors, square = np.ones(len(sizes), np.uint32), BASE
    while behind.any():
        factors[(behind & 1).astype(bool)] *= np.uint32(square)
        behind >>= 1
        square = square * square % MODULUS
    return int((checksums * factors).sum(dtype=np.uint32))
