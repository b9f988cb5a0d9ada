"""Values of property pages: what is shown, and what a copy takes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from imgui_bundle import ImVec2, imgui

from viewer.ui.kit.texts import exact_text
from viewer.ui.kit.widgets import take_copied
from viewer.ui.properties import page_widgets
from viewer.ui.properties.page_widgets import array_text, field, matrix, path_line, short, table

THIRD = np.array([1 / 3, 2e-7], np.float32)
VALUE = (160.0, 8.0)
"""A point of the value in the first line."""


@pytest.fixture
def copied(desk: Any) -> list[str]:
    """The texts that the desk copies."""
    found: list[str] = []
    desk.host.clipboard(lambda: "", found.append)
    return found


def test_a_click_copies_numbers_with_all_digits(desk: Any, copied: list[str]) -> None:
    desk.show(lambda state, post: field("Scale", array_text(THIRD)))
    desk.click(*VALUE)
    assert copied == ["0.33333334 2e-07"]
    assert take_copied() == "Copied 0.33333334 2e-07"
    assert take_copied() == ""


def test_calculated_numbers_are_shown_short_and_copied_whole() -> None:
    value = short(np.array([1 / 3, -1e-9]))
    assert value == "0.33333 0"
    assert exact_text(value) == "0.3333333333333333 -1e-09"
    assert exact_text("plain") == "plain"


def menu_entry(desk: Any, number: int) -> None:
    """Click an entry of the context menu that was opened at VALUE."""
    desk.frames(2)
    line = imgui.get_text_line_height_with_spacing()
    desk.click(VALUE[0] + 20, VALUE[1] + imgui.get_style().window_padding.y + (number + 0.5) * line)


def test_the_context_menu_copies_the_value_or_name_and_value(desk: Any, copied: list[str]) -> None:
    desk.show(lambda state, post: field("Scale", array_text(THIRD)))
    for entry in (0, 1):
        desk.click(*VALUE, "right")
        menu_entry(desk, entry)
    assert copied == ["0.33333334 2e-07", "Scale: 0.33333334 2e-07"]


def test_a_matrix_is_copied_whole(desk: Any, copied: list[str]) -> None:
    rows = np.array([[1 / 3, 0], [0, 1]], np.float32)
    desk.show(lambda state, post: matrix("World", rows))
    desk.click(20, 8 + imgui.get_text_line_height_with_spacing())
    assert copied == ["0.33333334 0.0\n0.0 1.0"]
    assert take_copied() == "Copied 0.33333334 0.0 and 1 more line"


def test_a_cell_of_a_table_is_copied_with_all_digits(desk: Any, copied: list[str]) -> None:
    desk.show(lambda state, post: table("t", ("value",), [(array_text(THIRD[:1]),)]))
    desk.click(20, 1.5 * (imgui.get_text_line_height() + 2 * imgui.get_style().cell_padding.y))
    assert copied == ["0.33333334"]


def test_marks_in_names_and_values_are_visible(desk: Any, copied: list[str]) -> None:
    def draw(state: Any, post: Any) -> None:
        field("a\x1b", "b\u202ec")
        path_line("/x\ny", "/home/a/b")

    desk.show(draw)
    desk.click(*VALUE)
    desk.click(10, 8 + imgui.get_text_line_height_with_spacing())
    assert copied == ["b\\u202ec", "/x\\ny"]


def test_a_line_that_calculated_numbers_needed_once_stays(desk: Any) -> None:
    short_numbers, long_numbers = np.zeros(3), np.array((-0.0012346, 1.0123, -0.012346))
    ends: list[float] = []

    def rows(values: np.ndarray, width: float) -> float:
        def draw(state: Any, post: Any) -> None:
            imgui.begin_child("narrow", ImVec2(width, 0))
            field("Position", short(values))
            ends.append(imgui.get_cursor_pos_y())
            imgui.end_child()

        desk.show(draw)
        return ends[-1]

    low, high = rows(short_numbers, 200.0), rows(long_numbers, 200.0)
    assert high > low, "long numbers need a line"
    assert rows(short_numbers, 200.0) == high, "the rows below stay"
    assert rows(short_numbers, 260.0) == low, "in a wider panel the line is free again"


def test_a_long_path_loses_its_start_and_other_texts_their_end(
    desk: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []
    spare: list[float] = []
    draw = page_widgets._copyable

    def note(name: str, text: str, *more: Any) -> None:
        shown.append(text)
        spare.append(imgui.get_content_region_avail().x - imgui.calc_text_size(text).x)
        draw(name, text, *more)

    monkeypatch.setattr(page_widgets, "_copyable", note)
    numbers, path = array_text(np.arange(90.0)), "/folder" * 40 + "/end.png"
    words = "moves the bone around its pivot " * 9
    desk.show(lambda state, post: [field("Kind", words), field("Values", numbers), field("File", path)])
    assert shown[-3].startswith("moves the bone") and shown[-3].endswith("…")
    assert shown[-2].startswith("0 1 2 3") and shown[-2].endswith("…")
    assert shown[-1].startswith("…") and shown[-1].endswith("/end.png")
    assert all(0 <= room < imgui.get_font_size() * 2 for room in spare), "they fill the line"


def test_a_text_that_fits_is_shown_whole(desk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr(page_widgets, "_copyable", lambda name, text, *more: shown.append(text))
    desk.show(lambda state, post: [field("Kind", "diffuse"), field("Note", "")])
    assert shown[-2:] == ["diffuse", ""]


def test_a_table_is_as_high_as_its_rows(desk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    lowest: list[float] = []
    draw = page_widgets._copyable

    def note(*cell: Any) -> None:
        draw(*cell)
        lowest.append(imgui.get_item_rect_max().y)

    monkeypatch.setattr(page_widgets, "_copyable", note)
    bottoms: list[float] = []

    def drawn(state: Any, post: Any) -> None:
        table("t", ("value",), [(str(number),) for number in range(8)])
        bottoms.append(imgui.get_item_rect_max().y)

    desk.show(drawn)
    assert 0 <= bottoms[-1] - lowest[-1] < 3 * imgui.get_style().cell_padding.y
