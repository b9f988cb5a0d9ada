"""`tree`: every byte has a line; bulk rows stay one line until their level is asked for."""

from __future__ import annotations

import json
import struct
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tests.wow  # noqa: F401
from tests import m2_files
from tests.synthetic import animation_bytes, model_bytes
from viewer.binary import Span
from viewer.commands.tree import nested, short, text
from viewer.families.wow.m2.layout.header import HEADER
from viewer.storage.documents import open_document

TREE = """\
00000000  122  Bend.ani  animation
00000000    4    magic  = "UANI"  · UAN2 is rbfx
00000004    5    name  text  = "Bend"  · name of the animation
00000009    4    length  f32  = 1  · duration, which may exceed the time of the last key, seconds
0000000D  109    tracks  track[1]  · tracks, one for each animated bone
0000000D    4      count  u32  = 1
00000011  105      [0]  track  = "tip"
00000011    4        name  text  = "tip"  · name of the bone that the track moves
00000015    1        mask  u8  = 3  · bits of the channels: 1 is position, 2 rotation, 4 scale
00000016  100        keys  record[3]  · KEYS
00000016    4          count  u32  = 3
0000001A   96          keys  record[3]  · KEYS
""".replace("KEYS", "keyframes in the order of time")


@pytest.fixture
def root(tmp_path: Path) -> Span:
    (tmp_path / "Bend.ani").write_bytes(animation_bytes())
    return open_document(tmp_path / "Bend.ani").root


def test_the_text_of_an_animation(root: Span) -> None:
    assert list(text(root)) == TREE.splitlines()


def test_depth_cuts(root: Span) -> None:
    assert len(list(text(root, 0))) == 1
    assert len(list(text(root, 1))) == 5


def test_keys_show_when_their_level_is_asked_for(root: Span) -> None:
    assert any("[2]" in line for line in text(root, 6))
    assert not any("[2]" in line for line in text(root))


def check_tiling(node: dict[str, Any]) -> int:
    """Children of a node lie one behind the other over all of it; how many nodes there are."""
    children = node["children"]
    if children:
        assert children[0]["offset"] == node["offset"]
        assert all(one["offset"] + one["size"] == other["offset"] for one, other in pairwise(children))
        assert sum(child["size"] for child in children) == node["size"]
    return 1 + sum(map(check_tiling, children))


@pytest.mark.parametrize("depth", [None, 0, 3, 9])
def test_the_json_tiles_and_has_the_keys(root: Span, depth: int | None) -> None:
    node = json.loads("".join(nested(root, depth)))
    assert list(node) == [
        "name",
        "offset",
        "size",
        "type",
        "value",
        "note",
        "error",
        "warning",
        "target",
        "sources",
        "children",
    ]
    assert check_tiling(node) == len(list(text(root, depth)))


def test_an_error_is_marked_where_it_happened(tmp_path: Path) -> None:
    (tmp_path / "Cut.mdl").write_bytes(model_bytes()[:700])
    lines = list(text(open_document(tmp_path / "Cut.mdl").root))
    assert any("! " in line and "error: " in line for line in lines)
    assert any("? unknown" in line for line in lines)


@pytest.mark.parametrize(
    ("value", "line"),
    [
        ("a\nb", '"a\\nb"'),
        (0.1, "0.1"),
        ([1, 2], "1 2"),
        ([[1.0, 0.5], [2.0, 3.0]], "(1 0.5) (2 3)"),
        (bytes(range(9)), "00 01 02 03 04 05 06 07 …"),
        (list(range(20)), "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 …"),
    ],
)
def test_values_on_one_line(value: object, line: str) -> None:
    assert short(value) == line


def test_values_that_are_not_finite_are_null_in_json() -> None:
    span = Span("x", 0, 4, "f32", np.float32(np.nan))
    assert json.loads("".join(nested(span)))["value"] is None


def test_bytes_in_a_row_are_hexadecimal_in_json(tmp_path: Path) -> None:
    """The flipbooks of a model, which no file has, are rows of one byte."""
    data = bytearray(m2_files.model(m2_files.CLASSIC))
    layout = HEADER.dtype(m2_files.CLASSIC)
    assert layout.fields is not None
    struct.pack_into("<2I", data, layout.fields["flipbooks"][1], 4, len(data))
    (tmp_path / "x.m2").write_bytes(data + b"\1\2\3\4")
    root = open_document(tmp_path / "x.m2").root
    rows = json.loads("".join(nested(root, 3)))["children"][-1]
    assert rows["offset"] == len(data)
    assert [row["value"] for row in rows["children"]] == ["01", "02", "03", "04"]
