"""The columns of the chunk tree at every size of the text."""

from __future__ import annotations

from typing import Any

import pytest
from imgui_bundle import ImVec2, imgui

from viewer.binary.span import Span
from viewer.errors import Report
from viewer.scene.choices import LARGEST_SCALE, SMALLEST_SCALE
from viewer.scene.document import Document
from viewer.session.interface import STEP
from viewer.ui.bytes.byte_selection import LEAST_DIGITS, ByteSelection
from viewer.ui.bytes.chunk_tree import COLUMNS, ChunkTree
from viewer.ui.kit.tree_table import TreeTable
from viewer.ui.kit.widgets import mono


def steps() -> list[float]:
    """The scales that Ctrl+= and Ctrl+- reach, from the smallest."""
    found = [SMALLEST_SCALE]
    while found[-1] < LARGEST_SCALE:
        found.append(min(found[-1] * STEP, LARGEST_SCALE))
    return found


@pytest.mark.parametrize(("name", "text"), [("offset", "0" * LEAST_DIGITS), ("size", "1 592 777")])
def test_a_column_shows_all_its_digits(desk: Any, name: str, text: str) -> None:
    width = next(column.width for column in COLUMNS if column.name == name)
    rooms: list[float] = []

    def draw(state: Any, post: Any) -> None:
        with mono():
            rooms.append(int(width * imgui.get_font_size()) - imgui.calc_text_size(text).x)

    for scale in steps():
        desk.host.style("dark", scale)
        desk.show(draw)
    assert min(rooms) >= 0


@pytest.mark.parametrize(("width", "shown"), [(12, ["name", "value"]), (20, ["name", "offset", "value"])])
def test_names_have_room_in_a_narrow_tree(
    desk: Any, monkeypatch: pytest.MonkeyPatch, width: float, shown: list[str]
) -> None:
    view = ByteSelection(Document("a", "", "", b"abc", Span("vertex_buffers", 0, 3), None, Report()))
    tree, columns = ChunkTree(), list[str]()
    monkeypatch.setattr(TreeTable, "__call__", lambda table, root, rows, own: columns.extend(own))

    def draw(state: Any, post: Any) -> None:
        columns.clear()
        if imgui.begin_child("narrow", ImVec2(width * imgui.get_font_size(), 0)):
            tree(view)
        imgui.end_child()

    desk.show(draw)
    assert columns == shown
