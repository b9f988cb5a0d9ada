"""The pie of shadings under a fake mouse."""

from __future__ import annotations

from typing import Any

import pytest

from viewer.scene.choices import SINGLE_SHADINGS, Shading
from viewer.scene.items import BoneItem
from viewer.ui.kit.shortcuts import run_shortcuts
from viewer.ui.view.shading_pie import PARTS, ShadingPie, part_at

MODES = list(SINGLE_SHADINGS)


@pytest.fixture
def pie(post: Any) -> Any:
    """The desk with the pie and the keys."""
    shown = ShadingPie()

    def draw(state: Any, post: Any) -> None:
        run_shortcuts(state, post)
        shown(state, post)

    post.show(draw)
    post.move(200, 150)
    return post


def test_parts_go_clockwise_from_the_top() -> None:
    assert part_at(0, -50, 10) == 0
    assert part_at(50, -20, 10) in (1, 2)
    assert part_at(-20, -50, 10) in (0, len(PARTS) - 1)
    assert part_at(3, 3, 10) is None


def test_hold_move_and_let_go(pie: Any) -> None:
    pie.host.input.key("Z", True)
    pie.frames(2)
    assert pie.state.interface.pie
    pie.move(290, 130)
    pie.host.input.key("Z", False)
    pie.frames(2)
    assert pie.state.options.shading is MODES[part_at(90, -20, 1) or 0] and not pie.state.interface.pie


def test_let_go_and_click(pie: Any) -> None:
    pie.key("Z")
    assert pie.state.interface.pie, "a short stroke leaves it open"
    pie.click(200, 240)
    assert pie.state.options.shading is MODES[part_at(0, 90, 1) or 0] and not pie.state.interface.pie


def test_a_short_stroke_near_the_edge_of_the_window_chooses_nothing(pie: Any) -> None:
    """The menu is not centred at the pointer there."""
    pie.move(3, 150)
    pie.key("Z")
    assert pie.state.interface.pie and pie.state.options.shading is Shading.LIT
    pie.move(60, 20)
    pie.click(60, 20)
    assert pie.state.options.shading is not Shading.LIT and not pie.state.interface.pie


@pytest.mark.parametrize("button", ["left", "right"])
def test_a_click_into_the_middle_or_with_the_right_button_changes_nothing(pie: Any, button: str) -> None:
    pie.key("Z")
    pie.click(*((203, 152) if button == "left" else (200, 240)), button)
    assert pie.state.options.shading is Shading.LIT and not pie.state.interface.pie


def test_escape_closes_it_and_lets_the_selection_be(pie: Any) -> None:
    pie.state.view.selection.pick(BoneItem(1))
    pie.key("Z")
    pie.key("ESCAPE")
    assert not pie.state.interface.pie and pie.state.view.selection.picked == BoneItem(1)


def test_in_a_corner_all_names_are_in_the_window(pie: Any) -> None:
    pie.move(2, 2)
    pie.key("Z")
    pie.click(60, 290)
    assert not pie.state.interface.pie and pie.state.options.shading is not Shading.LIT
