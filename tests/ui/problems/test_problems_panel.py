"""The Problems panel under a mouse and keys."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from imgui_bundle import imgui

from tests.ui.problems.test_problem_rows import put
from viewer.scene.finding import Finding, Severity
from viewer.scene.items import BoneItem
from viewer.session.requests import FitView
from viewer.ui.kit import tree_table
from viewer.ui.problems import problems_panel
from viewer.ui.problems.problems_panel import ProblemsPanel

ERROR, WARNING, NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE
TITLE = "Bones are wrong"


def at(row: int) -> tuple[float, float]:
    """A point of a row of the table."""
    style = imgui.get_style()
    line = imgui.get_text_line_height() + 2 * style.cell_padding.y
    return 200.0, imgui.get_frame_height() + style.item_spacing.y + (row + 0.5) * line


@pytest.fixture
def panel(post: Any) -> Iterator[ProblemsPanel]:
    """Four rows: an error, a group of two warnings, and a note."""
    path = post.state.document.path
    bones = [
        Finding("skeleton/a", WARNING, f"bone {n}", path, 8 + n, "", (BoneItem(n),), title=TITLE)
        for n in (0, 1)
    ]
    both = (BoneItem(1), BoneItem(0))
    put(
        post, Finding("mesh/a", ERROR, "bad", path), *bones, Finding("mesh/b", NOTE, "both", path, items=both)
    )
    made = ProblemsPanel()
    post.show(made)
    yield made


def labels(post: Any, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The rows that are drawn in a frame, without icons."""
    drawn: list[str] = []
    plain = tree_table.tree_row

    def note(row: Any, label: str, *more: Any) -> bool:
        drawn.append(label.removesuffix("###row").rpartition("  ")[2])
        return plain(row, label, *more)

    with monkeypatch.context() as patch:
        patch.setattr(tree_table, "tree_row", note)
        post.frames()
    return drawn


def test_rows_are_grouped_by_severity_and_rule(
    post: Any, panel: ProblemsPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert labels(post, monkeypatch) == ["bad", f"{TITLE} (2)", "bone 0", "bone 1", "both"]
    assert panel.badge(post.state) == "3", "notes do not count"


def test_a_click_selects_and_marks(post: Any, panel: ProblemsPanel) -> None:
    post.click(*at(4))
    assert post.state.view.selection.picked == BoneItem(1)
    assert post.state.view.selection.group == (BoneItem(1), BoneItem(0))
    assert post.posted == []


def test_a_double_click_frames(post: Any, panel: ProblemsPanel) -> None:
    post.click(*at(3))
    post.click(*at(3))
    assert post.posted == [FitView(selected=True)]


def test_arrows_choose_and_enter_frames(post: Any, panel: ProblemsPanel) -> None:
    post.click(*at(2))
    post.key("DOWN")
    assert post.state.view.selection.picked == BoneItem(1) and post.posted == []
    post.key("ENTER")
    assert post.posted == [FitView(selected=True)]


def test_a_group_is_closed_by_keys_and_stays_closed(
    post: Any, panel: ProblemsPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    post.click(*at(1))
    post.key("LEFT")
    assert labels(post, monkeypatch) == ["bad", f"{TITLE} (2)", "both"]
    put(post, *post.state.view.checked.findings, Finding("new/rule", Severity.NOTE, "something new", ""))
    assert f"{TITLE} (2)" in labels(post, monkeypatch)
    assert "bone 0" not in labels(post, monkeypatch)


def test_a_group_marks_the_items_of_all_its_rows(post: Any, panel: ProblemsPanel) -> None:
    post.click(*at(1))
    assert post.state.view.selection.picked == BoneItem(0)
    assert post.state.view.selection.group == (BoneItem(0), BoneItem(1))


def test_the_chosen_row_stays_when_there_are_new_rows(post: Any, panel: ProblemsPanel) -> None:
    post.click(*at(3))
    put(post, Finding("new/rule", Severity.ERROR, "no such file", ""), *post.state.view.checked.findings)
    post.key("DOWN")
    assert post.state.view.selection.group == (BoneItem(1), BoneItem(0)), "the row behind the chosen one"


def test_the_filter_and_the_switches_narrow_the_rows(
    post: Any, panel: ProblemsPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    post.click(15, imgui.get_frame_height() / 2)
    assert labels(post, monkeypatch) == [f"{TITLE} (2)", "bone 0", "bone 1", "both"]
    post.state.interface.finding = "problems"
    post.frames(2)
    post.host.input.text("both")
    post.frames(2)
    assert labels(post, monkeypatch) == ["both"]


def test_ten_thousand_findings_draw_the_rows_in_sight(
    post: Any, panel: ProblemsPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(post, *(Finding(f"mesh/{n}", NOTE, f"text {n}", "") for n in range(10_000)))
    assert 0 < len(labels(post, monkeypatch)) < 40


def test_nothing_wrong_is_said(post: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(problems_panel, "nothing", said.append)
    put(post)
    panel = ProblemsPanel()
    post.show(panel)
    assert said and panel.badge(post.state) == ""


def details(post: Any, monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], float]:
    """The problems whose details are drawn in a frame, and the width of the rows."""
    drawn: list[str] = []
    with monkeypatch.context() as patch:
        patch.setattr(problems_panel, "problem_details", lambda state, post, row: drawn.append(row.text))
        post.frames()
    windows = imgui.get_current_context().windows
    rows = next(each for each in windows if each.name.startswith("desk/rows") and each.active)
    return drawn, rows.size.x


def test_a_narrow_panel_has_no_details(
    post: Any, panel: ProblemsPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    post.click(*at(3))
    assert details(post, monkeypatch) == ([], 400)


def test_the_details_of_a_wide_panel_are_beside_the_rows(
    post: Any, panel: ProblemsPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(problems_panel, "WIDE", 10)
    assert details(post, monkeypatch) == ([], 400), "nothing is chosen"
    post.click(*at(3))
    post.frames()
    drawn, width = details(post, monkeypatch)
    assert drawn == ["bone 1"] and 200 < width < 300
