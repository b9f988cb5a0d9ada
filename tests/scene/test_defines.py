"""Defines against the hash in a file's name."""

from __future__ import annotations

import pytest

from viewer.scene.shader import fitting, sdbm, spellings


@pytest.mark.parametrize(("text", "value"), [("", 0), ("a", 97), ("ab", 97 * 65599 + 98)])
def test_the_hash_is_sdbm(text: str, value: int) -> None:
    assert sdbm(text) == value


def test_the_hash_wraps_at_32_bits() -> None:
    value = 0
    for byte in b"DIRLIGHT PERPIXEL":
        value = (byte + (value << 6) + (value << 16) - value) & 0xFFFFFFFF
    assert sdbm("DIRLIGHT PERPIXEL") == value


@pytest.mark.parametrize(
    ("typed", "wanted", "how"),
    [
        ("VERTEXCOLOR DIFFMAP", 0x9A6030F6, "sorted, lower-case"),
        ("alphamask diffmap vertexcolor", 0xE5EBC920, "as typed"),
        ("DIRLIGHT  NORMALMAP PERPIXEL SHADOW", 0x08373355, "sorted, lower-case"),
        ("", 0, "as typed"),
    ],
)
def test_hashes_of_real_file_names(typed: str, wanted: int, how: str) -> None:
    found = fitting(typed, wanted)
    assert found is not None and found.how == how and sdbm(found.text) == wanted


def test_the_present_engine_hashes_upper_case() -> None:
    found = fitting("b a", sdbm("A B"))
    assert found is not None and found.how == "sorted, upper-case"


def test_what_does_not_fit_fits_nothing() -> None:
    assert fitting("DIFFMAP", 1) is None
    assert [each.text for each in spellings("A")] == ["A", "a"]
