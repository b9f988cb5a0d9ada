"""Keys of the real keyboard in the real window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.person import Person
from tests.synthetic import write_pair

Start = Callable[..., Person]


@pytest.fixture
def person(start: Start, tmp_path: Path) -> Person:
    """The window with the post, whose tip is selected."""
    made = start(write_pair(tmp_path), "--skeleton", "--size", "1280x800", "--samples", 0)
    made.waits("the model plays", lambda f: f.get("time", 0) > 0.1 and f["panels"].get("outline"))
    made.focus()
    made.key("space", "shift+k")
    facts = made.waits("the bones are named", lambda f: not f["playing"] and len(f["bones"]) == 2)
    across, down, _ = facts["bones"][1]
    box = facts["picture"]
    made.click(box[0] + box[2] * across, box[1] + box[3] * down)
    made.waits("a bone is selected", lambda f: f["picked"] and f["picked"][0] == "bone")
    return made


def test_escape_closes_one_thing_at_a_time(person: Person) -> None:
    person.key("shift+F12")
    person.waits("the dialog opens", lambda f: f["overlays"] == ["###record"])
    person.key("question")
    person.waits("the keys open over it", lambda f: len(f["overlays"]) == 2)
    person.key("Escape")
    person.waits("the keys close", lambda f: f["overlays"] == ["###record"] and f["picked"])
    person.key("Escape")
    person.waits("the dialog closes", lambda f: f["overlays"] == [] and f["picked"])
    person.click(20, 10)
    person.waits("a menu opens", lambda f: f["popups"] == 1)
    person.key("Escape")
    person.waits("the menu closes", lambda f: f["popups"] == 0 and f["picked"])
    person.key("shift+f")
    person.waits("the camera flies", lambda f: f["flying"])
    person.key("Escape")
    person.waits("the flight ends", lambda f: not f["flying"] and f["picked"])
    person.key("Escape")
    person.waits("nothing is selected", lambda f: not f["picked"])


def test_ctrl_f_finds_in_the_panel_in_front(person: Person) -> None:
    before = person.facts
    person.key("ctrl+f")
    person.tool("type", "--delay", 5, "wtip")
    person.waits("the field has the focus", lambda f: f["typing"])
    box = before["panels"]["outline"]
    person.point(box[0] + 90, box[1] + 40)
    facts = person.facts
    assert facts["panels"]["outline"] == box and facts["typing"]
    assert not facts["wireframe"] and facts["time"] == before["time"]
    person.key("Escape")
    person.waits("the field is left", lambda f: not f["typing"] and f["picked"])
    person.key("w")
    person.waits("keys are shortcuts again", lambda f: f["wireframe"])


def test_f1_opens_the_manual(person: Person) -> None:
    assert not person.facts["panels"]["manual"]
    person.key("F1")
    person.waits("the manual opens", lambda f: f["panels"]["manual"] and not f["overlays"])
    person.key("question")
    person.waits("the keys open", lambda f: f["overlays"] == ["###keys"])


def test_enter_confirms_a_dialog(person: Person) -> None:
    person.key("shift+F12")
    person.waits("the dialog opens", lambda f: f["overlays"] == ["###record"])
    person.key("Return")
    person.waits("it is asked where to", lambda f: f["overlays"] == ["###browser"] and f["typing"])
    person.key("Return")
    person.waits("a film is recorded", lambda f: f["recording"] and not f["overlays"])
    person.key("ctrl+shift+o")
    person.waits("a folder is asked for", lambda f: f["overlays"] == ["###browser"] and f["typing"])
    person.key("Return")
    person.waits("the folder is opened", lambda f: not f["overlays"])


def test_letters_and_tab_stay_in_a_dialog(person: Person) -> None:
    before = person.facts
    person.key("ctrl+e")
    person.waits("the dialog opens", lambda f: f["overlays"] == ["###export"])
    person.key("Tab", "w", "Tab", "n", "Tab", "k")
    person.key("Escape")
    facts = person.waits("the dialog closes", lambda f: f["overlays"] == [])
    assert facts["panels"]["outline"] and not facts["wireframe"] and facts["picked"] == before["picked"]
    person.key("w")
    person.waits("keys are shortcuts again", lambda f: f["wireframe"])


def test_the_wheel_and_the_keypad_of_blender(start: Start, tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_text('{"version": 1, "preset": "blender"}')
    person = start(write_pair(tmp_path), "--size", "1280x800", "--samples", 0)
    person.waits("the model plays", lambda f: f.get("time", 0) > 0.1 and f["panels"].get("outline"))
    person.focus()
    person.key("space")
    paused = person.waits("it is paused", lambda f: not f["playing"])
    x, y, width, height = paused["picture"]
    person.point(x + width / 2, y + height / 2)
    person.tool("keydown", "alt", "click", 5, "keyup", "alt")
    facts = person.waits("the next frame", lambda f: f["time"] > paused["time"])
    assert facts["camera"] == paused["camera"]
    person.key("KP_Add")
    person.waits("nearer", lambda f: f["camera"] != paused["camera"])


def test_copying_says_so_in_the_status_line(start: Start, tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_text('{"version": 1, "layout": "bytes"}')
    person = start(write_pair(tmp_path), "--size", "1280x800", "--samples", 0)
    box = person.waits("the bytes show", lambda f: f.get("panels", {}).get("chunks"))["panels"]["chunks"]
    person.focus()
    person.click(box[0] + box[2] * 0.6, box[1] + box[3] * 0.6)
    person.waits("a byte is selected", lambda f: f["picked"] or f["marked"][1])
    person.key("ctrl+c")
    person.waits("it is said", lambda f: f["status"].startswith("Copied "))


def test_text_typed_right_after_the_key_of_a_dialog_reaches_it(person: Person) -> None:
    person.tool("key", "ctrl+o", "type", "--delay", 5, "bend")
    person.waits("the dialog opens", lambda f: f["overlays"] == ["###browser"] and f["typing"])
    person.waits("only one file has the text in its name", lambda f: f["offered"] == ["Post_Bend.ani"])
    assert person.facts["panels"]["outline"], "N hides the panels"


def test_escape_lets_a_recording_go_on(person: Person) -> None:
    person.key("ctrl+p")
    person.waits("the palette opens", lambda f: f["typing"])
    person.tool("type", "--delay", 5, "turntable as gif")
    person.key("Return")
    person.waits("it is asked where to", lambda f: f["overlays"] == ["###browser"] and f["typing"])
    person.key("Return")
    person.waits("a film is recorded", lambda f: f["recording"])
    person.key("Escape")
    done = person.waits("nothing is selected", lambda f: not f["picked"])["recording"]
    person.waits("the film goes on", lambda f: f["recording"] and f["recording"] != done)
