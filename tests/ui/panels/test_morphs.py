"""The sliders of the morphs under a fake mouse."""

from __future__ import annotations

from typing import Any

import pytest
from imgui_bundle import imgui

from viewer.scene.items import MorphItem
from viewer.ui.panels.morphs import MorphsPanel


def rows() -> float:
    """The middle of the first slider."""
    return 2 * imgui.get_frame_height_with_spacing() + imgui.get_frame_height() / 2


def test_a_slider_sets_the_weight_and_a_right_click_resets_it(post: Any) -> None:
    post.show(MorphsPanel())
    post.click(270, rows())
    assert post.state.view.morphs[0] == pytest.approx(0.5, abs=0.1)
    post.click(270, rows(), "right")
    assert post.state.view.morphs == {}


def test_the_arrow_behind_resets(post: Any) -> None:
    post.state.view.morphs[0] = 0.7
    post.show(MorphsPanel())
    post.click(388, rows())
    assert post.state.view.morphs == {}


def test_all_of_them_to_none_and_back(post: Any) -> None:
    post.show(MorphsPanel())
    line = imgui.get_frame_height_with_spacing() + imgui.get_frame_height() / 2
    post.click(110, line)
    assert post.state.view.morphs == {0: 0.0}
    post.click(30, line)
    assert post.state.view.morphs == {}


def test_the_filter_narrows(post: Any) -> None:
    post.show(MorphsPanel())
    post.click(60, 8)
    post.host.input.text("no such morph")
    post.frames(2)
    post.click(270, rows())
    assert post.state.view.morphs == {}


def test_a_name_selects(post: Any) -> None:
    post.show(MorphsPanel())
    post.click(12, rows())
    assert post.state.view.selection.picked == MorphItem(0)
