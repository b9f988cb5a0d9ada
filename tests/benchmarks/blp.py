"""Decoding BLP pictures, every encoding, against the speed that is asked for."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from tests.benchmarks.measure import Row, Rows, best
from viewer.binary import Struct
from viewer.formats.blp.layout import BLP2
from viewer.formats.blp.load import decode_blp

SIDE = 1024
MEGAPIXEL = 1e6
PALETTE, BLOCKS, RAW = 1, 2, 3
PALETTE_SPEED, BLOCK_SPEED, RAW_SPEED = 200, 35, 100
"""Megapixels a second, at least."""


def rows() -> Rows:
    """A picture of a megapixel in each encoding, one level."""
    for name, data, speed in _pictures():
        yield Row(
            f"decode BLP {name}",
            best(lambda data=data: decode_blp(data), clock=time.thread_time),  # type: ignore[misc]
            SIDE * SIDE / MEGAPIXEL / speed,
            1,
            f"{speed} megapixels a second",
        )


def _pictures() -> Iterator[tuple[str, bytes, int]]:
    random = np.random.default_rng(7)
    for bits in (0, 1, 4, 8):
        size = SIDE * SIDE * (8 + bits) // 8
        yield f"palette, {bits} bits of alpha", _file(PALETTE, bits, 8, size, random), PALETTE_SPEED
    for name, kind, each in (("DXT1", 0, 8), ("DXT3", 1, 16), ("DXT5", 7, 16)):
        size = SIDE * SIDE // 16 * each
        yield name, _file(BLOCKS, 0 if kind == 0 else 8, kind, size, random), BLOCK_SPEED
    yield "raw", _file(RAW, 8, 2, SIDE * SIDE * 4, random), RAW_SPEED


def _file(encoding: int, bits: int, kind: int, size: int, random: np.random.Generator) -> bytes:
    head = Struct(
        magic="BLP2",
        version=1,
        encoding=encoding,
        alpha_bits=bits,
        alpha_type=kind,
        mips=0,
        width=SIDE,
        height=SIDE,
        offsets=np.array([1172, *[0] * 15], np.uint32),
        sizes=np.array([size, *[0] * 15], np.uint32),
        palette=random.integers(0, 256, (256, 4), np.uint8),
    )
    return BLP2.pack(head) + random.integers(0, 256, size, np.uint8).tobytes()
