"""Bad tables, pictures and models cost a line each; the body stays."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.character_files import COLORS, ITEMS, RACE, picture, section, tables, write_character
from tests.families.wow.looks.test_attachments import ATTACHMENTS, write_item
from tests.families.wow.looks.test_characters import LOOK
from tests.table_files import table_bytes
from viewer.errors import ResourceError
from viewer.families.wow.looks.look import WowLook
from viewer.scene.document import Document
from viewer.scene.texture_images import decode_textures
from viewer.storage.documents import open_document, wearing

DRESSED = replace(
    LOOK, items=(("head", 105), ("shirt", 101), ("chest", 102), ("feet", 103), ("hands", 104), ("back", 106))
)


def shown(document: Document) -> Document:
    """A document whose model is whole and whose textures are decoded."""
    assert document.model is not None and document.report.complete
    decode_textures(document)
    return document


@pytest.mark.parametrize("name", sorted(tables()))
def test_damaged_tables_never_cost_the_model(tmp_path: Path, name: str) -> None:
    write_item(tmp_path, "Head/Helm_MaM")
    path = write_character(tmp_path, attachments=ATTACHMENTS)
    table, good = tmp_path / "DBFilesClient" / name, tables()[name]
    damaged = [good[:size] for size in (len(good) // 3, len(good) - 9)]
    for at, value in zip(range(8, len(good), len(good) // 5), (b"\xff" * 4, b"\0\0\0\x80") * 2, strict=False):
        damaged.append(good[:at] + value + good[at + 4 :])
    for data in damaged:
        table.write_bytes(data)
        document = shown(open_document(path))
        if document.character is not None:
            look = document.character.look
            shown(wearing(document, replace(DRESSED, race=look.race, sex=look.sex)))
        for each in document.displays.listed[1:2]:
            shown(wearing(document, str(each.id)))


def test_tables_of_another_client_cost_a_line(tmp_path: Path) -> None:
    races = table_bytes([(RACE, 0, 0, 0, 0, 0, "Ma", 0, 7, 0, 0, "Made")], 29)
    document = shown(open_document(write_character(tmp_path, tables(ChrRaces=races))))
    assert document.character is None or document.character.look.race == RACE


def test_sections_with_a_missing_column_cost_a_line(tmp_path: Path) -> None:
    rows = [each[:-1] for each in (section(1, 0, 0, 0, "Skin0"),)]
    document = shown(open_document(write_character(tmp_path, tables(CharSections=table_bytes(rows)))))
    assert document.character is None
    assert [text for text in document.report.warnings if "CharSections.dbc" in text]


def test_an_npc_row_of_10_000_items_costs_a_line(tmp_path: Path) -> None:
    row = (900, RACE, 0, 1, 0, 1, 1, 1, *[101] * 10_000)
    given = tables(CreatureDisplayInfoExtra=table_bytes([row]))
    document = shown(open_document(write_character(tmp_path, given)))
    npc = shown(wearing(document, "50"))
    assert npc.character is not None and npc.character.look == npc.character.plain
    whole = "a row of 40032 bytes: 1 to 2048 expected"
    assert lines(npc, "CreatureDisplayInfoExtra") == [
        f"tables of the game: CreatureDisplayInfoExtra.dbc cannot be read as a table: {whole}",
        "display 50: CreatureDisplayInfoExtra has no row 900",
    ]


def test_a_line_about_tables_stays_in_another_look(tmp_path: Path) -> None:
    given = tables(CharHairGeosets=table_bytes([(1, 2, 3)]), CreatureDisplayInfo=table_bytes([(1, 2, 3)]))
    document = open_document(write_character(tmp_path, given))
    first = lines(document, "tables of the game")
    assert sorted(text.partition(".dbc")[0].rpartition(" ")[2] for text in first) == [
        "CharHairGeosets",
        "CreatureDisplayInfo",
    ]
    assert lines(wearing(document, LOOK), "tables of the game") == first


@pytest.mark.parametrize(("data", "why"), [(b"", "does not fit"), (None, "is missing")])
def test_items_without_their_table_cost_a_line(tmp_path: Path, data: bytes | None, why: str) -> None:
    document = open_document(write_character(tmp_path))
    table = tmp_path / "DBFilesClient" / "ItemDisplayInfo.dbc"
    table.unlink()
    if data is not None:
        table.write_bytes(data)
    worn = wearing(document, LOOK.wearing("shirt", 101))
    assert lines(worn, "look: ") == [f"look: ItemDisplayInfo {why}, so no items are shown"]
    assert bool(lines(worn, "ItemDisplayInfo.dbc cannot be read")) == (data is not None)


def test_a_table_that_does_not_fit_costs_one_line(tmp_path: Path) -> None:
    given = tables(CreatureDisplayInfoExtra=table_bytes([(1, 2, 3)]))
    npc = wearing(open_document(write_character(tmp_path, given)), "50")
    assert lines(npc, "Extra.dbc") == [
        "tables of the game: CreatureDisplayInfoExtra.dbc: its 3 columns are those of no known client"
    ]


def lines(document: Document, text: str) -> list[str]:
    """The warnings of a document that contain a text."""
    return [each for each in document.report.warnings if text in each]


def test_the_helmet_of_a_race_above_31_hides_nothing(tmp_path: Path) -> None:
    row = (40, 0, 0, 0, 0, 0, "Ma", 0, 7, 0, 0, "Made", 9999)
    sections = [(1, 40, 0, 0, "Character\\Made\\Male\\Skin0.blp", "", "", 17, 0, 0)]
    given = tables(ChrRaces=table_bytes([row], 69), CharSections=table_bytes(sections))
    worn = wearing(open_document(write_character(tmp_path, given)), WowLook(40, 0).wearing("head", 105))
    assert lines(worn, "race 40") == [
        "look: item 105 (head) hides no geosets: HelmetGeosetVisData has no bit for race 40"
    ]


@pytest.mark.parametrize("race", [32, 40, 1 << 20])
def test_large_race_ids(tmp_path: Path, race: int) -> None:
    row = (race, 0, 0, 0, 0, 0, "Ma", 0, 7, 0, 0, "Made", 9999)
    rows = [(1, race, 0, 0, "Character\\Made\\Male\\Skin0.blp", "", "", 17, 0, 0)]
    given = tables(ChrRaces=table_bytes([row], 69), CharSections=table_bytes(rows))
    document = shown(open_document(write_character(tmp_path, given)))
    shown(wearing(document, WowLook(race, 0).wearing("head", 105)))


def test_an_npc_of_another_race_wears_the_first_look(tmp_path: Path) -> None:
    extra = table_bytes([(900, 77, 1, 1, 0, 1, 1, 1, *[0] * 12, "Baked.blp")])
    document = shown(open_document(write_character(tmp_path, tables(CreatureDisplayInfoExtra=extra))))
    npc = shown(wearing(document, "50"))
    assert npc.character is not None and npc.character.look == npc.character.plain
    assert lines(npc, "race") == ["display 50: its character has race 77, female; the model has race 5, male"]


@pytest.mark.parametrize("numbers", [(-1,) * 5, (2**31 - 1,) * 5, (0, -5, 2**40, 0, 0)])
def test_numbers_that_no_table_has(tmp_path: Path, numbers: tuple[int, ...]) -> None:
    document = open_document(write_character(tmp_path))
    look = WowLook(RACE, 0, *numbers[:5], items=(("shirt", -1), ("chest", 2**40)))  # type: ignore[arg-type]
    found = shown(wearing(document, look))
    assert found.character is not None and found.character.geosets[:2] == (0, 1)


@pytest.mark.parametrize("name", ["Skin1", "FaceLower", "Hair1", "Hair0"])
@pytest.mark.parametrize("data", [b"", b"BLP2", b"BLP2" + b"\xff" * 200, b"\x89PNG\r\n\x1a\n"])
def test_damaged_pictures(tmp_path: Path, name: str, data: bytes) -> None:
    document = open_document(write_character(tmp_path))
    (tmp_path / "Character" / "Made" / "Male" / f"{name}.blp").write_bytes(data)
    shown(wearing(document, LOOK))


def test_pictures_of_odd_sizes(tmp_path: Path) -> None:
    document = open_document(write_character(tmp_path))
    for number, name in enumerate(COLORS):
        picture(tmp_path / "Character" / "Made" / "Male" / f"{name}.blp", (9, 9, 9, 99), (1 + number, 37))
    worn = shown(wearing(document, replace(LOOK, skin=0, face=1)))
    assert lines(worn, "the skin ") and lines(worn, "the layer ")
    assert lines(worn, "FaceUpper.blp of FU") == [
        "body skin: the layer Character\\Made\\Male\\FaceUpper.blp of FU: the skin of 1 × 37 pixels has no "
        "room for it"
    ]


def test_a_layer_whose_sides_are_no_powers_of_two_is_drawn_with_a_line(tmp_path: Path) -> None:
    document = open_document(write_character(tmp_path))
    picture(tmp_path / "Character" / "Made" / "Male" / "FaceUpper.blp", (9, 9, 9, 255), (3, 37))
    worn = shown(wearing(document, replace(LOOK, skin=0, face=1, hair=1)))
    (line,) = lines(worn, "powers of two")
    assert line.endswith("FaceUpper.blp of FU: it has 3 × 37 pixels; the client needs powers of two")
    assert worn.model is not None and worn.model.textures[0].decode is not None
    assert worn.model.textures[0].decode().levels[0][44, 4].tolist() == [9, 9, 9, 255]


def test_a_texture_name_that_leaves_the_game_is_missing(tmp_path: Path) -> None:
    row = (107, "..\\..\\x.mdx", "", "..\\y", *[""] * 11, *["..\\..\\..\\z"] * 8)
    given = tables(ItemDisplayInfo=table_bytes([*ITEMS, row], 25))
    document = open_document(write_character(tmp_path, given, attachments=ATTACHMENTS))
    for slot in ("shirt", "head", "back", "main-hand", "shoulder"):
        found = shown(wearing(document, LOOK.wearing(slot, 107)))
        assert found.character is not None
        assert all(each.path is None for each in found.character.attached)


def test_tables_that_vanish_while_the_model_is_open(tmp_path: Path) -> None:
    document = open_document(write_character(tmp_path))
    for each in (tmp_path / "DBFilesClient").iterdir():
        each.unlink()
    with pytest.raises(ResourceError, match="no table of the game has looks"):
        wearing(document, LOOK)
