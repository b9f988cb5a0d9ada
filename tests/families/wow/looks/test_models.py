"""The model that a row of a table is about."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.creature_files import MODEL, creature_tables, write_creature, write_tables
from tests.table_files import table_bytes
from viewer.errors import ResourceError
from viewer.families.wow.looks.models import model_of_row
from viewer.scene.reading_context import DEFAULT, ReadingContext, reading_context
from viewer.scene.table import Table
from viewer.storage.documents import open_document


def opened(path: Path, row: int, context: ReadingContext = DEFAULT) -> str:
    """The path that opens the model of a row."""
    document = open_document(path, context)
    assert isinstance(document.content, Table)
    return model_of_row(document, document.content, row)


def test_a_display_opens_its_model_in_that_display(tmp_path: Path) -> None:
    path = write_creature(tmp_path)
    found = opened(tmp_path / "DBFilesClient" / "CreatureDisplayInfo.dbc", 2)
    assert found == f"{path}::40"
    assert open_document(found).displays.worn_id == 40


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("CreatureModelData", creature_tables()["CreatureModelData.dbc"]),
        ("SpellVisualEffectName", table_bytes([(1, "x", ""), (2, "Fire", MODEL)], 5)),
        ("GameObjectDisplayInfo", table_bytes([(1, ""), (2, MODEL)], 12)),
    ],
)
def test_models_effects_and_objects_open_their_file(tmp_path: Path, name: str, data: bytes) -> None:
    path = write_creature(tmp_path, {f"{name}.dbc": data})
    assert opened(tmp_path / "DBFilesClient" / f"{name}.dbc", 1) == str(path)


def test_the_model_lies_in_a_resource_folder(tmp_path: Path) -> None:
    path = write_creature(tmp_path / "game", {})
    tables = write_tables(tmp_path / "tables", creature_tables())
    context = reading_context(resources=[str(tmp_path / "game")])
    assert opened(tables / "CreatureDisplayInfo.dbc", 1, context) == f"{path}::20"


@pytest.mark.parametrize(
    ("tables", "row", "text"),
    [
        (creature_tables(), 5, "row 99 of CreatureDisplayInfo names no model"),
        (creature_tables(path="..\\..\\secret.mdx"), 0, "is missing"),
        ({"CreatureDisplayInfo.dbc": creature_tables()["CreatureDisplayInfo.dbc"]}, 0, "is missing beside"),
        (creature_tables(path="Creature\\Gone\\Gone.mdx"), 0, "Creature/Gone/Gone.m2 is missing"),
    ],
)
def test_a_missing_model_is_named(tmp_path: Path, tables: dict[str, bytes], row: int, text: str) -> None:
    write_creature(tmp_path, tables)
    with pytest.raises(ResourceError, match=text):
        opened(tmp_path / "DBFilesClient" / "CreatureDisplayInfo.dbc", row)
