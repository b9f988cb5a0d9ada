"""The menus of problems."""

from __future__ import annotations

from typing import Any

import pytest

from viewer.scene.finding import Finding, Severity
from viewer.scene.items import BoneItem
from viewer.scene.needs import Need
from viewer.session.preferences import Preferences
from viewer.ui.problems import problem_details
from viewer.ui.problems.problem_rows import Node, ProblemGroup, ProblemRow

WARNING = Severity.WARNING


class Menu:
    """Draws a menu and chooses an entry."""

    def __init__(self, post: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        self.entries: list[str] = []
        self.copied: list[str] = []
        self._post, self._patch = post, monkeypatch
        post.host.clipboard(lambda: "", self.copied.append)

    def choose(self, node: Node, chosen: str = "") -> list[str]:
        def entry(title: str, *more: str) -> bool:
            self.entries.append(title)
            return title == chosen

        self._patch.setattr(problem_details.imgui, "menu_item_simple", entry)
        self._post.draw = lambda state, post: problem_details.problem_menu(state, post, node)
        self.entries.clear()
        self._post.frames()
        return self.entries


@pytest.fixture
def menu(post: Any, monkeypatch: pytest.MonkeyPatch) -> Menu:
    return Menu(post, monkeypatch)


def row(post: Any, rule: str = "a/b", text: str = "bad", **more: Any) -> ProblemRow:
    document = post.state.document
    need = more.pop("need", None)
    finding = Finding(rule, WARNING, text, document.path, **more)
    return ProblemRow(finding, document, document, None, need)


def test_a_menu_holds_what_applies(post: Any, menu: Menu) -> None:
    assert menu.choose(row(post)) == ["Copy", "Ignore this rule"]
    whole = ["Show", "Show bytes", "Copy", "Ignore this rule"]
    assert menu.choose(row(post, items=(BoneItem(0),), offset=3)) == whole


def test_a_missing_file_can_be_given(post: Any, menu: Menu) -> None:
    need = Need("skeleton", "a\x1b.skeleton", searched=("/a.skeleton",))
    found = menu.choose(row(post, "file/missing", need=need), "Copy name")
    assert found[:4] == ["Copy", "Copy name", "Choose a file…", "Search in a folder…"]
    assert menu.copied == ["a\\x1b.skeleton"]


def test_a_rule_is_ignored_and_told_again(post: Any, menu: Menu) -> None:
    preferences: Preferences = post.state.interface.preferences
    menu.choose(row(post), "Ignore this rule")
    assert preferences.ignored_rules == ["a/b"]


def test_a_group_is_copied_whole(post: Any, menu: Menu) -> None:
    rows = (row(post, text="one"), row(post, text="two"))
    menu.choose(ProblemGroup(WARNING, "a/b", "Bad", rows), "Copy all")
    assert menu.copied == ["\n\n".join(each.whole for each in rows)]


def test_ignored_rules_are_listed_and_end(post: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    preferences: Preferences = post.state.interface.preferences
    preferences.ignored_rules = ["a/b", "a/c"]
    post.show(lambda state, ask: problem_details.ignored_rules(preferences))
    post.click(10, 10)
    monkeypatch.setattr(problem_details.imgui, "menu_item_simple", lambda title: "a/b" in title)
    post.frames()
    assert preferences.ignored_rules == ["a/c"]
