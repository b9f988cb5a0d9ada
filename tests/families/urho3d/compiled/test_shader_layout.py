"""The layouts of compiled shaders read what they write."""

from __future__ import annotations

import pytest

from tests.shader_files import (
    TRANSFORM,
    old_bytes,
    oldest_bytes,
    parameter,
    shader_bytes,
    unit,
    vs4_bytes,
    words,
)
from viewer.binary import Cursor, Record
from viewer.errors import FormatError
from viewer.families.urho3d.compiled.shader_layout import OLD_SHADER, OLDEST_SHADER, SHADER

FILES = {
    "model 3": (
        SHADER,
        shader_bytes(parameters=[parameter("A", 1, 4), parameter("B", 5)], units=[unit("S", 2)]),
    ),
    "model 4": (SHADER, vs4_bytes()),
    "the first tool": (OLDEST_SHADER, oldest_bytes({"": (4, words(*TRANSFORM)), "SKINNED": (9, b"1234")})),
    "before 2014": (OLD_SHADER, old_bytes({"": words(*TRANSFORM), "SKINNED": b"1234"})),
}


@pytest.mark.parametrize(("layout", "data"), FILES.values(), ids=FILES)
def test_round_trip(layout: Record, data: bytes) -> None:
    record = layout.read(Cursor(data))
    assert record.marks[-1] == len(data) and layout.pack(record) == data


def test_a_program_longer_than_the_file_keeps_what_is_there() -> None:
    data = shader_bytes(b"1234567890123456")[:-5]
    with pytest.raises(FormatError, match="a program of 16 bytes declared, 11 bytes left") as caught:
        SHADER.read(Cursor(data))
    assert caught.value.path == "code" and bytes(caught.value.partial.code) == b"12345678901"


def test_names_without_an_end_are_told() -> None:
    data = shader_bytes(parameters=[parameter("A", 1)])[:13]
    with pytest.raises(FormatError, match="terminating zero") as caught:
        SHADER.read(Cursor(data))
    assert caught.value.path == "parameters[0]/name"
