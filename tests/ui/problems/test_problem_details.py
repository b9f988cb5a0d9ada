"""The explanation of a problem."""

from __future__ import annotations

from typing import Any

import pytest
from imgui_bundle import imgui

from tests.labels import drawn_labels
from viewer.scene.finding import MOST_ITEMS, Finding, Severity
from viewer.scene.items import BoneItem, Item
from viewer.scene.needs import Need
from viewer.session.state import State
from viewer.ui.problems import problem_details
from viewer.ui.problems.problem_rows import ProblemGroup, ProblemRow


def said(
    post: Any,
    monkeypatch: pytest.MonkeyPatch,
    rule: str,
    *items: Item,
    rows: int = 1,
    need: Need | None = None,
) -> tuple[list[str], list[Item]]:
    """The texts and the links that are drawn."""
    texts: list[str] = []
    links: list[Item] = []
    for name in ("faint", "wrapped"):
        monkeypatch.setattr(problem_details, name, lambda text, *more: texts.append(text))

    def link(state: State, item: Item) -> None:
        links.append(item)
        imgui.text(str(item))

    monkeypatch.setattr(problem_details, "jump", link)
    monkeypatch.setattr(problem_details, "give_file", lambda post, name: texts.append(f"give {name}"))
    document = post.state.document
    about = ("It breaks.", "Mend it.", None, "Something is wrong")
    finding = Finding(rule, Severity.WARNING, "bad", document.path, 4, "bones", items, *about)
    row = ProblemRow(finding, document, document, None, need)
    node = row if rows == 1 else ProblemGroup(Severity.WARNING, rule, "Something is wrong", (row,) * rows)
    post.show(lambda state, ask: problem_details.problem_details(state, ask, node))
    return texts, links


def test_effect_remedy_and_items_are_told(post: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    texts, links = said(post, monkeypatch, "a/b", BoneItem(0), BoneItem(1))
    wanted = {"bad", "It breaks.", "Mend it.", post.state.document.path, "2 items"}
    assert wanted <= set(texts) and "Something is wrong" in texts[0]
    assert links[:2] == [BoneItem(0), BoneItem(1)]


def test_a_group_is_told_by_its_rule(post: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    texts, links = said(post, monkeypatch, "a/b", BoneItem(0), rows=2)
    assert {"2 findings", "It breaks.", "Mend it."} <= set(texts) and "bad" not in texts
    assert links == []


def test_it_says_that_there_are_more_items_than_are_marked(
    post: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts, _ = said(post, monkeypatch, "a/b", *(BoneItem(0) for _ in range(MOST_ITEMS)))
    assert f"Only the first {MOST_ITEMS} items are marked" in texts


def test_what_is_missing_can_be_given(post: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    need = Need("skeleton", "a.skeleton")
    texts, _ = said(post, monkeypatch, "file/missing", need=need)
    assert "give a.skeleton" in texts


def test_a_link_leads_to_the_page_about_searching(post: Any) -> None:
    document = post.state.document
    finding = Finding("texture/missing", Severity.WARNING, "a.png is missing", "")
    row = ProblemRow(finding, document, document, None, Need("texture", "a.png"))
    post.show(lambda state, ask: problem_details.problem_details(state, ask, row))
    post.frames(2)
    post.click(*drawn_labels(post)["Where files are searched"])
    post.frames(2)
    assert post.state.interface.manual == "materials#where-files-are-searched"
