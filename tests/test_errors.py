"""The words of messages."""

from __future__ import annotations

from viewer.errors import counted


def test_one_is_not_many() -> None:
    found = [counted(number, "byte") for number in (0, 1, 2)]
    assert found == ["0 bytes", "1 byte", "2 bytes"]
    assert [counted(number, "vertex", "vertices") for number in (1, 2)] == ["1 vertex", "2 vertices"]
