"""The first walks of someone new at the real window, with real keys."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import tests.wow  # noqa: F401
from tests.app.test_new_user import client
from tests.person import Person
from tests.synthetic import model_bytes

Start = Callable[..., Person]


def test_a_folder_opens_its_creature_and_a_key_makes_it_walk(start: Start, tmp_path: Path) -> None:
    creature = client(tmp_path)
    person = start(tmp_path / "Client", "--samples", 0)
    person.waits("the creature stands", lambda f: f.get("animations") == ["Stand"] and f["playing"])
    assert person.facts["documents"] == [str(creature / "Rabbit.m2")]
    person.focus("Rabbit.m2")
    person.key("bracketright")
    begin = person.waits("it walks", lambda f: f["animations"] == ["Walk"])["time"]
    person.waits("it goes on", lambda f: f["playing"] and f["time"] > begin)


def test_a_cut_file_opens_on_the_bytes_where_it_breaks(start: Start, tmp_path: Path) -> None:
    path = tmp_path / "Cut.mdl"
    path.write_bytes(model_bytes()[:60])
    person = start(path, "--samples", 0)
    facts = person.waits("its bytes are marked", lambda f: f.get("picked") and f.get("marked"))
    assert facts["picked"][0] == "byte" and facts["marked"][1] == facts["picked"][1] > 0
