"""The About dialog in the whole window."""

from __future__ import annotations

from typing import Any

import pytest
from imgui_bundle import imgui

from viewer.actions import ACTIONS_BY_NAME
from viewer.session.about import About, Library
from viewer.ui.dialogs import about_dialog

FACTS = About("1.2", (("Graphics", "llvmpipe"),), (Library("numpy", "2.0", "BSD"), Library("x", "1", "")))
TEXT = "Rigscope 1.2 (MIT licence)\nGraphics: llvmpipe\nnumpy 2.0 (BSD)\nx 1 (licence unknown)"


@pytest.fixture
def dialog(desk: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The desk with the dialog open; `at` has the middle of each button."""
    button = imgui.button
    desk.at = {}

    def noted(label: str, *more: Any) -> bool:
        clicked = button(label, *more)
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        desk.at[label] = (low.x + high.x) / 2, (low.y + high.y) / 2
        return clicked

    monkeypatch.setattr(imgui, "button", noted)
    desk.state.interface.about = FACTS
    desk.show(about_dialog.about_dialog)
    desk.frames(3)
    return desk


def test_copy_puts_everything_on_the_clipboard(dialog: Any) -> None:
    dialog.click(*dialog.at["Copy"])
    assert imgui.get_clipboard_text() == TEXT and dialog.state.interface.about is FACTS


def test_close_closes_it(dialog: Any) -> None:
    dialog.click(*dialog.at["Close"])
    dialog.frames(2)
    assert dialog.state.interface.about is None


def test_it_is_in_the_menu_help() -> None:
    assert ACTIONS_BY_NAME["about"].menu == ("Help",)
