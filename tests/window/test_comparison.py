"""Two models compared in the real window, with real drags of the mouse."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.person import Person
from tests.synthetic import model_bytes, write_pair

Start = Callable[..., Person]


def choose(person: Person, text: str) -> None:
    """Choose an action in the palette."""
    person.key("ctrl+p")
    person.waits("the palette opens", lambda f: f["palette"] and f["typing"])
    person.tool("type", "--delay", 10, text)
    person.key("Return")
    person.waits("the palette closes", lambda f: not f["palette"])


def test_the_slider_is_dragged_and_a_bone_is_picked_in_the_other_pane(start: Start, tmp_path: Path) -> None:
    other = tmp_path / "Other.mdl"
    other.write_bytes(model_bytes())
    person = start(write_pair(tmp_path), other, "--size", "900x600", "--samples", 0, "--animation", "none")
    person.waits("both are open", lambda f: len(f.get("documents", ())) == 2 and f["panels"].get("outline"))
    person.focus()
    choose(person, "compare slider")
    facts = person.waits("both are compared", lambda f: f["comparison"])
    assert facts["comparison"] == ["slider", 0.5, None]
    camera = facts["camera"]
    left, top, width, height = facts["picture"]
    person.drag(left + width / 2, top + height / 4, left + width / 4)
    facts = person.waits("the line has moved", lambda f: f["comparison"][1] < 0.3)
    assert facts["comparison"][1] == pytest.approx(0.25, abs=0.02) and facts["camera"] == camera
    choose(person, "compare side")
    facts = person.waits("the panes are beside each other", lambda f: f["comparison"][0] == "side")
    person.drag(left + width * 0.9, top + height / 2, left + width * 0.95)
    person.waits("a drag in the other pane turns the camera", lambda f: f["camera"][4] != facts["camera"][4])
    person.point(left + width * 0.75, top + height * 0.48)
    person.waits("it is marked there", lambda f: f["comparison"][2] == ["geometry", 0])
    person.press()
    person.release()
    person.waits("its counterpart is selected", lambda f: f["picked"] == ["geometry", 0])
    person.key("ctrl+w")
    facts = person.waits("one is closed", lambda f: len(f["documents"]) == 1)
    assert facts["comparison"] is None and facts["status"].endswith("was closed")
    person.leaves()
    assert person.facts == {"closed": True, "error": "GL_NO_ERROR"}


def test_a_key_begins_the_slider(start: Start, tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_text('{"version": 1, "keys": {"compare_slider": ["F7"]}}')
    other = tmp_path / "Other.mdl"
    other.write_bytes(model_bytes())
    person = start(write_pair(tmp_path), other, "--size", "900x600", "--samples", 0)
    person.waits("both are open", lambda f: len(f.get("documents", ())) == 2 and f["panels"].get("outline"))
    person.focus()
    person.key("F7")  # the view is drawn in this frame, and the second model from the next one on
    person.waits("both are compared", lambda f: f["comparison"] and f["comparison"][0] == "slider")
    person.leaves()
