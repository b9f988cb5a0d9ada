"""The texts of the outline's rows in panels of several widths and sizes of text."""

from __future__ import annotations

from typing import Any

import pytest
from imgui_bundle import imgui

from viewer.ui.outline.row_texts import RowText, RowTexts
from viewer.ui.outline.tree import GEOMETRY, OutlineNode

COUNTED = OutlineNode("left hand armour plate", None, GEOMETRY, "1 664 tris")


def fit(
    desk: Any, node: OutlineNode, depth: int, room: float, scale: float = 1.0, offset: str = ""
) -> RowText:
    """The texts of a row in `room` theme points."""
    found: list[RowText] = []
    desk.host.style("dark", scale)
    desk.show(lambda state, post: found.append(RowTexts().get(node, depth, room * scale, 20 * scale, offset)))
    return found[-1]


def width(desk: Any, text: str) -> float:
    found: list[float] = []
    desk.show(lambda state, post: found.append(imgui.calc_text_size(text).x))
    return found[-1]


@pytest.mark.parametrize("scale", [1.0, 2.0])
@pytest.mark.parametrize("room", [150, 180, 220, 300, 400])
def test_counts_stay_at_every_size(desk: Any, room: float, scale: float) -> None:
    text = fit(desk, COUNTED, 1, room, scale)
    assert text.detail.startswith(("1 664", "1.7k"))
    taken = text.indentation + width(desk, text.label) + text.width
    assert taken < (room - 20) * scale


def test_the_noun_of_a_count_goes_first_then_the_middle_of_the_name(desk: Any) -> None:
    whole, counted, short = (fit(desk, COUNTED, 1, room) for room in (400, 262, 180))
    assert (whole.detail, whole.whole) == ("1 664 tris", "")
    assert counted.detail == "1 664" and counted.label.endswith(COUNTED.label)
    assert counted.whole == "left hand armour plate\n1 664 tris"
    assert short.label.endswith("te") and "  le" in short.label and "…" in short.label


def test_a_short_name_is_not_cut_for_a_count(desk: Any) -> None:
    node = OutlineNode("geometry 0", None, GEOMETRY, "904 tris")
    for room in (150, 160, 180, 200):
        assert fit(desk, node, 1, room).label.endswith("geometry 0")


def test_an_offset_is_left_out_before_a_name_is_cut(desk: Any) -> None:
    node = OutlineNode("upper arm twist left", None, GEOMETRY)
    assert fit(desk, node, 1, 400, offset="1A40").detail == "1A40"
    narrow = fit(desk, node, 1, 220, offset="1A40")
    assert narrow.detail == "" and narrow.label.endswith(node.label)


def test_a_deep_bone_gives_up_its_indentation_for_its_name(desk: Any) -> None:
    short = fit(desk, OutlineNode("Head", None, GEOMETRY), 40, 240)
    long = fit(desk, OutlineNode("Bip01_L_Finger0Nub_end", None, GEOMETRY), 40, 240)
    assert short.indentation == 110, "half of the room"
    assert fit(desk, OutlineNode("Head", None, GEOMETRY), 40, 240, offset="1A4080").indentation == 110
    assert 0 < long.indentation < short.indentation
    assert long.label.endswith("Bip01_L_Finger0Nub_end") and not long.whole


def test_a_name_that_has_no_room_at_all_is_whole_in_the_tooltip(desk: Any) -> None:
    name = "a very long name of a bone that no panel of this width can hold"
    text = fit(desk, OutlineNode(name, None, GEOMETRY), 40, 240)
    assert "…" in text.label and text.whole == name


def test_marks_in_names_are_visible(desk: Any) -> None:
    assert fit(desk, OutlineNode("a\x1b[2Jb", None, GEOMETRY), 0, 400).label.endswith("a\\x1b[2Jb")


def test_rows_are_fitted_again_in_another_panel(desk: Any) -> None:
    texts, found = RowTexts(), []
    for room in (400.0, 180.0, 400.0):
        desk.show(lambda state, post, room=room: found.append(texts.get(COUNTED, 1, room, 20)))
    details = [each.detail for each in found]
    assert details[0] == details[-1] == "1 664 tris" and "1 664" in details
