"""The page of a compiled script under a fake mouse."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.shader_files import script_bytes, text
from viewer.scene.items import ByteItem, TextItem
from viewer.scene.text_filter import TextFilter
from viewer.storage.documents import open_document
from viewer.ui.compiled.script_page import EntropyPlot, ScriptPage

NAMES = [f"name{chr(65 + number % 26)}{chr(65 + number // 26)}" for number in range(100)]


@pytest.fixture
def script(desk: Any, tmp_path: Path) -> Any:
    data = script_bytes(data=b"\xff\xfe".join(map(text, NAMES)))
    (tmp_path / "a.asc").write_bytes(data)
    desk.state.put(open_document(tmp_path / "a.asc"))
    return desk


def test_it_draws(script: Any) -> None:
    script.show(ScriptPage())
    script.frames(3)
    assert script.posted == []


def test_one_of_which_nothing_is_certain_draws(desk: Any, tmp_path: Path) -> None:
    (tmp_path / "a.asc").write_bytes(b"ASBC\2\xff")
    desk.state.put(open_document(tmp_path / "a.asc"))
    desk.show(ScriptPage())
    desk.frames(2)


def test_a_click_on_a_text_selects_its_bytes(script: Any) -> None:
    page = ScriptPage()
    script.show(lambda state, post: page._texts(state, state.document.content))
    script.click(150, 3.4 * script.line)
    assert script.state.view.selection.picked == TextItem(3)
    span = script.state.document.origin.span(TextItem(3))
    assert span.value == NAMES[3]


def test_a_click_on_the_plot_selects_a_block(script: Any) -> None:
    plot = EntropyPlot()
    script.show(lambda state, post: plot(state, state.document))
    script.click(399, 60)
    picked, size = script.state.view.selection.picked, len(script.state.document.data)
    assert isinstance(picked, ByteItem) and size - 64 <= picked.number < size


def test_the_filter_narrows_the_texts(script: Any) -> None:
    page = ScriptPage()
    page._filter = TextFilter("nameba")
    script.show(page)
    assert page._fitting.value == [NAMES.index("nameBA")]
