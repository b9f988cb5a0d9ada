"""A person's session with the real window: real keys and mouse, and what the window traces of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from tests.person import Person
from tests.synthetic import bone, model_bytes, write_pair

Start = Callable[..., Person]


@pytest.fixture
def person(start: Start, tmp_path: Path) -> Person:
    """The window with the post, in the layout of the bytes."""
    (tmp_path / "settings.json").write_text(json.dumps({"version": 1, "layout": "bytes"}))
    return start(write_pair(tmp_path), "--watch", "--skeleton", "--size", "960x640", "--samples", 0)


def spread(box: list[float], across: float, down: float) -> tuple[float, float]:
    return box[0] + box[2] * across, box[1] + box[3] * down


def test_a_whole_session(person: Person, tmp_path: Path) -> None:
    model = tmp_path / "Post.mdl"
    person.waits("the model plays", lambda f: f.get("time", 0) > 0.1 and f["panels"].get("transport"))
    person.focus()
    person.key("space")
    scrubs(person)
    picks_a_bone(person)
    moves_a_morph_and_undoes_it(person)
    reloads(person, model)
    puts_out(person, tmp_path)
    person.leaves()
    assert person.facts == {"closed": True, "error": "GL_NO_ERROR"}
    assert person.program.errors == ""


def scrubs(person: Person) -> None:
    person.waits("it pauses", lambda f: not f["playing"])
    person.key("shift+Left")  # a press on the slider's own knob would only take hold of it
    bar = person.waits("it is at the start", lambda f: f["time"] == 0)["panels"]["transport"]
    person.click(*spread(bar, 0.7, 0.5))
    first = person.waits("the time follows the mouse", lambda f: f["time"] > 0)["time"]
    person.click(*spread(bar, 0.78, 0.5))
    person.waits("and is later further right", lambda f: f["time"] > first)


def picks_a_bone(person: Person) -> None:
    person.key("shift+k")
    facts = person.waits("the bones are named", lambda f: len(f["bones"]) == 2)
    across, down, _ = facts["bones"][1]
    person.click(*spread(facts["picture"], across, down))
    found = person.waits("a bone is picked", lambda f: f["picked"] and f["picked"][0] == "bone")
    number = found["picked"][1]
    marked = person.waits("tree and hex mark it", lambda f: f["marked"] and "bones" in f["marked"][0])[
        "marked"
    ]
    data = Path(found["documents"][0]).read_bytes()
    assert f"[{number}]" in marked[0]
    assert data[marked[1] :].startswith((b"base\0", b"tip\0")[number])


def moves_a_morph_and_undoes_it(person: Person) -> None:
    palette(person, "Default")
    tabs = person.waits("the layout is another", lambda f: f["panels"]["properties"])["panels"]["properties"]
    person.click(tabs[0] + 133, tabs[1] + 10)  # behind the tab in front, which has its title
    box = person.waits("the morphs are seen", lambda f: f["panels"]["morphs"])["panels"]["morphs"]
    for step in range(6):
        x, y = box[0] + box[2] * 0.6, box[1] + 58 + 14 * step
        person.drag(x, y, box[0] + box[2] * 0.8)
        if person.facts["morphs"]:
            break
    person.waits("the morph has a weight", lambda f: f["morphs"])
    person.key("ctrl+z")
    person.waits("the weight is taken back", lambda f: not f["morphs"])


def palette(person: Person, title: str) -> None:
    person.key("ctrl+p")
    person.waits("the palette opens", lambda f: f["palette"])
    person.tool("type", "--delay", 5, title)
    person.key("Return")
    person.waits("what was chosen is done", lambda f: not f["palette"])


def reloads(person: Person, model: Path) -> None:
    before = person.facts
    bones = [bone("base", 0, 0, 0), bone("tip", 0, 0.5, 0.5), bone("end", 1, 1, 0.5)]
    larger = model_bytes(bones=bones)
    model.write_bytes(larger)
    after = person.waits("the change is shown", lambda f: f["bytes"] == len(larger))
    assert (after["time"], after["picked"]) == (before["time"], before["picked"])
    model.write_bytes(larger[:-90])
    person.waits(
        "a broken save is said",
        lambda f: any("the earlier version stays open" in line for line in f["messages"]),
    )
    assert person.facts["bytes"] == len(larger)
    model.write_bytes(model_bytes())
    person.waits("and a whole one is shown", lambda f: f["bytes"] == len(model_bytes()))


def puts_out(person: Person, folder: Path) -> None:
    person.key("F12")
    person.waits("it is asked where to", lambda f: f["overlays"] == ["###browser"] and f["typing"])
    person.key("Return")
    person.waits("the picture is saved", lambda f: any("Post.png" in line for line in f["messages"]))
    with Image.open(folder / "Post.png") as picture:
        assert picture.size == tuple(person.facts["picture"][2:])
    person.key("ctrl+F12")
    person.waits("the window is saved", lambda f: any("Post-1.png" in line for line in f["messages"]))
    with Image.open(folder / "Post-1.png") as picture:
        assert picture.size == (960, 640)
    palette(person, "record loop as gif")
    person.waits("it is asked where to", lambda f: f["overlays"] == ["###browser"] and f["typing"])
    person.key("Return")
    person.waits("the film is saved", lambda f: any("Saved" in m and "Post.gif" in m for m in f["messages"]))
    with Image.open(folder / "Post.gif") as film:
        assert film.n_frames > 10  # type: ignore[attr-defined]
