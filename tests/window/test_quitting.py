"""The real window is closed while it records."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.person import PATIENCE, Person
from tests.synthetic import write_pair
from tests.video import decoded
from tests.window.test_drag_hover import Dragger


def test_the_window_is_closed_while_it_records(
    start: Callable[..., Person], tmp_path: Path, display: str
) -> None:
    person = start(write_pair(tmp_path), "--size", "960x640", "--samples", 0)
    person.waits("the model plays", lambda f: f.get("time", 0) > 0.1)
    person.focus()
    person.key("ctrl+p")
    person.waits("the palette opens", lambda f: f["palette"])
    person.tool("type", "--delay", 5, "record turntable as mp4")
    person.key("Return")
    person.waits("it is asked where to", lambda f: f["overlays"] == ["###browser"] and f["typing"])
    person.key("Return")
    person.waits("it records", lambda f: f["recording"])
    cross = Dragger(person, display)
    cross("close")
    cross.program.communicate()
    person.waits("the cross asks", lambda f: f["overlays"] == ["###quit"] and f["recording"])
    person.key("Escape")
    person.waits("Escape stays", lambda f: not f["overlays"] and f["recording"])
    person.key("ctrl+q")
    person.waits("the key asks", lambda f: f["overlays"] == ["###quit"] and f["recording"])
    person.key("Return")
    assert person.program.wait(PATIENCE) == 0, person.program.errors
    assert decoded(tmp_path / "Post.mp4").frames.shape[0] == 120
