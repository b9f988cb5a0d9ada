"""Items and the bytes that they came from."""

from __future__ import annotations

from pathlib import Path

from tests.ogre_files import (
    NEWEST,
    opened,
    rich_mesh,
)
from tests.ogre_skeletons import NO_TURN, clip, keys, rich_skeleton, skeleton_bytes, track, two_bones
from viewer.scene.items import BoneItem, GeometryItem, KeyItem, MorphItem, TrackItem
from viewer.storage.documents import open_document


def test_items_and_bytes_find_each_other(tmp_path: Path) -> None:
    (tmp_path / "bones.skeleton").write_bytes(rich_skeleton())
    document = opened(tmp_path, rich_mesh(NEWEST))
    for item in (GeometryItem(0), MorphItem(0)):
        span = document.origin.span(item)
        assert span is not None
        assert document.origin.item(span.offset + 2) == item
    bones = open_document(tmp_path / "bones.skeleton")
    tip = bones.origin.span(BoneItem(1))
    assert tip is not None
    assert tip.value == "tip"
    assert bones.origin.item(tip.offset) == BoneItem(1)
    assert document.holder(BoneItem(1)).origin.span(BoneItem(1)).size == tip.size


def test_keys_of_chunks_and_of_lists_have_their_bytes(tmp_path: Path) -> None:
    (tmp_path / "bones.skeleton").write_bytes(rich_skeleton())
    origin = open_document(tmp_path / "bones.skeleton").origin
    assert [origin.span(TrackItem(0, row)).value for row in (0, 1)] == ["root", "tip"]
    for item, time in (
        (KeyItem(TrackItem(0, 1), 1), 1.0),
        (KeyItem(TrackItem(1, 0), 0), 0.0),
        (KeyItem(TrackItem(1, 0), 1), 1.0),
    ):
        span = origin.span(item)
        assert span.child("time").value == time
        assert origin.item(span.child("time").offset) == item


def test_keys_that_are_not_in_the_order_of_time_are_not_told_apart(tmp_path: Path) -> None:
    swapped = keys((1.0, NO_TURN, (0, 0, 0)), (0.0, NO_TURN, (1, 0, 0)))
    data = skeleton_bytes(*two_bones(), clip("back", 1.0, track(0, swapped)))
    (tmp_path / "bones.skeleton").write_bytes(data)
    assert open_document(tmp_path / "bones.skeleton").origin.span(KeyItem(TrackItem(0, 0), 0)) is None
