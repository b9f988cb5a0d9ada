"""The settings in the real window, with the keyboard alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.person import Person
from tests.synthetic import write_pair

Start = Callable[..., Person]


@pytest.fixture
def person(start: Start, tmp_path: Path) -> Person:
    """The window with the post and open settings, in which the action Wireframe is searched."""
    made = start(write_pair(tmp_path), "--size", "1280x800", "--samples", 0)
    made.waits("the model shows", lambda f: f.get("panels", {}).get("outline"))
    made.focus()
    made.key("ctrl+comma")
    made.waits("the search has the focus", lambda f: f["overlays"] == ["###settings"] and f["typing"])
    made.tool("type", "--delay", 5, "wireframe")
    # the switch Changed, the group Keys, the key W
    made.key("Tab", "Tab", "Tab")
    made.waits("the search is left", lambda f: not f["typing"])
    made.key("space")
    made.waits("keys are awaited", lambda f: f["capturing"])
    return made


def test_a_key_is_changed_used_and_stored(person: Person, tmp_path: Path) -> None:
    person.key("shift+w")
    person.waits("the key is changed", lambda f: f["keys"] == {"wireframe": ["Shift+W"]})
    person.key("Escape")
    person.waits("the window closes", lambda f: f["overlays"] == [])
    person.key("w", "shift+w")
    person.waits("only the new key works", lambda f: f["wireframe"])
    person.leaves()
    assert json.loads((tmp_path / "settings.json").read_text())["keys"] == {"wireframe": ["Shift+W"]}


def test_a_conflict_is_named_and_the_key_taken_and_reset(person: Person) -> None:
    person.key("ctrl+q")
    person.key("Return")
    facts = person.waits("the key is taken", lambda f: f["keys"] == {"wireframe": ["Ctrl+Q"]})
    assert facts["status"] == "Ctrl+Q is a key of “Wireframe”, no longer of “Quit”"
    person.key("Tab", "Tab", "Tab", "space")  # the key again, the button that adds a key, the arrow
    person.waits("the key is reset", lambda f: f["keys"] == {})
    person.key("Escape")
    person.waits("the window closes", lambda f: f["overlays"] == [])
    person.leaves()
