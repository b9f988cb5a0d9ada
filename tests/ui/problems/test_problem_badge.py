"""The badge in the corner of the picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from imgui_bundle import ImVec2

from tests.synthetic import model_bytes
from tests.ui.problems.test_problem_rows import put
from viewer.scene.finding import Finding, Severity
from viewer.storage.documents import open_document
from viewer.ui.problems.problem_badge import ProblemBadge
from viewer.ui.problems.problem_rows import counts, problem_rows

CORNERS = (ImVec2(0, 0), ImVec2(400, 300))


def widths(post: Any, badge: ProblemBadge, corners: tuple[ImVec2, ImVec2] = CORNERS) -> float:
    """The width that the badge takes in a frame."""
    found: list[float] = []
    post.show(lambda state, ask: found.append(badge(state, *corners)))
    return found[-1]


def finding(severity: Severity) -> Finding:
    return Finding(f"a/{severity.word}", severity, "bad", "")


def test_it_is_there_for_errors_and_warnings(post: Any) -> None:
    badge = ProblemBadge()
    put(post, finding(Severity.NOTE))
    assert widths(post, badge) == 0
    put(post, finding(Severity.WARNING))
    one = widths(post, badge)
    put(post, finding(Severity.WARNING), finding(Severity.ERROR))
    assert 0 < one < widths(post, badge)


def test_a_click_brings_the_panel(post: Any) -> None:
    badge = ProblemBadge()
    put(post, finding(Severity.ERROR))
    width = widths(post, badge)
    post.click(400 - width / 2 - 5, 300 - 15)
    assert post.state.interface.front == "problems"


@pytest.mark.parametrize("size", [10, 30])
def test_a_small_picture_has_none(post: Any, size: int) -> None:
    put(post, finding(Severity.ERROR))
    assert widths(post, ProblemBadge(), (ImVec2(0, 0), ImVec2(size, 300))) == 0


def test_problems_of_another_tab_do_not_count(post: Any, tmp_path: Path) -> None:
    put(post, finding(Severity.ERROR))
    (tmp_path / "Second.mdl").write_bytes(model_bytes())
    post.state.put(open_document(tmp_path / "Second.mdl"))
    put(post)
    assert not any(counts(problem_rows(post.state)).values()) and widths(post, ProblemBadge()) == 0
    post.state.show(0)
    assert counts(problem_rows(post.state))[Severity.ERROR] == 1 and widths(post, ProblemBadge()) > 0


def test_messages_of_the_program_do_not_count(post: Any) -> None:
    put(post, finding(Severity.NOTE))
    post.state.say("bear.glb: 2 morphs are left out", "warning")
    assert widths(post, ProblemBadge()) == 0
