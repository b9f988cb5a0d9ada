"""Which tables belong to a model, and which rows name it."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import get_args

import pytest

from tests.creature_files import creature_tables, models, write_creature, write_tables
from tests.opened import opened_file
from tests.table_files import table_bytes
from viewer.families.wow.dbc.load import load_table
from viewer.families.wow.looks.tables import rows_naming
from viewer.scene.choices import SearchMode
from viewer.scene.looks import Displays
from viewer.scene.reading_context import DEFAULT, ReadingContext, reading_context
from viewer.scene.table import Table
from viewer.storage.documents import open_document, wearing


def displays_of(path: Path, context: ReadingContext = DEFAULT) -> Displays:
    return open_document(path, context).displays


def table(*paths: str) -> Table:
    data = table_bytes([(number, 0, path) for number, path in enumerate(paths)], 16)
    found = load_table(opened_file(PurePath("CreatureModelData.dbc"), data)).content
    assert isinstance(found, Table)
    return found


@pytest.mark.parametrize(
    ("paths", "wanted", "rows"),
    [
        (["Creature\\Bear\\Bear.mdx"], "/game/creature/bear/BEAR.M2", [0]),
        (["Creature\\Bear\\Bear.m2", "creature/bear/bear.MDX"], "/x/Creature/Bear/Bear.m2", [0, 1]),
        (["A\\Bear.mdx", "Creature\\Bear\\Bear.mdx"], "/x/Creature/Bear/Bear.m2", [1]),
        (["Creature\\Bear\\Bear.mdx"], "/downloads/bear.m2", [0]),
        (["A\\Bear.mdx", "B\\Bear.mdx"], "/downloads/bear.m2", []),
        (["A\\Bear.mdx", "B\\Bear.mdx"], "/downloads/b/bear.m2", [1]),
        (["Bear.mdx", "Creature\\Bear\\Bear2.mdx"], "/x/Bear.m2", [0]),
        (["Creature\\Bear\\GrizzlyBear.mdx", "Creature\\Bear.old\\x.mdx"], "/x/Bear.m2", []),
        (["Creature\\Bear\\Bear.mdx", "Creature\\Bear\\Bear.mdx"], "/x/Bear.m2", [0, 1]),
        ([""], "/x/Bear.m2", []),
    ],
)
def test_the_longest_common_end_of_the_paths_decides(paths: list[str], wanted: str, rows: list[int]) -> None:
    assert rows_naming(table(*paths), "model", wanted).tolist() == rows


def test_a_model_without_tables_has_no_displays(tmp_path: Path) -> None:
    assert displays_of(write_creature(tmp_path, {})).listed == ()


@pytest.mark.parametrize("name", ["DBFilesClient", "dbc", "DBC"])
def test_tables_lie_in_a_folder_above_the_model(tmp_path: Path, name: str) -> None:
    path = write_creature(tmp_path / "a" / "b", {})
    write_tables(tmp_path / name, creature_tables())
    assert displays_of(path).worn_id == 20


def test_the_nearest_tables_that_know_the_model_are_used(tmp_path: Path) -> None:
    path = write_creature(tmp_path / "patch", creature_tables(path="Creature\\Other\\Other.mdx"))
    write_tables(tmp_path / "dbc", creature_tables())
    assert displays_of(path).worn_id == 20
    write_tables(tmp_path / "patch" / "dbc", creature_tables([(5, 7, 0, 0, 1.0, 255, "MadeWhite")]))
    assert displays_of(path).worn_id == 5


def test_tables_are_found_in_resource_folders(tmp_path: Path) -> None:
    path = write_creature(tmp_path / "models", {})
    write_tables(tmp_path / "game" / "deep" / "tables", creature_tables())
    for search in get_args(SearchMode):
        context = reading_context(resources=[str(tmp_path / "game")], search=search)
        assert displays_of(path, context).worn_id == 20
    assert displays_of(path).listed == ()


def test_the_folders_above_are_not_searched_if_the_user_forbids_it(tmp_path: Path) -> None:
    assert displays_of(write_creature(tmp_path), reading_context(search="none")).listed == ()


def test_changed_tables_are_read_again(tmp_path: Path) -> None:
    path = write_creature(tmp_path)
    assert displays_of(path).worn_id == 20
    write_tables(tmp_path / "DBFilesClient", creature_tables([(3, 7, 0, 0, 1.0, 255, "MadeWhite")]))
    assert displays_of(path).worn_id == 3


@pytest.mark.parametrize(
    ("name", "data", "text"),
    [
        ("CreatureModelData.dbc", b"", "cannot be read"),
        ("CreatureModelData.dbc", b"version https://git-lfs", "cannot be read"),
        ("CreatureModelData.dbc", b"WDBC" + b"\xff" * 16, "cannot be read as a table"),
        ("CreatureModelData.dbc", table_bytes([(7, 0, 0)]), "its 3 columns are those of no known client"),
        ("CreatureDisplayInfo.dbc", table_bytes([(20, 7)]), "its 2 columns are those of no known client"),
    ],
)
def test_an_unusable_table_costs_a_line_and_not_the_model(
    tmp_path: Path, name: str, data: bytes, text: str
) -> None:
    path = write_creature(tmp_path, {**creature_tables(), name: data})
    document = open_document(path)
    assert document.displays.listed == () and document.model is not None and document.report.complete
    (line,) = [each for each in document.report.warnings if each.startswith("tables of the game: ")]
    assert name in line and text in line


def test_a_missing_table_of_displays_costs_nothing(tmp_path: Path) -> None:
    path = write_creature(tmp_path, {"CreatureModelData.dbc": models()})
    assert displays_of(path).listed == ()


@pytest.mark.parametrize("name", ["CreatureModelData.dbc", "CreatureDisplayInfo.dbc"])
def test_damaged_tables_never_cost_the_model(tmp_path: Path, name: str) -> None:
    path = write_creature(tmp_path)
    table, good = tmp_path / "DBFilesClient" / name, creature_tables()[name]
    damaged = [good[:size] for size in range(0, len(good), 97)]
    for at in range(0, len(good), 53):
        damaged += [good[:at] + value + good[at + 4 :] for value in (b"\xff" * 4, b"\0\0\x80\x7f")]
    for data in damaged:
        table.write_bytes(data)
        document = open_document(path)
        assert document.model is not None and document.report.complete
        for each in document.displays.listed:
            assert wearing(document, str(each.id)).displays.worn == each
