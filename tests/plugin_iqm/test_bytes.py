"""A file packed by hand from the specification; the tree, and what is selected by bytes."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from tests.damage import check, walk
from tests.plugin_iqm.samples import alone, data, model, opened
from viewer.binary import unexplained
from viewer.scene.document import Document
from viewer.scene.items import AnimationItem, BoneItem, GeometryItem, IndexItem, Item, VertexItem

TEXT, VERTICES, MESH, ARRAY, TRIANGLE, JOINT, POSE, ANIM, FRAMES = 124, 132, 168, 192, 212, 224, 272, 360, 380
END = 384


def by_hand() -> bytes:
    """A triangle on a bone with a clip of two frames, without the writer."""
    header = struct.pack(
        "<16s27I",
        b"INTERQUAKEMODEL",
        *(2, END, 0),
        *(6, TEXT),
        *(1, MESH),
        *(1, 3, ARRAY),
        *(1, TRIANGLE, 0),
        *(1, JOINT),
        *(1, POSE),
        *(1, ANIM),
        *(2, 1, FRAMES, 0),
        *(0, 0),
        *(0, 0),
    )
    offset, scale = (1, 2, 3, 0, 0, 0, 2, 1, 1, 1), (0, 0, 0.5, 0, 0, 0, 0, 0, 0, 0)
    return b"".join(
        (
            header,
            b"\0root\0\0\0",
            struct.pack("<9f", 0, 0, 0, 0, 1, 0, 0, 0, 1),
            struct.pack("<6I", 1, 3, 0, 3, 0, 1),
            struct.pack("<5I", 0, 0, 7, 3, VERTICES),
            struct.pack("<3I", 0, 2, 1),
            struct.pack("<Ii3f4f3f", 1, -1, 1, 2, 3, 0, 0, 0, 2, 1, 1, 1),
            struct.pack("<iI20f", -1, 1 << 2, *offset, *scale),
            struct.pack("<3IfI", 1, 0, 2, 4, 0),
            struct.pack("<2H", 0, 6),
        )
    )


def test_a_file_by_hand_has_what_the_specification_says(tmp_path: Path) -> None:
    document = opened(tmp_path, by_hand())
    content = model(document)
    assert document.report.count == 0 and unexplained(document.root) == 0
    assert [each.name for each in content.geometries] == ["root"] and content.materials[0].name == "ot"
    assert content.index_buffers[0].data.tolist() == [0, 1, 2]
    assert content.vertex_buffers[0].column("position").tolist() == [[0, 0, 0], [0, 1, 0], [0, 0, 1]]  # type: ignore[union-attr]
    skeleton = content.skeleton
    assert skeleton is not None and skeleton.positions.tolist() == [[1, 2, 3]]
    assert skeleton.rotations.tolist() == [[0, 0, 0, 1]], "of length 2 in the file"
    (clip,) = document.animations
    position, rotation, scale = clip.tracks
    assert (clip.name, clip.duration) == ("root", 0.25) and position.times.tolist() == [0, 0.25]
    assert position.values.tolist() == [[1, 2, 3], [1, 2, 6]]
    assert rotation.values.tolist() == [[0, 0, 0, 1]] and scale.values.tolist() == [[1, 1, 1]]


@pytest.mark.parametrize("content", [by_hand(), data(), alone()], ids=["by hand", "whole", "animations"])
def test_the_tree_covers_every_byte(content: bytes, tmp_path: Path) -> None:
    document = opened(tmp_path, content)
    check(document, len(content))
    walk(document.root)
    assert unexplained(document.root) == 0


def test_bytes_that_belong_to_nothing_are_unknown(tmp_path: Path) -> None:
    document = opened(tmp_path, data() + b"more")
    assert unexplained(document.root) == 4
    assert document.report.notes == [
        f"the header declares {len(data())} bytes, the file has {len(data()) + 4}"
    ]


def test_the_tree_shows_texts(tmp_path: Path) -> None:
    root = opened(tmp_path).root
    assert root.child("comment").value == "a figure of boxes"
    assert root.child("text").value.startswith("\0legs\0legs_skin\0")
    assert [each.value for each in root.children if each.name == "extension"] == ["empty", "tool"]


@pytest.fixture
def document(tmp_path: Path) -> Document:
    return opened(tmp_path)


ITEMS = (BoneItem(3), GeometryItem(4), AnimationItem(1), VertexItem(0, 119), VertexItem(5, 7))


@pytest.mark.parametrize("item", [*ITEMS, *(IndexItem(0, number) for number in (0, 1, 2, 100, 179))], ids=str)
def test_an_item_and_its_bytes_find_each_other(item: Item, document: Document) -> None:
    span = document.origin.span(item)
    assert span is not None and document.origin.item(span.offset) == item
    assert document.origin.item(span.end - 1) == item
    assert document.root.at(span.offset)[-1].offset <= span.offset < document.root.at(span.offset)[-1].end


def test_a_drawn_index_has_the_bytes_of_its_number(document: Document) -> None:
    for number, vertex in enumerate(model(document).index_buffers[0].data.tolist()):
        span = document.origin.span(IndexItem(0, number))
        assert span is not None and span.value == vertex
        assert int.from_bytes(document.data[span.offset : span.end], "little") == vertex


def test_a_vertex_has_the_bytes_of_its_values(document: Document) -> None:
    span = document.origin.span(VertexItem(0, 30))
    points = model(document).vertex_buffers[0].column("position")
    assert span is not None and points is not None
    assert np.frombuffer(document.data, "<f4", 3, span.offset).tolist() == points[30].tolist()


def test_what_does_not_exist_has_no_bytes(document: Document) -> None:
    assert document.origin.span(BoneItem(4)) is None and document.origin.item(20) is None
