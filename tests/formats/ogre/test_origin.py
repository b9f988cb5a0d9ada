"""Items and the bytes that they came from."""

from __future__ import annotations

from pathlib import Path

from tests.ogre_files import (
    NEWEST,
    opened,
    rich_mesh,
)
from tests.ogre_skeletons import (
    rich_skeleton,
)
from viewer.formats import open_document


def test_items_and_bytes_find_each_other(tmp_path: Path) -> None:
    (tmp_path / "bones.skeleton").write_bytes(rich_skeleton())
    document = opened(tmp_path, rich_mesh(NEWEST))
    for item in (("geometry", 0), ("morph", 0)):
        span = document.origin.span(item)
        assert span is not None
        assert document.origin.item(span.offset + 2) == item
    bones = open_document(tmp_path / "bones.skeleton")
    tip = bones.origin.span(("bone", 1))
    assert tip is not None
    assert tip.value == "tip"
    assert bones.origin.item(tip.offset) == ("bone", 1)
