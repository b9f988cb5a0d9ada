"""The list of problems under a person's mouse and keys."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.person import Facts, Person
from tests.synthetic import write_pair

Start = Callable[..., Person]
EDGE, BAR, LINE = 20, 55, 17
"""Points from the corner of the picture to the badge, from the panel's top to its first row, and a row."""


@pytest.fixture
def person(start: Start, tmp_path: Path) -> Person:
    """The list of a model without its material, which rests, and whose file has bytes behind its end."""
    path = write_pair(tmp_path)
    path.with_suffix(".txt").write_text("Materials/Absent.xml\n")
    path.write_bytes(path.read_bytes() + bytes(range(1, 8)))
    made = start(path, "--size", "1280x800", "--samples", 0)
    made.waits("the model plays", lambda f: f.get("time", 0) > 0.1 and f["panels"].get("outline"))
    made.focus()
    made.key("space")
    x, y, width, height = made.waits("it rests", lambda f: not f["playing"])["picture"]
    made.click(x + width - EDGE, y + height - EDGE)
    made.waits("the list is in front and full", lambda f: f["panels"]["problems"] and f["problems"])
    return made


def row(person: Person, number: int) -> tuple[float, float]:
    x, y, *_ = person.facts["panels"]["problems"]
    return x + 200, y + BAR + LINE * (number + 0.5)


def test_a_click_selects_and_the_arrow_keys_go_on_in_the_list(person: Person) -> None:
    before = person.facts["time"]
    person.click(*row(person, 0))
    first = person.waits("it is selected", lambda f: f["picked"])["picked"]
    person.key("Down")
    facts = person.waits("the next is selected", lambda f: f["picked"] != first)
    assert facts["time"] == before


def test_a_click_on_a_problem_of_bytes_leaves_the_list_in_front(person: Person) -> None:
    def bytes_selected(facts: Facts) -> bool:
        return bool(facts["picked"] and facts["picked"][0] == "byte")

    rows = 0
    while not bytes_selected(person.facts):
        person.click(*row(person, rows))
        person.waits("a problem is selected", lambda f: f["picked"])
        rows += 1
    person.point(*row(person, rows))
    assert person.facts["panels"]["problems"] and not person.facts["panels"]["chunks"]
    person.key("Return")
    person.waits("its bytes are in front", lambda f: f["panels"]["chunks"])
