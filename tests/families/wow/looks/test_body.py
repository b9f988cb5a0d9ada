"""The body texture of a character, composed from its layers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.character_files import COLORS, RACE, SECTIONS, picture, section, tables, write_character
from tests.families.wow.looks.test_characters import LOOK
from tests.table_files import Cell, table_bytes
from viewer.errors import FormatError
from viewer.families.wow.looks.body import compose
from viewer.families.wow.looks.look import REGIONS
from viewer.scene.characters import WornFile
from viewer.scene.document import Document
from viewer.scene.reading_context import DEFAULT
from viewer.storage.documents import open_document, wearing


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Document:
    return open_document(write_character(tmp_path_factory.mktemp("game")))


def reds(document: Document, **changes: Any) -> dict[str, int]:
    """The red values in the middle of each region."""
    model = wearing(document, replace(LOOK, **changes)).model
    assert model is not None and model.textures[0].decode is not None
    pixels = model.textures[0].decode().levels[0]
    scale = len(pixels) / 256
    return {
        region: int(pixels[int((y + h / 2) * scale), int((x + w / 2) * scale), 0])
        for region, (x, y, w, h) in REGIONS.items()
        if region != "skin"
    }


def test_layers_lie_in_their_regions(opened: Document) -> None:
    found = reds(opened, skin=0, face=1, hair=0, facial_hair=0)
    assert (found["TU"], found["LU"], found["AU"], found["HA"]) == (4, 1, 200, 200)
    assert (found["FL"], found["FU"]) == (70, 60)


def test_texture_0_of_a_face_is_its_lower_part(opened: Document) -> None:
    found = wearing(opened, replace(LOOK, skin=0, face=1)).character
    assert found is not None
    faces = [(each.part, each.name.rpartition("\\")[2]) for each in found.layers if each.row.endswith(" 11")]
    assert faces == [("FL", "FaceLower.blp"), ("FU", "FaceUpper.blp")]


@pytest.mark.parametrize(("flags", "hair"), [(8, "Hair0.blp"), (0, "")])
@pytest.mark.parametrize("bald", [[], [section(31, 3, 0, 1, "")]])
def test_bald_males_of_some_races_have_a_beard_in_the_texture_of_hair_style_1(
    tmp_path: Path, flags: int, hair: str, bald: list[Sequence[Cell]]
) -> None:
    race = (RACE, flags, 0, 0, 0, 0, "Ma", 0, 7, 0, 0, "Made", 9999, 0, "The Made")
    rows = [each for each in SECTIONS if each[0] != 31]
    given = tables(ChrRaces=table_bytes([race], 69), CharSections=table_bytes([*rows, *bald]))
    model = wearing(open_document(write_character(tmp_path, given)), replace(LOOK, hair=0)).model
    assert model is not None and Path(model.textures[1].path or "").name == hair


def test_layers_blend_by_their_alpha(opened: Document) -> None:
    found = reds(opened, skin=0, face=1, hair=1, facial_hair=0)
    assert found["FU"] == round((0 * 128 + 200 * 127) / 255) and found["FL"] == 0


def test_texture_0_of_facial_hair_lies_over_the_lower_face(opened: Document) -> None:
    assert reds(opened, skin=0, face=1, hair=1, facial_hair=1)["FL"] == COLORS["Beard"][0]


def test_the_body_is_opaque_and_has_the_size_of_its_skin(tmp_path: Path) -> None:
    document = open_document(write_character(tmp_path))
    picture(tmp_path / "Character" / "Made" / "Male" / "Skin1.blp", (0, 9, 0, 0), (96, 40))
    model = wearing(document, LOOK).model
    assert model is not None and model.textures[0].decode is not None
    pixels = model.textures[0].decode().levels[0]
    assert pixels.shape == (40, 96, 4) and (pixels[..., 3] == 255).all() and pixels[0, 0, 1] == 9


@pytest.mark.parametrize(
    ("items", "region", "red"),
    [
        ((("shirt", 101),), "TU", 11),
        ((("shirt", 101),), "AL", 12),
        ((("shirt", 101), ("hands", 104)), "AL", 14),
        ((("hands", 104),), "HA", 15),
        ((("chest", 102),), "LU", 16),
        ((("chest", 102), ("feet", 103)), "LL", 17),
        ((("feet", 103),), "LL", 18),
        ((("feet", 103),), "LU", 1),
        ((("chest", 102),), "TU", 4),
    ],
)
def test_items_lie_over_the_body_by_their_priority(
    opened: Document, items: tuple[tuple[str, int], ...], region: str, red: int
) -> None:
    assert reds(opened, items=items)[region] == red


def test_underwear_stays_if_the_file_of_an_item_is_missing(opened: Document) -> None:
    found = wearing(opened, LOOK.wearing("shirt", 101)).character
    assert found is not None
    parts = [(each.part, each.path is not None) for each in found.layers]
    assert ("AU", False) in parts and ("LU", True) in parts
    assert parts.count(("TU", True)) == 1


def test_names_are_stripped(opened: Document) -> None:
    found = wearing(opened, LOOK.wearing("shirt", 101)).character
    assert found is not None and found.layers[-1].name.endswith("\\Shirt_TU_M.blp")


def test_a_layer_can_be_switched_off(opened: Document) -> None:
    found = wearing(opened, LOOK).character
    assert found is not None
    pelvis = next(each for each in found.layers if each.part == "LU")
    assert reds(opened, hidden=(pelvis.key,))["LU"] == COLORS["Skin1"][0]


def test_missing_files_are_reported_together(opened: Document) -> None:
    document = wearing(opened, replace(LOOK, skin=0, face=0, hair=0, hair_color=0))
    assert "look: FaceGone.blp, HairGone.blp are missing" in document.report.warnings


def test_a_damaged_layer_is_left_out_with_a_warning(tmp_path: Path) -> None:
    skin = picture(tmp_path / "skin.png", (5, 6, 7, 255))
    broken = tmp_path / "broken.blp"
    broken.write_bytes(b"BLP2" + bytes(40))
    layers = (WornFile("skin", "skin", str(skin), ""), WornFile("TU", "broken", str(broken), ""))
    image = compose(layers, DEFAULT)
    assert (image.levels[0][..., 0] == 5).all()
    assert "the layer broken of TU is left out" in image.warnings[0]


def test_a_body_without_a_skin_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="the skin of the body texture is missing"):
        compose((WornFile("skin", "skin", None, ""),), DEFAULT)


@pytest.mark.parametrize("size", [(1, 1), (3, 5), (700, 2)])
def test_skins_and_layers_of_odd_sizes(tmp_path: Path, size: tuple[int, int]) -> None:
    skin = picture(tmp_path / "skin.png", (5, 6, 7, 255), size)
    layer = picture(tmp_path / "layer.png", (50, 6, 7, 255), (size[1], size[0]))
    pixels = compose(
        tuple(WornFile(part, "x", str(layer if part != "skin" else skin), "") for part in REGIONS), DEFAULT
    ).levels[0]
    assert pixels.shape == (size[1], size[0], 4) and np.isin(pixels[..., 0], (5, 50)).all()
