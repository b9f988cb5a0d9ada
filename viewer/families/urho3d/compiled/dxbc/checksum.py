"""Compute the checksum of a DXBC container, which is MD5 with a different padding.

Source: RFC 1321; Microsoft DirectXShaderCompiler, `DxilHash.cpp`, ComputeHashRetail.
"""

from __future__ import annotations

import math
import struct

BLOCK = 64
MASK = 0xFFFFFFFF
START = (0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476)
TURNS = ((7, 12, 17, 22), (5, 9, 14, 20), (4, 11, 16, 23), (6, 10, 15, 21))
SINES = tuple(int(abs(math.sin(step + 1)) * 2**32) for step in range(BLOCK))
STEPS = ((1, 0), (5, 1), (3, 5), (7, 0))
"""Two numbers (factor, start) for each round: step i of the round uses the word `factor · i + start`, modulo
16.
"""

HASHED_FROM = 20
"""Offset of the first hashed byte, after the letters DXBC and the checksum."""


def checksum(container: bytes) -> bytes:
    """Return the 16 checksum bytes that a whole container must have at offset 4."""
    data = container[HASHED_FROM:]
    whole = len(data) // BLOCK * BLOCK
    rest, size = data[whole:], 8 * len(data) & MASK
    front, back = struct.pack("<I", size), struct.pack("<I", size >> 2 | 1)
    if len(rest) >= 56:
        tail = (rest + b"\x80").ljust(BLOCK, b"\0") + front.ljust(BLOCK - 4, b"\0") + back
    else:
        tail = (front + rest + b"\x80").ljust(BLOCK - 4, b"\0") + back
    state = START
    for block in struct.iter_unpack("<16I", data[:whole] + tail):
        state = _turned(state, block)
    return struct.pack("<4I", *state)


def _turned(state: tuple[int, int, int, int], block: tuple[int, ...]) -> tuple[int, int, int, int]:
    """The MD5 state after one block of 16 words."""
    a, b, c, d = state
    for step in range(BLOCK):
        turn = step // 16
        if turn == 0:
            mixed = (b & c) | (~b & d)
        elif turn == 1:
            mixed = (d & b) | (~d & c)
        elif turn == 2:
            mixed = b ^ c ^ d
        else:
            mixed = c ^ (b | ~d & MASK)
        factor, first = STEPS[turn]
        total = (a + mixed + SINES[step] + block[(factor * step + first) % 16]) & MASK
        left = TURNS[turn][step % 4]
        a, d, c, b = d, c, b, (b + (total << left | total >> (32 - left))) & MASK
    return tuple((old + new) & MASK for old, new in zip(state, (a, b, c, d), strict=True))  # type: ignore[return-value]
