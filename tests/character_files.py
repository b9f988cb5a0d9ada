"""A character of World of Warcraft below a folder: a model with geosets, its textures, and its tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import tests.wow  # noqa: F401
from tests import m2_files
from tests.creature_files import write_tables
from tests.table_files import Cell, table_bytes
from viewer.families.wow.m2.layout.writer import skin_bytes
from viewer.storage.image import save_png

FOLDER = "Character\\Made\\Male\\"
RACE = 5
GEOSETS = (0, 0, 1, 2, 3, 101, 102, 201, 203, 301, 302, 401, 402, 501, 502, 701, 702, 802, 1102, 1202)
GEOSETS += (1301, 1302, 1501, 1502, 1703, 1802, 2001)
COLORS: Mapping[str, Sequence[int]] = {
    "Skin0": (200, 0, 0, 255),
    "Skin1": (0, 200, 0, 255),
    "FaceLower": (0, 0, 200, 255),
    "FaceUpper": (0, 0, 100, 128),
    "Beard": (9, 9, 9, 255),
    "ScalpLower": (70, 70, 70, 255),
    "ScalpUpper": (60, 60, 60, 255),
    "Pelvis": (1, 2, 3, 255),
    "Torso": (4, 5, 6, 255),
    "Hair0": (250, 250, 0, 255),
    "Hair1": (0, 250, 250, 255),
}
"""The pictures in the folder of the model, one colour each."""
ITEM_COLORS: Mapping[str, Sequence[int]] = {
    "TorsoUpperTexture/Shirt_TU_M": (11, 0, 0, 255),
    "ArmLowerTexture/Shirt_AL_U": (12, 0, 0, 255),
    "ArmLowerTexture/Shirt_AL_M": (13, 0, 0, 255),
    "ArmLowerTexture/Glove_AL_U": (14, 0, 0, 255),
    "HandTexture/Glove_HA_U": (15, 0, 0, 255),
    "LegUpperTexture/Robe_LU_U": (16, 0, 0, 255),
    "LegLowerTexture/Robe_LL_U": (17, 0, 0, 255),
    "LegLowerTexture/Boot_LL_U": (18, 0, 0, 255),
}
"""The pictures of items, by folder and name."""


def section(id: int, kind: int, variation: int, color: int, *names: str, flags: int = 17) -> Sequence[Cell]:
    """A row of CharSections of 3.3.5a."""
    textures = [f"{FOLDER}{each}.blp" if each else "" for each in (*names, "", "", "")[:3]]
    return (id, RACE, 0, kind, *textures, flags, variation, color)


SECTIONS = (
    section(1, 0, 0, 0, "Skin0", flags=17),
    section(2, 0, 0, 1, "Skin1", flags=17),
    section(3, 0, 0, 2, "Skin1", flags=5),
    section(4, 0, 0, 3, "Skin1", flags=8),
    section(10, 1, 0, 0, "FaceGone", "FaceUpper"),
    section(11, 1, 1, 0, "FaceLower", "FaceUpper"),
    section(12, 1, 0, 1, "FaceLower", ""),
    section(13, 1, 0, 2, "FaceLower", "", flags=4),
    section(20, 2, 1, 1, "Beard", ""),
    section(30, 3, 0, 0, "HairGone"),
    section(31, 3, 0, 1, "Hair0", "ScalpLower", "ScalpUpper"),
    section(32, 3, 1, 1, "Hair1"),
    section(33, 3, 1, 1, "Hair0"),
    section(40, 4, 0, 0, "Pelvis", "Torso"),
    section(41, 4, 0, 1, "Pelvis", "Torso"),
)
"""Skins 0, 1, 2 (a death knight's) and 3 (an NPC's); the first whose files exist is 0 with face 1, and hair 0
with colour 1. Hair 1 has two rows.
"""
ITEMS = (
    (101, "", "", "", "", "", "", 1, 1, 0, *[0] * 5, "Shirt_AU", "Shirt_AL", "", "Shirt_TU\t", ""),
    (102, "", "", "", "", "", "", 0, 0, 1, *[0] * 5, "", "", "", "", "", "Robe_LU", "Robe_LL"),
    (103, "", "", "", "", "", "", 1, 0, 0, *[0] * 5, "", "", "", "", "", "", "Boot_LL", "Boot_FO"),
    (104, "", "", "", "", "", "", 0, 0, 0, *[0] * 5, "", "Glove_AL", "Glove_HA"),
    (105, "Helm.mdx", "", "Helm", "", "", "", 0, 0, 0, 0, 0, 0, 7, 8),
    (106, "", "", "Cape", "", "", "", 1),
)
"""Rows of ItemDisplayInfo: shirt, robe, boots, gloves, helm, cape."""


def tables(**changes: bytes) -> dict[str, bytes]:
    """The tables of 3.3.5a by file name; `changes` replaces some by their names without suffix."""
    film = 9999  # no offset of a text, because 2.4.3 has a text here
    race = (RACE, 0, 0, 0, 0, 0, "Ma", 0, 7, 0, 0, "Made", film, 0, "The Made")
    made = {
        "ChrRaces": table_bytes([race], 69),
        "CharSections": table_bytes(SECTIONS),
        "CharHairGeosets": table_bytes([(1, RACE, 0, 0, 2, 0), (2, RACE, 0, 1, 3, 0), (3, RACE, 0, 2, 0, 1)]),
        "CharacterFacialHairStyles": table_bytes([(RACE, 0, 0, 1, 0, 3, 0, 0), (RACE, 0, 1, 2, 2, 3, 0, 0)]),
        "ItemDisplayInfo": table_bytes(ITEMS, 25),
        "HelmetGeosetVisData": table_bytes([(7, 1 << RACE, 1 << RACE, 0, 1 << 4, 1 << RACE, 0, 0)]),
        "CreatureModelData": table_bytes([(7, 0, f"{FOLDER}MadeMale.mdx", 1, 1.0)], 28),
        "CreatureDisplayInfo": table_bytes(
            [(50, 7, 0, 900, 1.0, 255), (51, 7, 0, 901, 1.0, 255), (52, 7, 0, 0, 1.0, 255)], 16
        ),
        "CreatureDisplayInfoExtra": table_bytes(
            [
                (900, RACE, 0, 1, 0, 1, 1, 1, 0, 0, 101, 0, 0, 0, 0, 0, 0, 0, 0, 0, "Baked.blp"),
                (901, RACE, 0, 1, 0, 1, 1, 1, 0, 0, 101, 0, 0, 0, 0, 0, 0, 0, 106, 0, "Gone.blp"),
            ]
        ),
    }
    return {f"{name}.dbc": data for name, data in {**made, **changes}.items()}


def picture(path: Path, color: Sequence[int], size: tuple[int, int] = (64, 64)) -> Path:
    """Write a picture of one colour; `size` is its width and height."""
    path.parent.mkdir(parents=True, exist_ok=True)
    save_png(path, np.full((size[1], size[0], 4), color, np.uint8))
    return path


def skin_with(geosets: Sequence[int]) -> bytes:
    """A view with a triangle for each geoset. Hair (1 to 99) has the second texture, capes have the third."""
    submesh = {"vertex_count": 3, "index_count": 3, "bone_count": 2, "influences": 1}
    texture = {each: 1 if 0 < each < 100 else 2 if 1502 <= each < 1600 else 0 for each in geosets}
    return skin_bytes(
        m2_files.WRATH,
        {
            "vertices": [0, 1, 2],
            "indices": [0, 1, 2],
            "joints": [(0, 0, 0, 0)] * 3,
            "submeshes": [{"id": each, **submesh} for each in geosets],
            "batches": [
                {"submesh": number, "color": -1, "texture_count": 1, "texture": texture[each]}
                for number, each in enumerate(geosets)
            ],
        },
    )


def write_character(root: Path, given: Mapping[str, bytes] | None = None, **changes: Any) -> Path:
    """Write a male character with its pictures and tables below a root; return the path of the model."""
    folder = root / "Character" / "Made" / "Male"
    folder.mkdir(parents=True, exist_ok=True)
    for name, color in COLORS.items():
        picture(folder / f"{name}.blp", color)
    for name, color in ITEM_COLORS.items():
        picture(root / "Item" / "TextureComponents" / f"{name}.blp", color, (32, 16))
    picture(root / "Textures" / "BakedNpcTextures" / "Baked.blp", (77, 77, 77, 255))
    picture(root / "Item" / "ObjectComponents" / "Cape" / "Cape.blp", (88, 0, 0, 255))
    textures = [{"type": 1}, {"type": 6}, {"type": 2}]
    fields = {"textures": textures, "texture_lookup": [0, 1, 2], "particles": [], "ribbons": [], **changes}
    path = folder / "MadeMale.m2"
    path.write_bytes(m2_files.model(m2_files.WRATH, **fields))
    (folder / "MadeMale00.skin").write_bytes(skin_with(GEOSETS))
    write_tables(root / "DBFilesClient", tables() if given is None else given)
    return path
