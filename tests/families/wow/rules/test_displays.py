"""The pictures that displays and items of the game's tables name, and that are missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import m2_files
from tests.creature_files import creature_tables, write_creature
from tests.table_files import table_bytes
from viewer.check.checking import check_file
from viewer.commands.cli import main

RULE = ["look/missing-file"]
GONE = "row 30 of CreatureDisplayInfo names MadeGone.blp, which is missing"


def told(path: Path) -> list[tuple[str, str]]:
    """The file and the text of each finding."""
    return [(Path(each.file).name, each.text) for each in check_file(str(path), select=RULE)]


def test_the_checks_of_table_and_model_agree(tmp_path: Path) -> None:
    model = write_creature(tmp_path)
    table = tmp_path / "DBFilesClient/CreatureDisplayInfo.dbc"
    assert told(model) == told(table) == [(table.name, GONE)]


def test_the_check_of_the_place_tells_a_name_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_creature(tmp_path)
    main(["check", str(tmp_path), "--select", "look/missing-file"])
    assert capsys.readouterr().out.count("MadeGone.blp") == 1


def test_rows_of_models_that_are_not_there_are_left_out(tmp_path: Path) -> None:
    write_creature(tmp_path, creature_tables([(5, 3, 0, 0, 1.0, 255, "FrogGone")]))
    assert told(tmp_path / "DBFilesClient/CreatureDisplayInfo.dbc") == []


def test_the_picture_of_an_item_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "Item/ObjectComponents/Weapon"
    folder.mkdir(parents=True)
    (folder / "Axe.m2").write_bytes(m2_files.model(m2_files.CLASSIC, textures=[{"type": 2}]))
    tables = tmp_path / "DBFilesClient"
    tables.mkdir()
    rows = [(9, "Axe.mdx", "", "AxeGone"), (8, "Sword.mdx", "", "SwordGone")]
    (tables / "ItemDisplayInfo.dbc").write_bytes(table_bytes(rows, 23))
    expected = [("ItemDisplayInfo.dbc", "row 9 of ItemDisplayInfo names AxeGone.blp, which is missing")]
    assert told(tables / "ItemDisplayInfo.dbc") == told(folder / "Axe.m2") == expected
