"""The rules about the looks of characters."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.character_files import FOLDER, RACE, section, tables, write_character
from tests.creature_files import write_creature
from tests.table_files import table_bytes
from viewer.check.check_context import CheckContext
from viewer.families.wow.rules.looks import RULES
from viewer.storage.documents import open_document

WHOLE = (section(1, 0, 0, 0, "Skin0"), section(2, 1, 0, 0, "FaceLower", "FaceUpper"))


def found(path: Path) -> dict[str, list[str]]:
    """The texts of the findings by the rule's name."""
    context = CheckContext(open_document(path))
    return {rule.id.partition("/")[2]: [each.text for each in rule.find(context)] for rule in RULES}


def test_a_character_whose_looks_are_complete_has_no_finding(tmp_path: Path) -> None:
    given = tables(
        CharSections=table_bytes(WHOLE),
        CharacterFacialHairStyles=table_bytes([(RACE, 0, 0, 1, 0, 3, 0, 0)]),
    )
    assert found(write_character(tmp_path, given)) == {
        "missing-file": [],
        "missing-geoset": [],
        "repeated-key": [],
    }


def test_missing_pictures_are_counted(tmp_path: Path) -> None:
    given = tables(
        CharSections=table_bytes([*WHOLE, section(3, 3, 0, 0, "Gone"), section(4, 3, 1, 0, "Gone")])
    )
    assert found(write_character(tmp_path, given))["missing-file"] == [
        "1 picture of 4 in CharSections is missing: Gone.blp"
    ]


def test_geosets_that_no_geometry_has(tmp_path: Path) -> None:
    hair = table_bytes([(1, RACE, 0, 0, 2, 0), (2, RACE, 0, 1, 77, 0), (3, RACE, 0, 2, 1, 1)])
    given = tables(
        CharHairGeosets=hair, CharacterFacialHairStyles=table_bytes([(RACE, 0, 4, 9, 1, 0, 0xCCCCCCCC, 0)])
    )
    (text,) = found(write_character(tmp_path, given))["missing-geoset"]
    assert text.endswith("that the model lacks: 77 (hair 1), 109 (facial hair 4)")


def test_rows_with_one_key(tmp_path: Path) -> None:
    assert found(write_character(tmp_path))["repeated-key"] == [
        "rows of CharSections have the same section, variation and colour: 32 and 33"
    ]


def test_a_creature_has_no_looks(tmp_path: Path) -> None:
    assert not any(found(write_creature(tmp_path)).values())


@pytest.mark.parametrize("name", ["..\\..\\x", "C:\\x", "a\0b"])
def test_names_that_leave_the_game_are_missing(tmp_path: Path, name: str) -> None:
    row = (9, RACE, 0, 0, f"{FOLDER}Skin0.blp", name.partition("\0")[0], "", 17, 0, 0)
    texts = found(write_character(tmp_path, tables(CharSections=table_bytes([row]))))["missing-file"]
    assert len(texts) == 1
