"""A folder of models at the real window: the wall, its pictures, and the way back to the view."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.person import Person
from tests.synthetic import model_bytes

Start = Callable[..., Person]


def test_a_model_is_found_on_the_wall_and_opened(start: Start, tmp_path: Path) -> None:
    folder = tmp_path / "models"
    for name in ("Apple.mdl", "Pear.mdl", "more/Zut.mdl"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(model_bytes())
    person = start(folder)
    facts = person.waits("the files are listed", lambda f: f.get("files", {}).get("listed") == 3)
    person.waits("the list is in front", lambda f: f["panels"]["files"])
    assert facts["documents"] == [str(folder / "Apple.mdl")]
    person.focus("Apple.mdl")
    person.key("ctrl+b")
    person.waits("the pictures are drawn", lambda f: f["files"]["wall"] and f["files"]["drawn"] == 3)
    person.waits("letters go to the query", lambda f: f["files"]["takes_text"])
    for letter in "pear":
        person.key(letter)
    person.waits("one file is found", lambda f: f["files"]["query"] == "pear" and f["files"]["found"] == 1)
    assert not person.facts["overlays"], "letters are no actions here"
    person.key("Home", "Return")
    found = str(folder / "Pear.mdl")
    person.waits("it is open", lambda f: f["documents"] == [found] and not f["files"]["wall"])
    person.key("ctrl+b")
    person.waits("the cursor is on it", lambda f: f["files"]["wall"] and f["files"]["cursor"] == found)
    person.key("Escape")
    person.waits("the query is empty", lambda f: f["files"]["query"] == "" and f["files"]["found"] == 3)
    person.key("Escape")
    person.waits("the view is back", lambda f: not f["files"]["wall"] and f["panels"]["files"])
    person.key("Right")
    person.waits("the next is open", lambda f: f["documents"] == [str(folder / "more" / "Zut.mdl")])
    person.leaves()
