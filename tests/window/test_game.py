"""The folder of a game at the real window: from its wall to a creature and its second skin."""

from __future__ import annotations

import json
import shlex
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tests.wow  # noqa: F401
from tests.app.output.test_look_picture import client as character_client
from tests.creature_files import creature_tables, write_creature
from tests.desktop import Desktop
from tests.families.wow.mpq.test_client import client
from tests.person import Person
from tests.trace import rectangle
from tests.ui.looks.test_looks_panel import places, right
from viewer.commands.cli import main

Start = Callable[..., Person]
SKINS = ((20, 7, 0, 0, 1.0, 255, "MadeBlack"), (40, 7, 0, 0, 1.0, 255, "MadeWhite"))
"""Rows of CreatureDisplayInfo: the two displays of the creature."""


def test_a_creature_of_a_game_shows_its_second_skin_in_three_actions(start: Start, tmp_path: Path) -> None:
    made = write_creature(tmp_path / "made").parent
    files = [(f"Creature\\Made\\{each.name}", each.read_bytes()) for each in made.iterdir()]
    tables = [(f"DBFilesClient\\{name}", data) for name, data in creature_tables(SKINS).items()]
    archives = {"common-2": files, "patch": tables, "patch-10": files[:1]}
    game = client(tmp_path / "World of Warcraft", archives)
    person = start(game, "--samples", 0)
    every = [str(game), f"{game}::Creature/Made/Made.m2"]
    shown = person.waits(
        "its first creature is shown", lambda f: f.get("documents") == every and f["display"] == 20
    )
    ignored = (
        "patch-10.MPQ is not loaded: the client 3.3.5 loads only patches with one character after patch-"
    )
    assert ignored in shown["messages"], "the patch that the client ignores is seen"
    person.focus("Made.m2")
    person.key("ctrl+b")
    person.waits(
        "the wall has the creature", lambda f: f["files"]["wall"] and f["files"]["cursor"] == every[1]
    )
    person.key("Return")
    person.waits("it is shown again", lambda f: not f["files"]["wall"] and f["display"] == 20)
    person.key("alt+bracketright")
    person.waits("it wears its second skin", lambda f: f["display"] == 40)
    person.leaves()


COPIED = """
import sys
import viewer.app.loop
from viewer.commands.cli import main

def copy(text):
    with open("{path}", "w") as file:
        file.write(text)

viewer.app.loop.copy_text = copy
sys.exit(main())
"""
"""The program, which copies texts to a file."""


def test_a_character_is_dressed_and_saved_in_five_actions(
    start: Start, ctx: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = character_client(tmp_path)
    model = Path(f"{game}::Character/Made/Male/MadeMale.m2")
    desktop = Desktop(ctx, model, size=(1280, 720))
    hair, slot = right(desktop, 2), places(desktop)["##item 2"]
    desktop.click(*slot)
    desktop.rest()  # the items are listed in a task
    shirt = next(place for name, place in places(desktop).items() if "(101)" in name)
    panel = rectangle("looks")
    desktop.close()

    (tmp_path / "settings.json").write_text(
        json.dumps({"version": 1, "pictures": str(tmp_path / "{name}.png")})
    )
    person = start(model, "--samples", 0, script=COPIED.format(path=tmp_path / "copied.txt"))
    shown = person.waits("it is dressed", lambda f: f.get("look") and f["panels"]["looks"] == panel)
    first = shown["look"]
    person.focus("MadeMale.m2")
    person.click(*hair)
    person.waits("it has other hair", lambda f: f["look"] != first and "hair=1" in f["look"])
    person.click(*slot)
    person.waits("the list is open", lambda f: f["popups"])
    for _ in range(5):  # the items are read in a task: until then nothing is at this place
        person.click(*shirt)
        time.sleep(2.0)
        if not person.facts["popups"]:
            break
    person.waits("it wears a shirt", lambda f: "shirt=101" in f["look"] and not f["popups"])
    person.key("space")
    person.waits("it stands still", lambda f: not f["playing"])
    person.key("ctrl+shift+p")
    person.waits("the palette is open", lambda f: f["palette"] is not None)
    person.tool("type", "save image of the model only")
    person.key("Return")
    person.waits("the picture is saved", lambda f: any("Saved" in each for each in f["messages"]))

    person.key("ctrl+shift+p")
    person.waits("the palette is open", lambda f: f["palette"] is not None)
    person.tool("type", "copy image as a command")
    person.key("Return")
    person.waits("it is copied", lambda f: any("Copied the command" in each for each in f["messages"]))
    person.leaves()
    saved = (tmp_path / "MadeMale.png").read_bytes()
    (tmp_path / "drawn").mkdir()
    monkeypatch.chdir(tmp_path / "drawn")
    assert main(shlex.split((tmp_path / "copied.txt").read_text())[1:]) == 0
    assert (tmp_path / "drawn" / "MadeMale.png").read_bytes() == saved
