"""What is open in the window, and the lists and limits of the preferences."""

from __future__ import annotations

import pytest

from viewer.scene.choices import LARGEST_SCALE, SMALLEST_SCALE
from viewer.session.interface import Interface
from viewer.session.layouts import LAYOUTS, MANUAL, PANELS, WindowLayout
from viewer.session.preferences import RECENT


def test_zooming_goes_by_tenths_and_0_restores_the_size() -> None:
    made = Interface()
    for by, scale in ((1, 1.1), (1, 1.21), (-1, 1.1), (0, 1.0)):
        made.zoom(by)
        assert made.preferences.scale == scale


@pytest.mark.parametrize(("by", "limit"), [(1, LARGEST_SCALE), (-1, SMALLEST_SCALE)])
def test_zooming_ends(by: int, limit: float) -> None:
    made = Interface()
    for _ in range(30):
        made.zoom(by)
    assert made.preferences.scale == limit


def test_the_latest_files_are_remembered_once_each() -> None:
    made = Interface()
    for number in range(RECENT + 1):
        made.remember(f"{number}")
    made.remember("5")
    recent = made.preferences.recent
    assert recent[:2] == ["5", f"{RECENT}"] and len(set(recent)) == len(recent) == RECENT == 20


def test_a_panel_opens_closes_and_comes_to_the_front() -> None:
    made = Interface()
    assert made.shows("chunks")
    made.toggle("chunks")
    assert not made.shows("chunks") and made.shows("timeline")
    made.bring("chunks")
    assert made.shows("chunks") and made.front == "chunks"
    made.show("chunks")
    assert made.shows("chunks")


def test_a_panel_that_opens_shows_the_hidden_panels() -> None:
    made = Interface(hidden=True)
    assert not made.shows("chunks")
    made.show("chunks")
    assert made.shows("chunks") and made.shows("timeline")


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda each: each.name)
def test_a_named_layout_replaces_the_users_own(layout: WindowLayout) -> None:
    made = Interface(hidden=True, fresh=False)
    made.preferences.arrangements["document"] = "moved"
    made.preferences.closed = ["outline"]
    made.arrange(layout.name)
    assert {each.name for each in PANELS if not made.shows(each.name)} == {*layout.closed, MANUAL}
    assert (made.fresh, made.preferences.layout, made.preferences.arrangements) == (True, layout.name, {})


def test_the_find_field_gets_the_focus_once() -> None:
    made = Interface(finding="outline")
    assert not made.find_requested("timeline")
    assert made.find_requested("outline") and not made.find_requested("outline")


def test_the_same_note_twice_counts_twice() -> None:
    made = Interface()
    made.note("Copied")
    made.note("Copied")
    assert (made.status, made.notes) == ("Copied", 2)
