"""Texts whose encoding nobody states."""

from __future__ import annotations

import pytest

from viewer.binary import Cursor, Struct
from viewer.families.ogre.names import TextLine


def read(*lines: bytes) -> list[str]:
    cursor = Cursor(b"".join(line + b"\n" for line in lines))
    return [str(TextLine("name").read(cursor, Struct())) for _ in lines]


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030"])
def test_names_of_one_file(encoding: str) -> None:
    names = ["Bip01", "白骆驼", "龙珠"]
    assert read(*(name.encode(encoding) for name in names)) == names


def test_what_fits_no_encoding_is_latin_1() -> None:
    assert read(b"L\xf6") == ["Lö"]


def test_a_name_that_is_utf8_by_chance_is_none_behind_one_that_is_not() -> None:
    assert "头".encode("gbk").decode("utf-8") == "ͷ"
    assert read("根".encode("gbk"), "头".encode("gbk")) == ["根", "头"]
