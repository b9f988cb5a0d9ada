"""BLP pictures, packed by hand."""

from __future__ import annotations

import struct

PALETTE = b"".join(bytes((i, 255 - i, 7, 99)) for i in range(256))
HEADER = 20 + 128 + 1024


def blp2(encoding: int, bits: int, kind: int, levels: list[bytes], width: int = 4, height: int = 2) -> bytes:
    """A picture of these levels with a palette of 256 colours."""
    offsets, sizes, at = [0] * 16, [0] * 16, HEADER
    for number, level in enumerate(levels):
        offsets[number], sizes[number] = at, len(level)
        at += len(level)
    head = struct.pack("<4sI4BII", b"BLP2", 1, encoding, bits, kind, len(levels) > 1, width, height)
    return head + struct.pack("<32I", *offsets, *sizes) + PALETTE + b"".join(levels)


def blp1_jpeg(alpha_bits: int, whole: bytes, shared: int = 40) -> bytes:
    """A picture whose JPEG is `whole`, of which the first `shared` bytes belong to all levels."""
    head = struct.pack("<4s6I", b"BLP1", 0, alpha_bits, 8, 8, 4, 0)
    at = len(head) + 128 + 4 + shared
    body = struct.pack("<32I", at, *[0] * 15, len(whole) - shared, *[0] * 15)
    return head + body + struct.pack("<I", shared) + whole
