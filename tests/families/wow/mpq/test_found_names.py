"""Names of files that no list of an archive has."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.character_files import write_character
from tests.creature_files import write_creature
from tests.families.wow.mpq.test_client import client
from viewer.families.wow.mpq.writer import MpqFile, mpq_bytes
from viewer.scene.document import Document
from viewer.scene.package import Package
from viewer.scene.reading_context import DEFAULT
from viewer.storage.documents import open_document
from viewer.storage.package_path import open_package


def archive(root: Path, listed: bool = False) -> Document:
    """An archive with all files below a folder, without a list of names."""
    made = [
        (str(each.relative_to(root)).replace("/", "\\"), each.read_bytes())
        for each in sorted(root.rglob("*"))
        if each.is_file()
    ]
    path = root.with_suffix(".MPQ")
    path.write_bytes(mpq_bytes(made, listed=listed))
    return open_document(path)


def names(document: Document) -> set[str]:
    assert isinstance(document.content, Package)
    return {each for each in document.content.names if not each.startswith("(")}


def test_tables_name_the_files_of_a_creature(tmp_path: Path) -> None:
    write_creature(tmp_path / "game")
    document = archive(tmp_path / "game")
    expected = {str(each.relative_to(tmp_path / "game")) for each in (tmp_path / "game").rglob("*.*")}
    assert names(document) == expected
    found = f"{len(expected)} names found in tables and models, because no list has them"
    assert found in document.report.notes


def test_tables_name_the_files_of_a_character_and_its_items(tmp_path: Path) -> None:
    write_character(tmp_path / "game")
    assert {
        "Character/Made/Male/MadeMale.m2",
        "Character/Made/Male/MadeMale00.skin",
        "Character/Made/Male/FaceLower.blp",
        "Item/TextureComponents/ArmLowerTexture/Shirt_AL_M.blp",
        "Item/ObjectComponents/Cape/Cape.blp",
    } <= names(archive(tmp_path / "game"))


def test_a_model_names_its_textures_views_and_animations(tmp_path: Path) -> None:
    made = write_creature(tmp_path / "game", textures=[{"type": 0, "name": "World\\Own.blp"}])
    (tmp_path / "game" / "World").mkdir()
    (tmp_path / "game" / "World" / "Own.blp").write_bytes(b"BLP2")
    made.with_name("Made0004-00.anim").write_bytes(b"AFM2")
    made.with_name("Made01.skin").write_bytes(b"SKIN")
    found = names(archive(tmp_path / "game"))
    assert {"World/Own.blp", "Creature/Made/Made01.skin", "Creature/Made/Made0004-00.anim"} <= found


def test_files_that_nothing_names_keep_their_numbers(tmp_path: Path) -> None:
    write_creature(tmp_path / "game")
    (tmp_path / "game" / "Secret.txt").write_text("x")
    document = archive(tmp_path / "game")
    assert len([each for each in names(document) if each.startswith("File")]) == 1
    assert "1 file without a name, listed by the number of the block" in document.report.notes


def test_an_archive_without_tables_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "a.txt").write_text("x")
    assert names(archive(tmp_path / "game")) == {"File00000000"}


@pytest.mark.parametrize("damage", [b"", b"WDBC", b"WDBC" + b"\xff" * 40, b"MD20" + b"\xff" * 60])
def test_damaged_tables_and_models_name_nothing(tmp_path: Path, damage: bytes) -> None:
    path = write_creature(tmp_path / "game")
    for each in (tmp_path / "game" / "DBFilesClient").iterdir():
        each.write_bytes(damage)
    path.write_bytes(damage)
    assert {each for each in names(archive(tmp_path / "game")) if "dbc" in each.lower()}


def test_a_patch_without_a_list_has_the_names_of_the_archives_that_it_replaces(tmp_path: Path) -> None:
    client(tmp_path, {"common-2": [("Creature\\Bear\\Bear.m2", b"a"), ("b.txt", b"b")]})
    (tmp_path / "Data" / "patch-2.MPQ").write_bytes(
        mpq_bytes([MpqFile("Creature\\Bear\\Bear.m2", b"new")], listed=False, summed=False)
    )
    place = open_package(str(tmp_path), DEFAULT)
    assert place is not None
    assert list(place.names(deep=True)) == ["b.txt", "Creature/Bear/Bear.m2"]
    assert place.read("Creature/Bear/Bear.m2") == b"new"
