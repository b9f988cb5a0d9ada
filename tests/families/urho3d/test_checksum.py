"""SDBM: the closed form is the loop, in any pieces."""

from __future__ import annotations

import numpy as np
import pytest

from viewer.families.urho3d.checksum import WIDE, joined_checksum, sdbm


def loop(data: bytes, value: int = 0) -> int:
    for byte in data:
        value = (byte + (value << 6) + (value << 16) - value) % (1 << 32)
    return value


@pytest.mark.parametrize("size", [0, 1, 7, WIDE - 1, WIDE, WIDE + 1, 33 * WIDE + 5])
def test_it_is_the_sum_of_the_loop(size: int) -> None:
    data = np.random.default_rng(size).integers(0, 256, size, np.uint8).tobytes()
    assert sdbm(data) == loop(data)
    assert sdbm(data, 0xFFFFFFFF) == loop(data, 0xFFFFFFFF)


def test_pieces_make_the_same_sum() -> None:
    data = np.random.default_rng(1).integers(0, 256, 3 * WIDE, np.uint8).tobytes()
    assert sdbm(memoryview(data)[1000:], sdbm(data[:1000])) == sdbm(data)


def test_the_sum_of_many_files_follows_from_theirs() -> None:
    files = [b"one", b"", b"and another", bytes(range(256)) * 40]
    sums = np.array([sdbm(each) for each in files], np.uint32)
    sizes = np.array([len(each) for each in files], np.uint32)
    assert joined_checksum(sums, sizes) == sdbm(b"".join(files))
    assert joined_checksum(sums[:0], sizes[:0]) == 0
