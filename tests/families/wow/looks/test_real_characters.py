"""A real character gives the rows, textures and geosets that an independent program worked out."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
from msgspec.structs import replace

from tests.conftest import SHARED
from viewer.families.wow.looks.characters import find_character
from viewer.families.wow.looks.files import GameFiles
from viewer.families.wow.looks.look import REGIONS, SLOTS, WowLook
from viewer.families.wow.looks.tables import TableLog
from viewer.families.wow.looks.wardrobe import dress_character
from viewer.scene.characters import Character, CharacterLook
from viewer.scene.document import Document
from viewer.storage.documents import open_document, wearing
from viewer.storage.image import decode_image

CORPUS = SHARED / "corpus" / "character"
MODEL = CORPUS / "Character" / "Goblin" / "Male" / "GoblinMale.M2"
BODY = {0, 401, 501, 1301, 1501}
pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason="no corpus")


class Wanted(NamedTuple):
    """A look and what follows from it. `layers` are pairs of a region and the end of a file name."""

    numbers: tuple[int, ...]
    rows: dict[str, int]
    shown: set[int]
    layers: list[str]
    hair: str
    items: dict[str, int] = {}  # noqa: RUF012


LOOKS = {
    "a": Wanted(
        (2, 0, 1, 0, 0),
        {"skin": 23002, "face": 23021, "facial_hair": 23118, "hair": 23262, "underwear": 23480},
        BODY | {2, 106, 202, 311},
        ["FL lower00_02", "FU upper00_02", "LU pelvisskin00_02"],
        "hair00_00",
    ),
    "b": Wanted(
        (2, 0, 4, 1, 4),
        {"skin": 23002, "face": 23021, "facial_hair": 23167, "hair": 23299, "underwear": 23480},
        BODY | {5, 102, 206, 307, 1202},
        ["FL lower00_02", "FU upper00_02", "LU pelvisskin00_02"],
        "hair00_01",
        {"waist": 5904, "legs": 1883, "tabard": 13909},
    ),
    "c": Wanted(
        (2, 3, 0, 4, 11),
        {"skin": 23002, "face": 23057, "hair": 23254, "underwear": 23480},
        BODY | {19, 103, 213, 310},
        [
            "FL lower03_02",
            "FU upper03_02",
            "AU sleeve_au_u",
            "AL sleeve_al_u",
            "TU chest_tu_m",
            "TL chest_tl_m",
            "LU pant_lu_u",
            "LL pant_ll_u",
            "FO boot_fo_u",
            "HA glove_ha_u",
            "LL boot_ll_u",
            "AL glove_al_u",
        ],
        "hair00_04",
        {"shirt": 65801, "legs": 62573, "feet": 65800, "hands": 69182},
    ),
    "d": Wanted(
        (7, 0, 17, 1, 24),
        {"skin": 23007, "face": 23026, "hair": 23455, "underwear": 23485},
        {0, 18, 102, 213, 307, 401, 1302, 1501},
        [
            "FL lower00_07",
            "FU upper00_07",
            "FO boot_fo_u",
            "TU chest_tu_m",
            "TL chest_tl_m",
            "LU robe_lu_u",
            "LL boot_ll_u",
            "LL robe_ll_u",
        ],
        "hair00_01",
        {"chest": 62618, "feet": 65800},
    ),
    "e": Wanted(
        (2, 0, 1, 0, 0),
        {"skin": 23002, "face": 23021, "facial_hair": 23118, "hair": 23262, "underwear": 23480},
        BODY | {202, 311},
        ["FL lower00_02", "FU upper00_02", "LU pelvisskin00_02"],
        "hair00_00",
        {"head": 15340},
    ),
    "f": Wanted(
        (2, 0, 18, 0, 24),
        {"skin": 23002, "face": 23021, "hair": 23466, "underwear": 23480},
        BODY | {102, 213, 307},
        ["FL lower00_02", "FU upper00_02", "LU pelvisskin00_02"],
        "hair00_00",
    ),
    "g": Wanted(
        (9, 0, 1, 9, 0),
        {"skin": 23009, "face": 23028, "facial_hair": 23127, "hair": 23271, "underwear": 23487},
        BODY | {2, 106, 202, 311, 1703},
        [],
        "",
    ),
    "h": Wanted(
        (12, 0, 2, 0, 1),
        {"skin": 23012, "facial_hair": 23130, "hair": 23274},
        BODY | {3, 105, 203, 310},
        [],
        "hair00_00",
    ),
    "i": Wanted(
        (3, 2, 5, 4, 3),
        {"skin": 23500, "face": 23533, "facial_hair": 23720, "hair": 23876, "underwear": 24019},
        {0, 7, 103, 205, 308},
        [
            "FL lower02_03",
            "FU upper02_03",
            "FL scalplowerhair00_04",
            "FU scalpupperhair00_04",
            "LU pelvisskin00_03",
            "TU torsoskin00_03",
        ],
        "hair00_04",
    ),
}


@pytest.fixture(scope="module")
def goblin() -> Document:
    return open_document(MODEL)


def look_of(wanted: Wanted, sex: int) -> CharacterLook:
    """The look."""
    items = tuple((slot, wanted.items[slot]) for slot in SLOTS if slot in wanted.items)
    return replace(WowLook(9, sex, *wanted.numbers), items=items)


def character_of(goblin: Document, name: str) -> tuple[Character, set[int]]:
    """The character in a look, and its shown geosets; all chosen geosets for the woman, who has no model."""
    if name == "i":
        path = str(CORPUS / "Character" / "Goblin" / "Female" / "GoblinFemale.m2")
        tables = find_character(path, TableLog(goblin.context))
        assert tables is not None
        look = look_of(LOOKS[name], 1)
        files = GameFiles(replace(goblin, path=path))
        character, _, _ = dress_character((look, look), tables, files, tables.choices(files))
        return character, set(character.geosets)
    document = wearing(goblin, look_of(LOOKS[name], 0))
    assert document.character is not None and document.model is not None
    return document.character, {each.geoset or 0 for each in document.model.geometries if each.shown}


@pytest.mark.parametrize("name", LOOKS)
def test_a_look_has_its_rows_layers_and_geosets(goblin: Document, name: str) -> None:
    wanted = LOOKS[name]
    character, shown = character_of(goblin, name)
    assert dict(character.rows) == wanted.rows
    assert shown == wanted.shown if name != "i" else wanted.shown <= shown
    found = [(each.part, each.name.lower().removesuffix(".blp")) for each in character.layers if each.path]
    assert [part for part, _ in found[1:]] == [each.split()[0] for each in wanted.layers]
    assert all(
        file.endswith(each.split()[1]) for (_, file), each in zip(found[1:], wanted.layers, strict=True)
    )
    hair = [each.name.lower() for each in character.textures if each.part == "hair" and each.path]
    assert hair == ([f"character\\goblin\\{wanted.hair}.blp"] if wanted.hair else [])


def test_the_composed_body_is_that_of_the_client(goblin: Document) -> None:
    """The regions without items differ from the composed texture of the mod's authors by noise alone."""
    npc = wearing(goblin, "36446")
    assert npc.character is not None and npc.character.look == replace(
        look_of(LOOKS["b"], 0), baked="CreatureDisplayExtra-24082.blp"
    )
    baked, composed = pixels(npc), pixels(wearing(goblin, look_of(LOOKS["b"], 0)))
    half = composed.reshape(256, 2, 256, 2, 4).mean(axis=(1, 3))
    for region in ("AU", "AL", "HA", "FO", "FU", "FL"):
        x, y, w, h = REGIONS[region]
        ours, theirs = half[y : y + h, x : x + w, :3], baked[y : y + h, x : x + w, :3]
        assert np.abs(ours - theirs).mean(axis=(0, 1)).max() <= 5.0, region


def pixels(document: Document) -> Any:
    """The pixels of the body texture."""
    assert document.model is not None and document.model.textures[0].decode is not None
    return document.model.textures[0].decode().levels[0].astype(np.float64)


def test_the_skins_keep_their_transparency_out(goblin: Document) -> None:
    path = CORPUS / "Character" / "Goblin" / "Male" / "goblinmalefacelower00_02.blp"
    assert decode_image(path.read_bytes(), str(path)).levels[0][..., 3].min() == 0
    assert pixels(wearing(goblin, look_of(LOOKS["a"], 0)))[..., 3].min() == 255
