"""Names of menu entries, keys and panels in pages become links that point at them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.synthetic import write_pair
from viewer.actions import ACTIONS
from viewer.session.layouts import PANELS
from viewer.session.state import State
from viewer.storage.documents import open_document
from viewer.ui.manual.show_me import linked, show


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("View › Grid shows it.", "[View › Grid](<show:View/Grid>) shows it."),
        ("(File ›\n  Open folder)", "([File › Open folder](<show:File/Open folder…>))"),
        ("View › Detail *By distance*", "[View › Detail](<show:View/Detail>) *By distance*"),
        ("**View › Layout**", "**[View › Layout](<show:View/Layout>)**"),
        ("View › *Grid*, then", "[View › Grid](<show:View/Grid>), then"),
        ("File › Open recent has it", "[File › Open recent](<show:File/Open recent>) has it"),
        ("**Ctrl+O** opens", "[**Ctrl+O**](<show:File/Open…>) opens"),
        (
            "**Alt+←** and **bold**",
            "[**Alt+←**](<show:File/Models in the folder/Previous model, same view>) and **bold**",
        ),
        ("**[** and more", "[**\\[**](<show:Animation/Previous animation>) and more"),
        ("the panel Problems", "the panel [Problems](<show:problems>)"),
        ("| Grid | `G` | `grid` |", "| Grid | `G` | [`grid`](<show:View/Grid>) |"),
    ],
)
def test_what_a_page_names_becomes_a_link(text: str, shown: str) -> None:
    assert linked(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "`View › Grid`",
        "```sh\nView › Grid **Ctrl+O**\n```",
        "[View › Grid](window.md)",
        "![the panel Problems](pictures/problems.png)",
        "View › Nothing of the kind",
        "| a | b | `nothing` |",
    ],
)
def test_code_links_and_unknown_names_stay(text: str) -> None:
    assert linked(text) == text


def test_names_can_be_told_apart_in_links() -> None:
    assert not any("/" in title for action in ACTIONS for title in (*action.menu, action.title))
    assert {action.menu[0] for action in ACTIONS}.isdisjoint(panel.name for panel in PANELS)


def test_a_panel_that_does_not_show_is_a_note() -> None:
    state = State()
    show(state, "show:timeline")
    assert state.interface.status == "The panel Timeline has nothing to show now"
    assert state.interface.pointed == () and state.interface.front == ""


def test_a_link_points_at_a_panel_and_opens_it(tmp_path: Path) -> None:
    state = State()
    state.put(open_document(write_pair(tmp_path)))
    state.interface.preferences.closed = ["problems"]
    show(state, "show:problems")
    assert state.interface.front == "problems" and state.interface.shows("problems")
    assert state.interface.pointed == ("problems",)
