"""Chunk tree, hex view and inspector under a fake mouse and keyboard."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from imgui_bundle import ImVec2, imgui

from viewer.binary.span import UNKNOWN, Rows, Span
from viewer.errors import Report
from viewer.scene.document import Document, Origin
from viewer.scene.items import BoneItem, ByteItem, Item, KeyItem, TrackItem, VertexItem
from viewer.session.requests import Request
from viewer.ui.bytes.byte_selection import ByteSelection
from viewer.ui.bytes.bytes_panel import BytesPanel, _counts
from viewer.ui.kit.shortcuts import run_shortcuts

Hand = Any


class Bench:
    """The panel with the little post of two bones, or with another document."""

    def __init__(self, desk: Hand, document: Document | None = None) -> None:
        self.desk, self.state, self.panel = desk, desk.state, BytesPanel()
        if document is not None:
            self.state.put(document)
        self.desk.show(self._draw)

    def _draw(self, state: Any, post: Any) -> None:
        state.purge()
        state.interface.focused = "chunks"
        run_shortcuts(state, post)
        self.panel(state, post)

    @property
    def view(self) -> ByteSelection:
        document = self.state.document
        path = self.panel._source or document.path
        return self.panel._views[path]

    def byte(self, offset: int) -> tuple[float, float]:
        """Where the digits of a byte are."""
        page = self.panel._hex.page
        line, column = divmod(offset - page.top, page.grid.columns)
        return page.x + page.grid.hex_x(column) + page.grid.glyph, page.y + (line + 0.5) * page.grid.line

    def row(self, name: str) -> tuple[float, float]:
        """Where the row of the tree with that name is: under the pointer there, its bytes are hovered."""
        root, path = self.view.root, name.split("/")
        span = root
        for part in path:
            span = span.child(part)
        for y in range(10, 290, 5):
            self.desk.move(60, y)
            self.desk.frames()
            if self.view.hover == (span.offset, span.end):
                return 60, y
        raise AssertionError(f"no row {name}")


@pytest.fixture
def bench(post: Hand) -> Bench:
    return Bench(post)


def span_of(bench: Bench, item: Item) -> Span:
    span = bench.state.document.origin.span(item)
    assert span is not None
    return span


def test_a_row_of_the_tree_selects_its_bytes(bench: Bench) -> None:
    bench.desk.click(*bench.row("magic"))
    assert (bench.view.name, bench.view.first, bench.view.last) == ("magic", 0, 3)
    assert bench.state.view.selection.picked == ByteItem(0)


def test_pointing_at_a_row_hovers_its_item(bench: Bench) -> None:
    bone = span_of(bench, BoneItem(1))
    bench.view.select(bone.offset, bone.size)
    bench.desk.frames(3)
    bench.row("bones/[1]")
    bench.desk.frames()
    assert bench.state.view.selection.hover == BoneItem(1)


def test_a_byte_selects_the_innermost_field_and_shows_its_row(bench: Bench) -> None:
    start = span_of(bench, VertexItem(0, 0)).offset
    bench.view.move_cursor(start)
    bench.desk.frames(3)
    bench.desk.click(*bench.byte(start + 5))
    assert bench.view.name.startswith("vertex_buffers/[0]/vertices/[0]/")
    assert bench.state.view.selection.picked == VertexItem(0, 0)
    assert len(bench.view.tree) > 20, "the vertices are open"


def test_what_is_picked_elsewhere_is_selected_and_scrolled_to(bench: Bench) -> None:
    bench.state.view.selection.pick(BoneItem(1))
    bench.desk.frames(3)
    bone = span_of(bench, BoneItem(1))
    assert (bench.view.first, bench.view.last) == (bone.offset, bone.end - 1)
    assert bench.panel._hex.page.top <= bone.offset < bench.panel._hex.page.bottom
    assert bench.state.view.selection.picked == BoneItem(1)
    assert bench.view.name == "bones/[1]"


def test_what_is_hovered_elsewhere_is_framed(bench: Bench) -> None:
    bench.state.view.selection.point(BoneItem(1))
    bench.desk.frames()
    assert bench.view.hover == (span_of(bench, BoneItem(1)).offset, span_of(bench, BoneItem(1)).end)


def test_an_item_of_an_attached_file_brings_up_its_bytes(bench: Bench) -> None:
    (attached,) = bench.state.document.attached
    bench.state.view.selection.pick(KeyItem(TrackItem(None, 0), 1), attached)
    bench.desk.frames(3)
    key = attached.origin.span(KeyItem(TrackItem(None, 0), 1))
    assert bench.view.document is attached
    assert bench.view.first == key.offset
    bench.desk.click(*bench.byte(attached.origin.span(KeyItem(TrackItem(None, 0), 0)).offset))
    assert bench.state.view.selection.picked == KeyItem(TrackItem(None, 0), 0)
    assert bench.state.view.selection.source is attached


def test_the_same_byte_of_another_file_is_another_one(bench: Bench) -> None:
    (attached,) = bench.state.document.attached
    bench.state.view.selection.pick(ByteItem(9))
    bench.desk.frames(3)
    bench.state.view.selection.pick(ByteItem(9), attached)
    bench.desk.frames(3)
    assert (bench.view.document, bench.view.first) == (attached, 9)


def test_dragging_selects_a_range(bench: Bench) -> None:
    bench.desk.drag(bench.byte(3), bench.byte(9))
    assert (bench.view.first, bench.view.last) == (3, 9)
    bench.desk.drag(bench.byte(9), bench.byte(2))
    assert (bench.view.first, bench.view.last, bench.view.cursor) == (2, 9, 2)


def keys(bench: Bench, *names: str) -> tuple[int, int]:
    for name in names:
        *held, key = name.split("+")
        bench.desk.key(key, *held)
    return bench.view.first, bench.view.last


def test_keys_move_in_the_bytes(bench: Bench) -> None:
    bench.desk.click(*bench.byte(1))
    columns, end = bench.panel._hex.page.grid.columns, len(bench.view.data) - 1
    assert keys(bench, "RIGHT") == (2, 2)
    assert keys(bench, "DOWN", "LEFT") == (columns + 1, columns + 1)
    assert keys(bench, "HOME", "Shift+END") == (columns, 2 * columns - 1)
    assert keys(bench, "Ctrl+END") == (end, end)
    assert bench.panel._hex.page.bottom >= end
    assert keys(bench, "Ctrl+HOME", "Shift+RIGHT") == (0, 1)
    assert keys(bench, "Ctrl+A") == (0, end)


def test_keys_walk_through_the_tree(bench: Bench) -> None:
    bench.desk.click(*bench.row("magic"))
    keys(bench, "DOWN")
    assert bench.view.name == "vertex_buffers"
    keys(bench, "RIGHT", "RIGHT")
    assert bench.view.name == "vertex_buffers/count"
    keys(bench, "LEFT", "LEFT")
    assert (bench.view.name, len(bench.view.tree.open(0).opened)) == ("vertex_buffers", 0)
    keys(bench, "END")
    assert bench.view.last == len(bench.view.data) - 1
    keys(bench, "HOME")
    assert bench.view.path == (0,)


def typed(bench: Bench, text: str) -> None:
    bench.desk.host.input.text(text)
    bench.desk.frames(2)


def test_going_to_an_offset(bench: Bench) -> None:
    bench.desk.click(*bench.byte(1))
    keys(bench, "Ctrl+G")
    typed(bench, "0x20")
    assert keys(bench, "ENTER") == (32, 32)
    bench.desk.click(*bench.byte(32))
    keys(bench, "Ctrl+G", "Ctrl+A")
    typed(bench, "-16")
    assert keys(bench, "ENTER") == (16, 16)


def test_finding_goes_round(bench: Bench) -> None:
    data = bench.view.data
    places = [at for at in range(len(data)) if data.startswith(b"\0\0\x80\x3f", at)]
    assert len(places) > 2
    bench.desk.click(*bench.byte(0))
    keys(bench, "Ctrl+F")
    typed(bench, "00 00 80 3F")
    assert keys(bench, "ENTER") == (places[0], places[0] + 3)
    bench.desk.frames(3)
    assert keys(bench, "ENTER")[0] == places[1]
    bench.desk.click(*bench.byte(places[1]))
    assert keys(bench, "Shift+F3")[0] == places[0]
    assert keys(bench, "Shift+F3")[0] == places[-1]
    assert keys(bench, "F3")[0] == places[0]


def test_a_search_asks_for_frames_until_it_is_through(desk: Hand) -> None:
    data = bytes(5_000_000)
    root = Span("file", 0, len(data))
    bench = Bench(desk, Document("a.bin", "", "", data, root, None, Report()))
    desk.frames(5)
    desk.state.pending_files.unsettled = False
    desk.frames(2)
    assert not desk.state.pending_files.unsettled
    bench.panel._find._text = "FF EE"
    desk.frames(2)
    assert desk.state.pending_files.unsettled
    desk.frames(10)
    desk.state.pending_files.unsettled = False
    desk.frames()
    assert not desk.state.pending_files.unsettled


def test_copying(bench: Bench) -> None:
    kept: list[str] = []
    bench.desk.host.clipboard(lambda: "", kept.append)
    bench.desk.drag(bench.byte(0), bench.byte(3))
    keys(bench, "Ctrl+C")
    assert kept == ["55 4D 44 32"]


def test_the_wheel_scrolls_the_bytes(bench: Bench) -> None:
    bench.desk.move(*bench.byte(0))
    bench.desk.host.input.wheel(0, -1)
    bench.desk.frames(2)
    assert bench.panel._hex.page.top == 3 * bench.panel._hex.page.grid.columns
    bench.desk.host.input.wheel(0, -1000)
    bench.desk.frames(2)
    assert bench.panel._hex.page.bottom >= len(bench.view.data)


def test_the_filter_lists_what_fits(bench: Bench) -> None:
    bench.desk.click(*bench.row("magic"))
    keys(bench, "Ctrl+F")
    typed(bench, "tip")
    bench.desk.frames(5)
    for y in range(30, 120, 4):
        bench.desk.click(60, y)
        if bench.view.name != "magic":
            break
    assert bench.view.name == "bones/[1]"


def test_a_file_read_again_keeps_the_selection(bench: Bench) -> None:
    bench.desk.click(*bench.byte(5))
    old = bench.state.document
    again = Document(old.path, "", "", old.data, old.root, old.content, old.report, old.origin)
    bench.state.put(again)
    bench.desk.frames(2)
    assert bench.view.document is again and bench.view.first == 5


def test_only_what_is_in_sight_is_made(desk: Hand) -> None:
    made = 0

    def make(number: int, at: int) -> Span:
        nonlocal made
        made += 1
        return Span(f"[{number}]", at, 8, "u64", number)

    data = bytes(8_000_000)
    root = Span(
        "file", 0, len(data), children=[Span("numbers", 0, len(data), children=Rows(0, 8, 10**6, make))]
    )
    bench = Bench(desk, Document("a.bin", "", "", data, root, None, Report()))
    bench.view.tree.open(0).open(0)
    bench.view.choose((0, 0, 777_777))
    desk.frames(4)
    assert len(bench.view.tree) == 10**6 + 2
    assert made < 1000
    before = made
    desk.frames(3)
    assert made == before, "nothing is made again while it stays in sight"


def broken() -> Document:
    children = [Span("magic", 0, 4), Span(UNKNOWN, 4, 60, UNKNOWN), Span("bones", 64, 64, error="cut off")]
    return Document("a.bin", "", "", bytes(128), Span("file", 0, 128, children=children), None, Report())


def test_problems_are_counted_and_jumped_to(desk: Hand) -> None:
    bench = Bench(desk, broken())
    desk.frames(2)
    assert [each.offset for each in bench.view.problems.found] == [4, 64]
    desk.click(30, 10)
    desk.click(60, 28 + 1.5 * imgui.get_text_line_height_with_spacing())
    assert bench.view.name in ("bones", UNKNOWN)
    assert _counts(bench.view.problems.found) == "1 error, 1 unexplained"


def test_an_empty_file_draws(desk: Hand) -> None:
    bench = Bench(desk, Document("a.bin", "", "", b"", Span("file", 0, 0), None, Report()))
    desk.click(100, 200)
    desk.frames(3)
    assert bench.view.selected == b""


@pytest.mark.parametrize("size", [(1, 1), (120, 90), (500, 900), (1100, 200), (1900, 1000)])
def test_any_size(post: Hand, size: tuple[int, int]) -> None:
    panel = BytesPanel()
    post.state.view.selection.pick(BoneItem(1))

    def draw(state: Any, request: Request) -> None:
        imgui.begin_child("sized", ImVec2(*size))
        panel(state, request)
        imgui.end_child()

    post.show(draw)
    post.frames(3)
    assert next(iter(panel._views.values())).name == "bones/[1]"


def test_an_origin_without_tables_gives_bytes(desk: Hand) -> None:
    document = broken()
    document.origin = Origin()
    bench = Bench(desk, document)
    bench.desk.click(*bench.byte(2))
    assert bench.state.view.selection.picked == ByteItem(2)


def test_colours_of_numpy_rows_do_not_move_when_scrolling() -> None:
    from viewer.binary.dtypes import rows_span
    from viewer.ui.bytes.span_rows import patches

    rows = rows_span("rows", np.zeros(100, [("a", "<u4"), ("b", "<u2")]), 0)
    whole = {patch.first: patch.tint for patch in patches(rows, 0, 600)}
    assert all(whole[patch.first] == patch.tint for patch in patches(rows, 300, 400))


def test_each_file_shows_its_own_selected_row(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    scrolled: list[float] = []
    scroll = imgui.set_scroll_y

    def note(y: float) -> None:
        scrolled.append(y)
        scroll(y)

    monkeypatch.setattr(imgui, "set_scroll_y", note)
    path = bench.state.document.path
    bench.view.select(span_of(bench, BoneItem(1)).offset, 1)
    bench.view.choose(bench.view.path)
    bench.desk.frames(4)
    deep = scrolled[-1]
    assert deep > 0
    (attached,) = bench.state.document.attached
    scrolled.clear()
    bench.panel._source = attached.path
    bench.desk.frames(3)
    assert scrolled == [0.0], "a file that was not shown yet begins at its first row"
    scrolled.clear()
    bench.panel._source = path
    bench.desk.frames(3)
    assert scrolled[-1] == deep
