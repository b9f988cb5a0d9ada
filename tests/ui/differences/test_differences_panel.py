"""The panel under a fake mouse."""

from __future__ import annotations

from typing import Any

import pytest
from imgui_bundle import imgui

from tests.ui.differences.conftest import BYTES, FOUND
from viewer.scene.difference import Differences
from viewer.scene.items import BoneItem, ByteItem
from viewer.session.comparison_result import ComparisonResult
from viewer.session.requests import FitView
from viewer.ui.differences import differences_panel
from viewer.ui.differences.differences_panel import DifferencesPanel
from viewer.ui.differences.show_difference import PADDING
from viewer.ui.kit import tree_table


@pytest.fixture
def panel(pair: Any) -> DifferencesPanel:
    made = DifferencesPanel()
    pair.show(made)
    return made


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts of an empty panel and of the second column."""
    texts: list[str] = []
    monkeypatch.setattr(differences_panel, "nothing", texts.append)
    monkeypatch.setattr(tree_table, "colored", lambda text, color: texts.append(text))
    return texts


def row(desk: Any, number: int) -> tuple[float, float]:
    """The middle of a row of the table."""
    style = imgui.get_style()
    line = style.font_size_base
    top = line + style.item_spacing.y + line + 2 * style.frame_padding.y + style.item_spacing.y
    return 100.0, top + (number + 0.5) * (line + 2 * style.cell_padding.y)


def test_a_click_selects_in_both_and_frames(pair: Any, panel: DifferencesPanel) -> None:
    pair.click(*row(pair, 1))
    state = pair.state
    assert state.view.selection.picked == BoneItem(1) and state.partner.view.selection.picked == BoneItem(0)
    assert pair.posted == [FitView(selected=True, padding=PADDING)]


def test_an_arrow_key_selects_alone(pair: Any, panel: DifferencesPanel) -> None:
    pair.click(*row(pair, 1))
    pair.posted.clear()
    pair.key("DOWN")
    assert pair.state.documents.current == 1 and pair.state.view.selection.picked == BoneItem(1), (
        "the second has the bone"
    )
    assert not pair.posted
    pair.key("ENTER")
    assert pair.posted == [FitView(selected=True, padding=PADDING)]


def test_a_branch_that_was_closed_stays_closed(pair: Any, panel: DifferencesPanel, lines: list[str]) -> None:
    pair.click(*row(pair, 0))
    pair.key("LEFT")
    lines.clear()
    pair.state.comparison_result = ComparisonResult(None, Differences(FOUND[:2]))
    pair.frames()
    assert "added" in lines or len(lines) <= 2


def test_the_badge_counts_them(pair: Any, panel: DifferencesPanel) -> None:
    assert panel.badge(pair.state) == str(len(FOUND))
    pair.state.comparison_result = ComparisonResult(None, Differences(()))
    assert panel.badge(pair.state) == ""
    pair.state.comparison_result = None
    assert panel.badge(pair.state) == ""


@pytest.mark.parametrize(
    ("result", "text"),
    [
        (None, "No files are compared."),
        (ComparisonResult(), "Comparing …"),
        (ComparisonResult(error="too odd"), "too odd"),
    ],
)
def test_an_empty_panel_says_why(
    pair: Any, panel: DifferencesPanel, lines: list[str], result: Any, text: str
) -> None:
    pair.state.comparison_result = result
    lines.clear()
    pair.frames()
    assert lines == [text]


def test_bytes_are_asked_for_and_listed(pair: Any, panel: DifferencesPanel, lines: list[str]) -> None:
    style = imgui.get_style()
    pair.click(20, style.font_size_base + style.item_spacing.y + style.font_size_base / 2)
    pair.frames()
    result = pair.state.comparison_result
    assert result.wants_fields and lines[-1] == "Comparing …"
    result.fields = (BYTES,)
    pair.frames()
    assert lines[-1] == '"tip" → "top"'
    pair.click(*row(pair, 1))
    assert pair.state.view.selection.picked == ByteItem(40)
    assert pair.state.partner.view.selection.picked == ByteItem(44)
    assert not pair.state.interface.front and not pair.posted
    pair.press()
    pair.release()
    assert pair.state.interface.front == "chunks"


def test_only_rows_in_sight_are_drawn(pair: Any, panel: DifferencesPanel, lines: list[str]) -> None:
    pair.state.comparison_result = ComparisonResult(None, Differences(FOUND[:1] * 5000))
    lines.clear()
    pair.frames()
    assert 0 < len(lines) < 60
