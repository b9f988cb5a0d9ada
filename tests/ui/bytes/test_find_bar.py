"""The find bar in narrow and wide panels."""

from __future__ import annotations

from typing import Any

import pytest
from imgui_bundle import imgui

from viewer.binary.span import Span
from viewer.errors import Report
from viewer.scene.document import Document
from viewer.ui.bytes import find_bar
from viewer.ui.bytes.byte_selection import ByteSelection
from viewer.ui.bytes.find_bar import FindBar


@pytest.fixture
def bar(desk: Any) -> Any:
    """The desk with the bar over some bytes; `bar.told` are the errors, each with its right edge."""
    view, shown = ByteSelection(Document("a", "", "", b"abc", Span("a", 0, 3), None, Report())), FindBar()
    desk.told, desk.find = [], shown.focus_field
    wrapped = find_bar.wrapped

    def note(text: str, *more: Any) -> None:
        wrapped(text, *more)
        desk.told.append((text, imgui.get_item_rect_max().x))

    def draw(state: Any, post: Any) -> None:
        desk.told.clear()
        shown.keys(view)
        shown(view)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(find_bar, "wrapped", note)
        desk.show(draw)
        yield desk


def typed(desk: Any, letter: str, text: str) -> None:
    """Focus the field to find (F) or to go to (G), and type."""
    desk.click(10, 250)
    if letter == "F":
        desk.find()
    else:
        desk.key(letter, "Ctrl")
    desk.frames(2)
    desk.host.input.text(text)
    desk.frames(2)
    desk.key("ENTER")


def test_text_that_is_no_hex_is_found_as_text(bar: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(find_bar, "colored", lambda text, color: said.append(text))
    typed(bar, "F", "b")
    bar.frames(3)
    assert bar.told == [] and said[-1] == "1 of 1 as text"


def test_an_offset_that_is_none_leaves_the_bar_as_it_is(bar: Any) -> None:
    typed(bar, "G", "here")
    ((text, right),) = bar.told
    assert text == "Go to an offset, such as 0x1F, 31 or +16" and right <= 400
    typed(bar, "G", "1")
    assert bar.told == []


def test_the_kinds_have_sentence_case_and_types_their_names(
    bar: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    offered: list[str] = []
    monkeypatch.setattr(imgui, "begin_combo", lambda name, now, flags: (offered.append(now), True)[1])
    monkeypatch.setattr(imgui, "end_combo", lambda: None)
    selectable = imgui.selectable
    monkeypatch.setattr(imgui, "selectable", lambda *all: (offered.append(all[0]), selectable(*all))[1])
    bar.frames(1)
    assert offered[:4] == ["Bytes", "Bytes", "Text", "UTF-16"] and {"i16", "f32"} <= {*offered}
