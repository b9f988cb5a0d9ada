"""References in the chunk tree: from where something points to what it points at, and back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests import m2_files
from viewer.storage.documents import open_document
from viewer.ui.bytes.byte_selection import ByteSelection
from viewer.ui.bytes.chunk_tree import ChunkTree


@pytest.fixture
def view(tmp_path: Path) -> ByteSelection:
    """The bytes of the small M2 model; the reference of its header to the bones is selected."""
    path = tmp_path / "Made.m2"
    path.write_bytes(m2_files.model())
    made = ByteSelection(open_document(path))
    reference = made.root.child("header").child("bones")
    made.select(reference.offset, reference.size)
    return made


def test_it_leads_there_and_back(view: ByteSelection) -> None:
    bones = view.root.child("bones")
    start = view.first
    assert view.follow()
    assert view.first == bones.offset
    view.go(bones.sources[0])
    assert (view.first, view.name) == (start, "header/bones")


class Hand:
    """The tree alone on the desk."""

    def __init__(self, desk: Any, view: ByteSelection) -> None:
        self.desk, self.view, self.tree = desk, view, ChunkTree()
        desk.show(self._draw)

    def _draw(self, state: Any, post: Any) -> None:
        self.view.turn()
        self.tree(self.view)

    def row(self, name: str) -> tuple[float, float]:
        """Where the row of a table is: under the pointer there, its bytes are hovered."""
        span = self.view.root.child(name)
        self.view.choose((0, [each.name for each in self.view.root.children].index(name)))
        self.desk.frames(3)
        for y in range(30, 290, 5):
            self.desk.move(60, y)
            self.desk.frames()
            if self.view.hover == (span.offset, span.end):
                return 60, y
        raise AssertionError(f"no row {name}")


def test_the_keys_of_the_tree_do_the_same(desk: Any, view: ByteSelection) -> None:
    hand, start = Hand(desk, view), view.first
    desk.click(*hand.row("bones"))
    desk.key("ENTER", "Shift")
    assert view.first == start
    desk.key("ENTER")
    assert view.first == view.root.child("bones").offset


def test_the_menu_of_a_row_lists_who_points_at_it(desk: Any, view: ByteSelection) -> None:
    hand, start = Hand(desk, view), view.first
    x, y = hand.row("bones")
    desk.click(x, y, "right")
    desk.frames(3)
    assert view.first == view.root.child("bones").offset
    desk.click(x + 30, y + 12)
    assert view.first == start
