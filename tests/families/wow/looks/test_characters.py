"""The rows, choices and geosets of characters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.character_files import RACE, SECTIONS, picture, section, tables, write_character
from tests.table_files import table_bytes
from viewer.errors import ResourceError
from viewer.families.wow.looks.characters import find_character
from viewer.families.wow.looks.look import WowLook
from viewer.families.wow.looks.tables import TableLog
from viewer.scene.characters import Character, CharacterLook
from viewer.scene.document import Document
from viewer.storage.documents import open_document, wearing

LOOK = WowLook(RACE, 0, 1, 0, 1, 1, 1)


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Document:
    return open_document(write_character(tmp_path_factory.mktemp("game")))


def character(document: Document, **changes: Any) -> Character:
    """The character in another look."""
    found = wearing(document, replace(LOOK, **changes)).character
    assert found is not None
    return found


def worn(document: Document, **items: int) -> Character:
    """The character with items; `main_hand` is the slot `main-hand`."""
    return character(document, items=tuple((slot.replace("_", "-"), id) for slot, id in items.items()))


def test_a_character_without_tables_wears_the_first_skin_and_no_items(tmp_path: Path) -> None:
    path = write_character(tmp_path, {})
    for number, color in ((0, 90), (12, 30)):
        picture(path.parent / f"MadeMaleSkin00_{number:02}.blp", (color, 0, 0, 255))
    document = open_document(path)
    assert document.character is None and document.model is not None
    shown = [each.geoset for each in document.model.geometries if each.shown]
    assert shown == [0, 0, 1, 101, 201, 301, 401, 501, 702, 1301, 1501, 2001]
    body, hair = document.model.textures[:2]
    assert Path(body.path or "").name == "MadeMaleSkin00_00.blp" and hair.path is None
    assert (body.by, body.how) == ("name", "name")
    assert not [text for text in document.report.warnings if "body skin" in text]


def test_a_character_without_tables_and_skins_is_naked(tmp_path: Path) -> None:
    document = open_document(write_character(tmp_path, {}))
    assert document.model is not None and document.model.textures[0].path is None
    assert 802 not in {each.geoset for each in document.model.geometries if each.shown}


def test_the_first_look_is_that_whose_files_exist(opened: Document) -> None:
    assert opened.character is not None and opened.character.title == "The Made male"
    assert opened.character.look == WowLook(RACE, 0, 0, 1, 0, 1, 0)
    assert not opened.character.missing


def test_choices_come_from_all_tables(opened: Document) -> None:
    assert opened.character is not None
    choices = opened.character.choices
    assert [(each.number, each.kind) for each in choices.skins] == [
        (0, ""),
        (1, ""),
        (2, "death knight"),
        (3, "NPC"),
    ]
    assert choices.faces == {0: (0, 1), 1: (0,), 2: (0,)}
    assert choices.hairs == (0, 1, 2) and choices.colors[0] == (0, 1) and choices.facial_hairs == (0, 1)
    assert choices.bodies[0] == (0, 1) and choices.heads[0] == (0, 1)


def test_a_choice_that_is_left_out_is_0_or_the_first_that_exists(opened: Document) -> None:
    assert opened.character is not None
    found = opened.character.choices.fitted(WowLook(RACE, 0), {"hair": 1})
    assert found == WowLook(RACE, 0, 0, 0, 1, 1, 0)


def test_a_random_look_is_that_of_its_seed_and_complete(opened: Document) -> None:
    assert opened.character is not None
    choices = opened.character.choices
    looks = [choices.random(LOOK, seed) for seed in range(20)]
    assert looks == [choices.random(LOOK, seed) for seed in range(20)]
    assert len(set(looks)) > 3 and {each.skin for each in looks} == {0, 1}
    assert all(not character(opened, **_numbers(each)).missing for each in set(looks))


def _numbers(look: CharacterLook) -> dict[str, int]:
    return {key: getattr(look, key) for key in ("skin", "face", "hair", "hair_color", "facial_hair")}


def test_rows_are_found_by_their_keys(opened: Document) -> None:
    assert character(opened).rows == {
        "skin": 2,
        "face": 12,
        "facial_hair": 20,
        "hair": 33,
        "underwear": 41,
    }


def test_of_several_rows_with_one_key_the_last_counts(opened: Document) -> None:
    assert [each.row for each in character(opened).textures] == ["CharSections 33"]


def test_before_wrath_the_row_of_players_counts(tmp_path: Path) -> None:
    rows = [(1, RACE, 0, 0, 0, 0, "Skin", "", "", 0), (2, RACE, 0, 0, 0, 0, "Other", "", "", 1)]
    path = write_character(tmp_path, tables(CharSections=table_bytes(rows)))
    found = open_document(path).character
    assert found is not None and found.rows["skin"] == 1


def test_an_npc_skin_has_neither_face_nor_underwear(opened: Document) -> None:
    found = character(opened, skin=3, facial_hair=0, hair_color=0)
    assert [each.part for each in found.layers] == ["skin"]


def test_no_row_has_no_layer_and_is_no_error(opened: Document) -> None:
    found = wearing(opened, replace(LOOK, hair=9, facial_hair=9, skin=9, face=9))
    assert found.character is not None and not found.character.layers and found.report.complete
    assert "look: no row has skin 9" in found.report.warnings


@pytest.mark.parametrize(
    ("changes", "shown"),
    [
        ({}, {3, 102, 203, 302, 401, 501, 702, 1301, 1501}),
        ({"hair": 2}, {1, 102, 203, 302, 401, 501, 702, 1301, 1501}),
        ({"facial_hair": 9}, {3, 101, 201, 301, 401, 501, 702, 1301, 1501}),
        ({"skin": 2, "facial_hair": 0}, {3, 101, 203, 401, 501, 702, 1301, 1501, 1703}),
    ],
    ids=["rows", "bald", "no facial row", "death knight"],
)
def test_shown_geosets(opened: Document, changes: dict[str, int], shown: set[int]) -> None:
    model = wearing(opened, replace(LOOK, **changes)).model
    assert model is not None
    assert {each.geoset for each in model.geometries if each.shown} == shown | {0, 2001}


@pytest.mark.parametrize(
    ("items", "shown", "hidden"),
    [
        ({"shirt": 101}, {802, 1002}, {801}),
        ({"shirt": 101, "hands": 104}, {801}, {802}),
        ({"chest": 102}, {1302, 801}, {501, 901, 1101}),
        ({"chest": 102, "feet": 103}, {1302}, {501, 502}),
        ({"feet": 103}, {502}, {501}),
        ({"back": 106}, {1502}, {1501}),
        ({"head": 105}, {1, 101, 203, 302, 701}, {3, 102, 702}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, dict) else "",
)
def test_items_choose_geosets(
    opened: Document, items: dict[str, int], shown: set[int], hidden: set[int]
) -> None:
    found = set(worn(opened, **items).geosets)
    assert shown <= found and not hidden & found


def test_a_helmet_hides_nothing_on_races_above_31(tmp_path: Path) -> None:
    race = (40, 0, 0, 0, 0, 0, "Ma", 0, 7, 0, 0, "Made", 9999)
    rows = [(1, 40, 0, 0, "Skin", "", "", 0, 0, 0)]
    given = tables(ChrRaces=table_bytes([race], 69), CharSections=table_bytes(rows))
    document = open_document(write_character(tmp_path, given))
    assert document.character is not None
    dressed = wearing(document, document.character.look.wearing("head", 105))
    assert dressed.character is not None and 702 in dressed.character.geosets


def test_a_look_of_another_race_is_refused(opened: Document) -> None:
    with pytest.raises(ResourceError, match="the look is one of race 1, male; the model has race 5"):
        wearing(opened, replace(LOOK, race=1))


def test_a_creature_has_no_look(tmp_path: Path) -> None:
    document = open_document(write_character(tmp_path, textures=[{"type": 11}]))
    assert document.character is None
    with pytest.raises(ResourceError, match="no table of the game has looks"):
        wearing(document, LOOK)


def test_sections_of_unknown_columns_cost_a_line(tmp_path: Path) -> None:
    rows = [(*each, 0) for each in SECTIONS]
    document = open_document(write_character(tmp_path, tables(CharSections=table_bytes(rows))))
    assert document.character is None and document.model is not None
    assert [text for text in document.report.warnings if "CharSections.dbc" in text]


def test_an_item_that_no_table_has_costs_a_line(opened: Document) -> None:
    found = wearing(opened, LOOK.wearing("chest", 7).wearing("shirt", 101))
    assert "look: item 7 (chest) is not in ItemDisplayInfo" in found.report.warnings
    assert found.character is not None and 802 in found.character.geosets


def test_an_npc_wears_its_composed_texture(opened: Document) -> None:
    npc = wearing(opened, "50")
    assert npc.character is not None and npc.model is not None and npc.displays.worn_id == 50
    assert npc.character.look == replace(LOOK, items=(("shirt", 101),), baked="Baked.blp")
    assert Path(npc.model.textures[0].path or "").name == "Baked.blp"
    assert 802 in npc.character.geosets


def test_an_npc_without_its_composed_texture_is_composed(opened: Document) -> None:
    npc = wearing(opened, "51")
    assert npc.character is not None
    assert [each.part for each in npc.character.layers][-2:] == ["AL", "TU"]
    assert "cape" in [each.part for each in npc.character.textures]
    assert [text for text in npc.report.warnings if "Gone.blp is missing, so the body is composed" in text]


def test_a_display_without_a_character_is_shown_in_the_first_look(opened: Document) -> None:
    found = wearing(opened, "52")
    assert opened.character is not None and found.character is not None
    assert found.character.look == opened.character.look and found.displays.worn_id == 52


def test_npc_displays_with_a_skin_are_complete(opened: Document) -> None:
    assert [each.complete for each in opened.displays.listed] == [True, True, False]
    assert [each.ids for each in opened.displays.distinct] == [(50,), (51,), (52,)]


def test_without_a_display_the_model_is_as_its_file_says(opened: Document) -> None:
    bare = wearing(wearing(opened, "50"), "none")
    assert bare.character is None and bare.model is not None and bare.model.textures[0].path is None


def test_many_rows_are_read(tmp_path: Path) -> None:
    rows = [section(n, 1, n % 100, n // 100) for n in range(10_000)] + [*SECTIONS]
    document = open_document(write_character(tmp_path, tables(CharSections=table_bytes(rows))))
    assert document.character is not None and len(document.character.choices.faces) == 100


def test_geosets_of_styles_name_the_row_that_chooses_them_first(opened: Document) -> None:
    """Hair 2 is bald, and facial hair 1 chooses geoset 203 too."""
    found = find_character(opened.path, TableLog(opened.context))
    assert found is not None and found.style_geosets() == {
        2: "hair 0",
        3: "hair 1",
        203: "facial hair 0",
        102: "facial hair 1",
        302: "facial hair 1",
    }
