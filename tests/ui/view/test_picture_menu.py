"""The context menu of the picture under a fake mouse."""

from __future__ import annotations

from typing import Any

import pytest
from imgui_bundle import imgui

from tests.ui.view.test_view_panel import GEOMETRY, VERTEX, answering
from viewer.scene.items import BoneItem, Item
from viewer.session.requests import FitView


@pytest.fixture
def entries(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The entries of open menus."""
    found: list[str] = []
    drawn = imgui.menu_item_simple
    monkeypatch.setattr(imgui, "menu_item_simple", lambda *all: (found.append(all[0]), drawn(*all))[1])
    return found


def right_click(desk: Any, items: tuple[Item, ...]) -> None:
    answering(desk, items)
    desk.click(200, 150, "right")
    desk.frames(12)


def test_a_right_click_selects_and_offers_what_applies(post: Any, entries: list[str]) -> None:
    right_click(post, (GEOMETRY, VERTEX))
    assert post.state.view.selection.picked == GEOMETRY
    assert "Hide selected" in entries and "Fit to view" in entries


def test_it_stays_with_the_selected_of_several(post: Any, entries: list[str]) -> None:
    post.state.view.selection.pick(VERTEX)
    right_click(post, (GEOMETRY, VERTEX))
    assert post.state.view.selection.picked == VERTEX


def test_beside_the_model_the_selection_stays(post: Any, entries: list[str]) -> None:
    post.state.view.selection.pick(BoneItem(1))
    right_click(post, ())
    assert post.state.view.selection.picked == BoneItem(1)
    assert "Fit to view" in entries and "Copy name" not in entries


def test_a_right_drag_opens_no_menu(post: Any, entries: list[str]) -> None:
    answering(post, (GEOMETRY,))
    post.drag((200, 150), (200, 120), "right")
    post.frames(12)
    assert entries == [] and post.state.view.selection.picked is None


def test_an_entry_acts(post: Any, entries: list[str]) -> None:
    right_click(post, ())
    low = imgui.get_style().window_padding
    post.click(200 + low.x + 20, 150 + low.y + imgui.get_text_line_height() / 2)
    assert post.posted == [FitView()]
