"""How even the bytes of a file are."""

from __future__ import annotations

import numpy as np

from viewer.scene.script import COLUMNS, SMALLEST, entropy


def test_entropy_is_bits_a_byte() -> None:
    data = bytes(64) + bytes([1, 2] * 32) + bytes(range(64))
    found = entropy(data)
    assert found.block == SMALLEST
    np.testing.assert_allclose(found.bits, [0, 1, 6], atol=1e-6)


def test_large_files_have_no_more_points_than_fit() -> None:
    found = entropy(bytes(range(256)) * 4000)
    assert len(found.bits) <= COLUMNS and found.block == 2000
    assert found.bits[0] > 7.9


def test_an_empty_file_has_none() -> None:
    assert len(entropy(b"").bits) == 0
