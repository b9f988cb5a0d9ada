"""The folder of a game at the real window: from its wall to a creature and its second skin."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.creature_files import creature_tables, write_creature
from tests.formats.mpq.test_client import client
from tests.person import Person

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
    person.waits("its first creature is shown", lambda f: f.get("documents") == every and f["display"] == 20)
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
