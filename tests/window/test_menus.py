"""Undo, context menus and copying in the real window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.packages import write_package
from tests.person import Facts, Person
from tests.synthetic import write_pair

Start = Callable[..., Person]
LINE = 19.0
"""The height of a row of the outline, and of an entry of a menu, in points."""


@pytest.fixture
def person(start: Start, tmp_path: Path) -> Person:
    """Someone with the post open, which stands still after some time."""
    made = start(write_pair(tmp_path), "--size", "1280x800", "--samples", 0)
    made.waits("the model plays", lambda f: f.get("time", 0) > 0.1 and f["panels"].get("outline"))
    made.focus()
    made.key("space")
    made.waits("it rests", lambda f: not f["playing"])
    return made


def row(facts: Facts, number: int) -> tuple[float, float]:
    """A point of a row of the outline."""
    x, y, *_ = facts["panels"]["outline"]
    return x + 90, y + 59 + number * LINE


def test_the_rest_pose_is_undone_with_its_time(person: Person) -> None:
    time = person.facts["time"]
    person.key("r")
    person.waits("the rest pose", lambda f: not f["animations"])
    person.key("ctrl+z")
    person.waits("the clip is back at its time", lambda f: f["animations"] == ["Bend"] and f["time"] == time)
    person.key("ctrl+y")
    person.waits("and gone again", lambda f: not f["animations"])


def test_a_right_click_in_the_outline_offers_to_hide(person: Person) -> None:
    facts = person.facts
    person.click(*row(facts, 1), button=3)
    found = person.waits("the menu is open", lambda f: f["popups"] == 1)
    assert found["picked"] == ["geometry", 0]
    person.key("Escape")
    person.waits("Escape closes it", lambda f: f["popups"] == 0 and f["picked"])


def test_a_right_click_in_the_picture_opens_its_menu_and_a_drag_does_not(person: Person) -> None:
    x, y, width, height = person.facts["picture"]
    person.click(x + width / 2, y + height / 2, button=3)
    person.waits("the menu is open", lambda f: f["popups"] == 1)
    person.key("Escape")
    before = person.waits("it is closed", lambda f: f["popups"] == 0)["camera"]
    person.point(x + width / 2, y + height / 2)
    person.press(3)
    person.point(x + width / 2, y + height / 2 + 60)
    person.release(3)
    person.waits("the drag zooms", lambda f: f["camera"] != before)
    assert person.facts["popups"] == 0


def test_a_click_on_a_number_copies_it_and_says_so(person: Person) -> None:
    person.click(*row(person.facts, 3))
    person.waits("a bone is selected", lambda f: f["picked"] and f["picked"][0] == "bone")
    x, y, *_ = person.facts["panels"]["properties"]
    for step in range(4, 16):
        person.click(x + 125, y + 30 + 15 * step)
        if person.facts["status"].startswith("Copied"):
            break
    person.waits("the status line says so", lambda f: f["status"].startswith("Copied "))


def test_folders_of_a_package_fold_by_keys(start: Start, tmp_path: Path) -> None:
    person = start(write_package(tmp_path), "--size", "1280x800", "--samples", 0)
    person.waits("its first model too", lambda f: len(f.get("documents", ())) == 2 and f["panels"]["files"])
    person.focus("Post.mdl")
    person.click(380, 10)  # the tab of the package
    person.focus("Data.pak")
    x, y, *_ = person.waits("it is laid out", lambda f: f["picture"][1] > 0)["picture"]
    person.click(x + 120, y + 77)
    for expected in (True, False, True):  # a file, the folder below it, a file in that
        person.key("Down")
        person.waits("the cursor moves", lambda f, expected=expected: bool(f["picked"]) or not expected)
    person.key("Return")
    person.focus("Post.mdl")  # the title of the window says so
