"""Texts that are shortened in the middle, and indentations that give way."""

from __future__ import annotations

from typing import Any

import pytest
from imgui_bundle import imgui

from viewer.ui.kit.texts import fitted, fitted_row, indentation


def shown(desk: Any, text: str, room: float) -> tuple[str, float]:
    """The text as it fits, and its width in points."""
    found: list[tuple[str, float]] = []

    def draw(state: Any, post: Any) -> None:
        made = fitted(text, room)
        found.append((made, imgui.calc_text_size(made).x))

    desk.show(draw)
    return found[-1]


@pytest.mark.parametrize("room", [40, 80, 120, 200])
def test_a_long_text_takes_the_room_and_no_more(desk: Any, room: float) -> None:
    text = "Textures/Architecture/Stone/wall_diffuse.dds"
    made, width = shown(desk, text, room)
    assert width <= room
    assert width > room - 2 * imgui.get_font_size()
    front, _, back = made.partition("…")
    assert text.startswith(front) and text.endswith(back) and front and back


def test_a_text_with_room_stays(desk: Any) -> None:
    assert shown(desk, "wall.dds", 200)[0] == "wall.dds"


def test_no_room_leaves_a_first_and_a_last_letter(desk: Any) -> None:
    assert shown(desk, "wall.dds", 0)[0] == "w…s"
    assert shown(desk, "ab", 0)[0] == "ab"


def test_an_indentation_grows_to_half_of_the_room_and_gives_way() -> None:
    assert [indentation(depth, 10, 100) for depth in (0, 2, 9)] == [0, 20, 50]
    assert indentation(9, 10, 100, 70) == 30
    assert indentation(9, 10, 100, 200) == 10
    assert indentation(0, 10, 100, 200) == 0


@pytest.mark.parametrize("depth", [0, 3, 40])
def test_a_row_fits_its_column_and_gives_up_its_indentation_first(desk: Any, depth: int) -> None:
    found: list[tuple[float, str, float]] = []

    def draw(state: Any, post: Any) -> None:
        imgui.begin_child("column", (180, 40))
        moved, label = fitted_row(depth, "sequence_lookup", "i  ")
        before = imgui.get_tree_node_to_label_spacing() + imgui.get_style().item_spacing.x
        found.append((moved, label, moved + before + imgui.calc_text_size(label).x))
        imgui.end_child()

    desk.show(draw)
    moved, label, taken = found[-1]
    assert label == "i  sequence_lookup" and taken <= 180
    assert (moved > 0) is (depth > 0)
