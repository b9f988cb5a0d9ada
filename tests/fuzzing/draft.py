"""A file that is being mutated, and the random choices that all mutations share."""

from __future__ import annotations

import random
from collections.abc import Sequence

from msgspec import Struct

from tests.fuzzing.places import Places
from tests.fuzzing.samples import Sample

NUMBERS = (0, 1, 2, 3, 7, 8, 16, 63, 64, 127, 128, 255, 256, 257, 1023, 4095, 32767, 32768, 65534, 65535)
HUGE = (65536, 1 << 20, (1 << 24) - 1, 0x7FFFFFFE, 0x7FFFFFFF, 0x80000000, 0xFFFFFFF0, 0xFFFFFFFE, 0xFFFFFFFF)
"""Numbers that counts, sizes and offsets break at."""


class Seed(Struct, frozen=True):
    """A sample with the places that are known of it, and the samples that blocks are taken from."""

    sample: Sample
    places: Places
    others: Sequence[bytes] = ()


class Draft(Struct):
    """A file in the making."""

    data: bytearray
    seed: Seed
    random: random.Random

    def at(self, size: int = 1, align: int = 1) -> int:
        """A random offset with `size` bytes behind it."""
        most = max(len(self.data) - size, 0) // align
        if self.random.random() < 0.3:
            most = min(most, 64 // align)
        return self.random.randint(0, most) * align

    def span(self, longest: int = 4096) -> tuple[int, int]:
        """Start and end of a block: one of the tree, or any bytes."""
        blocks = self.seed.places.blocks
        if blocks and self.random.random() < 0.5:
            start, size = self.random.choice(blocks)
            if size <= longest:
                return start, start + size
        size = min(1 << self.random.randint(0, 10), longest)
        start = self.at(size)
        return start, start + size

    def put(self, at: int, value: int, size: int) -> None:
        """Write a whole number, in the order of the file as often as not."""
        if at + size <= len(self.data):
            order = "big" if self.random.random() < 0.1 else "little"
            self.data[at : at + size] = (value & ((1 << 8 * size) - 1)).to_bytes(size, order)  # type: ignore[arg-type]

    def number(self, size: int, now: int) -> int:
        """A number worth a try at a place that holds `now`."""
        kind = self.random.randrange(8)
        if kind < 2:
            return self.random.choice(NUMBERS)
        if kind < 4:
            return now + self.random.choice((-2, -1, 1, 2))
        if kind == 4:
            return self.random.choice(HUGE)
        if kind == 5:
            return len(self.data) + self.random.choice((-8, -4, -1, 0, 1, 4))
        if kind == 6:
            return self.random.choice((now * 2, now // 2, now << 8, now ^ (1 << 8 * size - 1), -now))
        return self.random.getrandbits(8 * size)
