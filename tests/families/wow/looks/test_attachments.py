"""The models of items that hang on a character."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests import m2_files
from tests.character_files import ITEMS, picture, skin_with, tables, write_character
from tests.families.wow.looks.test_characters import LOOK
from tests.table_files import table_bytes
from viewer.animation.pose import Layer, pose
from viewer.scene.characters import AttachedModel
from viewer.scene.document import Document
from viewer.scene.mesh.vertices import VertexMotion, posed
from viewer.scene.model import Model
from viewer.scene.reading_context import DEFAULT, ReadingContext, reading_context
from viewer.storage.documents import open_document, wearing

POINT = (0.25, 0.5, 1.0)
ATTACHMENTS = [{"id": id, "bone": 2, "position": POINT} for id in (0, 1, 2, 5, 6, 11, 26)]


def write_item(root: Path, name: str, **changes: Any) -> Path:
    """Write a model of an item with one geometry; return its path."""
    path = root / "Item" / "ObjectComponents" / f"{name}.m2"
    path.parent.mkdir(parents=True, exist_ok=True)
    fields = {"textures": [{"type": 2}], "texture_lookup": [0], "particles": [], "ribbons": [], **changes}
    path.write_bytes(m2_files.model(m2_files.WRATH, **fields))
    path.with_name(f"{path.stem}00.skin").write_bytes(skin_with((0,)))
    return path


def rows(*more: Any) -> dict[str, bytes]:
    """The tables with more items."""
    return tables(ItemDisplayInfo=table_bytes([*ITEMS, *more], 25))


@pytest.fixture
def game(tmp_path: Path) -> Path:
    write_item(tmp_path, "Head/Helm_MaM")
    picture(tmp_path / "Item" / "ObjectComponents" / "Head" / "Helm.blp", (9, 9, 9, 255))
    return tmp_path


def opened(root: Path, *more: Any, context: ReadingContext = DEFAULT) -> Document:
    return open_document(write_character(root, rows(*more), attachments=ATTACHMENTS), context)


def attached(document: Document, slot: str, id: int) -> tuple[Document, tuple[AttachedModel, ...]]:
    """The document with an item, and its attached models."""
    found = wearing(document, LOOK.wearing(slot, id))
    assert found.character is not None
    return found, found.character.attached


def test_a_helmet_has_the_name_of_the_race_and_sex(game: Path) -> None:
    plain = opened(game)
    found, (helm,) = attached(plain, "head", 105)
    assert (helm.name, helm.attachment, helm.slot) == ("Helm_MaM.m2", 11, "head")
    assert plain.model is not None and found.model is not None
    assert helm.geometries == (len(plain.model.geometries),)
    geometry = found.model.geometries[-1]
    assert (geometry.owner, geometry.geoset, geometry.shown) == ("Helm_MaM", None, True)


def test_the_model_of_an_item_is_read_as_the_character_is(game: Path, tmp_path_factory: Any) -> None:
    given = tmp_path_factory.mktemp("given")
    view = game / "Item/ObjectComponents/Head/Helm_MaM00.skin"
    (given / view.name).write_bytes(view.read_bytes())
    view.unlink()
    for context, complete in ((DEFAULT, False), (reading_context(resources=[str(given)]), True)) * 2:
        _, (helm,) = attached(opened(game, context=context), "head", 105)
        assert (not helm.trouble, bool(helm.geometries)) == (complete, complete)


def test_the_texture_of_the_row_is_on_the_model(game: Path) -> None:
    found, _ = attached(opened(game), "head", 105)
    assert found.model is not None
    material = found.model.materials[found.model.geometries[-1].material or 0]
    texture = found.model.textures[material.units["diffuse"]]
    assert Path(texture.path or "").name == "Helm.blp" and texture.by == "game"


def test_the_model_moves_with_its_attachment(game: Path) -> None:
    found, _ = attached(opened(game), "head", 105)
    model = found.model
    assert model is not None and model.skeleton is not None
    walk = found.animations[1]
    skin = pose(model.skeleton, [Layer(walk, 0.3)]).skin
    number = len(model.geometries) - 1
    item = open_document(game / "Item" / "ObjectComponents" / "Head" / "Helm_MaM.m2")
    assert item.model is not None
    rest, moved = placed(item.model, 0, None), placed(model, number, skin)
    wanted = (rest + POINT) @ skin[2][:, :3].T + skin[2][:, 3]
    assert np.allclose(moved, wanted, atol=1e-5) and not np.allclose(moved, rest + POINT, atol=1e-3)


def placed(model: Model, number: int, skin: Any) -> Any:
    """The positions [3, 3] of the first three vertices of a geometry."""
    geometry = model.geometries[number]
    return posed(model, geometry, geometry.lods[0], np.arange(3), VertexMotion(skin))


def test_shoulders_hang_left_and_right(tmp_path: Path) -> None:
    for side in "LR":
        write_item(tmp_path, f"Shoulder/{side}Shoulder")
    row = (107, "LShoulder.mdx", "RShoulder.mdl", "One", "Two")
    _, found = attached(opened(tmp_path, row), "shoulder", 107)
    assert [(each.name, each.attachment) for each in found] == [("LShoulder.m2", 6), ("RShoulder.m2", 5)]


@pytest.mark.parametrize(
    ("slot", "folder", "name", "attachment"),
    [
        ("main-hand", "Weapon", "Axe", 1),
        ("off-hand", "Weapon", "Axe", 2),
        ("off-hand", "Shield", "Axe", 0),
        ("ranged", "Weapon", "Bow_1", 2),
        ("ranged", "Weapon", "Crossbow_1", 1),
        ("ranged", "Weapon", "Gun", 1),
        ("quiver", "Quiver", "Quiver_A", 26),
    ],
)
def test_weapons_and_shields(tmp_path: Path, slot: str, folder: str, name: str, attachment: int) -> None:
    write_item(tmp_path, f"{folder}/{name}")
    _, (found,) = attached(opened(tmp_path, (107, f"{name}.mdx")), slot, 107)
    assert (found.attachment, found.path is not None, found.trouble) == (attachment, True, "")


def test_a_missing_model_is_reported_and_the_body_stays(tmp_path: Path) -> None:
    document = opened(tmp_path)
    found, (helm,) = attached(document, "head", 105)
    assert helm.path is None and not helm.geometries
    assert "look: Helm_MaM.m2 is missing" in found.report.warnings


def test_a_missing_texture_of_an_item_is_reported(tmp_path: Path) -> None:
    write_item(tmp_path, "Head/Helm_MaM")
    found, _ = attached(opened(tmp_path), "head", 105)
    assert "look: Helm.blp is missing" in found.report.warnings


@pytest.mark.parametrize("data", [b"PTCH" + bytes(60), b"", b"MD20" + bytes(8), b"MD20\x08\x01\x00\x00"])
def test_a_broken_model_is_left_out_with_a_line(game: Path, data: bytes) -> None:
    (game / "Item" / "ObjectComponents" / "Head" / "Helm_MaM.m2").write_bytes(data)
    found, (helm,) = attached(opened(game), "head", 105)
    assert helm.trouble and not helm.geometries
    assert [text for text in found.report.warnings if "Helm_MaM.m2 (head) is not shown" in text]


def test_a_character_without_the_attachment_wears_no_model(game: Path) -> None:
    document = open_document(write_character(game, rows(), attachments=[]))
    _, (helm,) = attached(document, "head", 105)
    assert helm.trouble == "the character has no attachment 11"


def test_an_item_without_bones_is_left_out(game: Path) -> None:
    write_item(game, "Head/Helm_MaM", bones=[], attachments=[])
    _, (helm,) = attached(opened(game), "head", 105)
    assert helm.trouble == "it has no bones"


def test_effects_hang_on_the_item(tmp_path: Path) -> None:
    write_item(tmp_path, "Weapon/Axe", attachments=[{"id": 0, "bone": 0, "position": (0, 0, 2)}])
    write_item(tmp_path, "Weapon/Glow")
    visuals = {
        "ItemVisuals.dbc": table_bytes([(3, 4, 4, 0, 0, 0)]),
        "ItemVisualEffects.dbc": table_bytes([(4, "Item\\ObjectComponents\\Weapon\\Glow.mdx")]),
    }
    row = (107, "Axe.mdx", *[0] * 20, 0, 3)
    given = tables(ItemDisplayInfo=table_bytes([*ITEMS, row], 25)) | visuals
    document = open_document(write_character(tmp_path, given, attachments=ATTACHMENTS))
    found, (axe,) = attached(document, "main-hand", 107)
    assert found.model is not None
    owners = [each.owner for each in found.model.geometries if each.owner]
    assert owners == ["Axe", "Glow"] and len(axe.geometries) == 2


def test_an_item_whose_effect_is_the_item_itself_is_drawn_once(tmp_path: Path) -> None:
    write_item(tmp_path, "Weapon/Axe", attachments=[{"id": 0, "bone": 0, "position": (0, 0, 2)}])
    visuals = {
        "ItemVisuals.dbc": table_bytes([(3, 4, 0, 0, 0, 0)]),
        "ItemVisualEffects.dbc": table_bytes([(4, "Item\\ObjectComponents\\Weapon\\Axe.mdx")]),
    }
    row = (107, "Axe.mdx", *[0] * 20, 0, 3)
    given = tables(ItemDisplayInfo=table_bytes([*ITEMS, row], 25)) | visuals
    document = open_document(write_character(tmp_path, given, attachments=ATTACHMENTS))
    found, _ = attached(document, "main-hand", 107)
    assert found.model is not None
    assert [each.owner for each in found.model.geometries if each.owner] == ["Axe"]
    line = "look: an effect of Axe.m2 (main-hand) is not shown: Axe.m2: it is the item's own model"
    assert line in found.report.warnings


def test_a_character_does_not_hang_on_itself(tmp_path: Path) -> None:
    row = (107, "..\\..\\..\\Character\\Made\\Male\\MadeMale.mdx")
    document = opened(tmp_path, row)
    found, (itself,) = attached(document, "main-hand", 107)
    assert not itself.geometries and document.model is not None and found.model is not None
    assert len(found.model.geometries) == len(document.model.geometries)
    assert itself.path is None or "it is the character's own model" in found.report.warnings[-1]


def test_a_copy_of_the_character_in_the_folder_of_weapons_hangs_once(tmp_path: Path) -> None:
    document = opened(tmp_path, (107, "MadeMale.mdx"))
    assert document.model is not None
    found, (itself,) = attached(document, "main-hand", 107)
    assert found.model is not None and not itself.geometries
    assert itself.path == document.path
    assert [text for text in found.report.warnings if "own model" in text] == [
        "look: MadeMale.m2 (main-hand) is not shown: it is the character's own model"
    ]


def test_a_broken_effect_costs_a_line_and_the_item_stays(tmp_path: Path) -> None:
    write_item(tmp_path, "Weapon/Axe", attachments=[{"id": 0, "bone": 0, "position": (0, 0, 2)}])
    write_item(tmp_path, "Weapon/Glow").write_bytes(b"PTCH" + bytes(60))
    visuals = {
        "ItemVisuals.dbc": table_bytes([(3, 4, 0, 0, 0, 0)]),
        "ItemVisualEffects.dbc": table_bytes([(4, "Item\\ObjectComponents\\Weapon\\Glow.mdx")]),
    }
    row = (107, "Axe.mdx", *[0] * 20, 0, 3)
    given = tables(ItemDisplayInfo=table_bytes([*ITEMS, row], 25)) | visuals
    document = open_document(write_character(tmp_path, given, attachments=ATTACHMENTS))
    found, (axe,) = attached(document, "main-hand", 107)
    assert len(axe.geometries) == 1
    (line,) = (text for text in found.report.warnings if "effect" in text)
    assert line.startswith("look: an effect of Axe.m2 (main-hand) is not shown: Glow.m2: ")


def test_taking_an_item_off_restores_the_model(game: Path) -> None:
    document = wearing(opened(game), LOOK)
    again = wearing(attached(document, "head", 105)[0], LOOK)
    assert document.model is not None and again.model is not None
    assert len(again.model.geometries) == len(document.model.geometries)
    assert again.model.skeleton is document.model.skeleton
    assert replace(again.model, geometries=(), textures=()).vertex_buffers == document.model.vertex_buffers


def test_the_lists_of_items_have_what_fits_the_slot(tmp_path: Path) -> None:
    write_item(tmp_path, "Quiver/Quiver_A")
    more = ((107, "Axe.mdx"), (108, "LShoulder_A.mdx", "RShoulder_A.mdx"), (109, "Quiver_A.mdx"))
    character = opened(tmp_path, *more).character
    assert character is not None
    slots = ("head", "shoulder", "main-hand", "off-hand", "quiver", "back", "hands")
    listed = {slot: [each.id for each in character.find_items(slot, "")] for slot in slots}
    assert listed == {
        "head": [105],
        "shoulder": [108],
        "main-hand": [107],
        "off-hand": [107],
        "quiver": [109],
        "back": [106],
        "hands": [104],
    }
    assert [each.complete for each in character.find_items("quiver", "quiver_a")] == [True]


def test_the_lists_leave_out_items_of_other_body_slots(tmp_path: Path) -> None:
    """Trousers cover regions that robes cover too, and tabards regions of shirts."""
    body, robe = [0] * 5, ("Robe_Sleeve_AU", "", "", "Robe_Chest_TU", "", "Robe_LU")
    more = (
        (111, "", "", "", "", "", "", 0, 0, 0, *body, "", "", "", "", "", "Cloth_Pant_LU", "Cloth_Pant_LL"),
        (112, "", "", "", "", "", "", 0, 0, 0, *body, "", "", "", "", "", "Cloth_Belt_LU"),
        (113, "", "", "", "", "", "", 0, 0, 0, *body, "", "", "", "Tabard_A_Chest_TU", "Tabard_A_Chest_TL"),
        (114, "", "", "", "", "", "", 0, 0, 0, *body, *robe),
    )
    character = opened(tmp_path, *more).character
    assert character is not None
    slots = ("shirt", "chest", "legs", "waist", "feet", "hands", "tabard", "wrist")
    listed = {slot: [each.id for each in character.find_items(slot, "")] for slot in slots}
    assert listed == {
        "shirt": [101],
        "chest": [102, 114],
        "legs": [111],
        "waist": [112],
        "feet": [103],
        "hands": [104],
        "tabard": [113],
        "wrist": [],
    }
