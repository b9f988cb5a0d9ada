"""A model that wears a display."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests import m2_files
from tests.creature_files import creature_tables, wrath_tables, write_creature, write_tables
from tests.table_files import table_bytes
from viewer.errors import ViewerError
from viewer.families.wow.looks.dressing import dressed
from viewer.scene.document import Document
from viewer.scene.looks import Look
from viewer.scene.material import AT_FIRST
from viewer.scene.model import Geometry, Model
from viewer.scene.needs import needs_of
from viewer.scene.reading_context import reading_context
from viewer.storage.dependencies import depends_on
from viewer.storage.documents import open_document, wearing

MISSING_SKIN = "texture monster skin 1 (type 11) is not in the file"


def skin(document: Document) -> str | None:
    assert document.model is not None
    path = document.model.textures[0].path
    return None if path is None else Path(path).name


def test_the_textures_of_the_display_are_worn_and_said_to_be_the_games(tmp_path: Path) -> None:
    document = open_document(write_creature(tmp_path))
    assert document.model is not None
    texture = document.model.textures[0]
    assert (skin(document), texture.by, texture.kind) == ("MadeBlack.blp", "game", 11)
    assert texture.decode is not None and texture.decode().levels[0][0, 0].tolist() == [20, 20, 20, 255]


def test_a_texture_that_the_game_gives_is_no_longer_reported_missing(tmp_path: Path) -> None:
    document = open_document(write_creature(tmp_path, textures=[{"type": 11}, {"type": 2}]))
    assert not [text for text in document.report.warnings if MISSING_SKIN in text]
    assert [need.how for need in needs_of(document) if need.kind == "texture"][:1] == ["table"]
    bare = wearing(document, "none")
    assert [need.how for need in needs_of(bare) if need.kind == "texture"][:1] == ["name"]


def test_another_display_is_worn_in_place_of_the_first(tmp_path: Path) -> None:
    document = open_document(write_creature(tmp_path, textures=[{"type": 11}, {"type": 12}]))
    worn = wearing(document, "40")
    assert worn.model is not None and worn.displays.worn_id == 40
    assert [Path(each.path or "").name for each in worn.model.textures] == ["MadeWhite.blp", "MadeEyes.blp"]
    assert skin(wearing(worn, "20")) == "MadeBlack.blp"


def test_a_document_that_wears_the_display_already_stays(tmp_path: Path) -> None:
    document = open_document(write_creature(tmp_path))
    assert wearing(document, "20") is document and wearing(document, "") is document


def test_a_missing_skin_is_reported(tmp_path: Path) -> None:
    worn = wearing(open_document(write_creature(tmp_path)), "30")
    assert "display 30: MadeGone.blp is missing" in worn.report.warnings


@pytest.mark.parametrize("name", ["..\\Frog\\FrogGreen", "a/b", "C:x"])
def test_a_name_that_leaves_the_folder_costs_a_line(tmp_path: Path, name: str) -> None:
    tables = creature_tables([(20, 7, 0, 0, 1.0, 255, name), (21, 7, 0, 0, 1.0, 255, "MadeWhite")])
    document = open_document(write_creature(tmp_path, tables))
    assert document.displays.worn_id == 21
    assert [text for text in document.report.warnings if "display 20: the texture name " in text]


def test_a_skin_is_found_at_its_place_in_the_game(tmp_path: Path) -> None:
    game = write_creature(tmp_path / "game")
    lone = tmp_path / "downloads" / "Made.m2"
    lone.parent.mkdir()
    lone.write_bytes(game.read_bytes())
    document = open_document(lone, reading_context(resources=[str(tmp_path / "game")]))
    assert document.model is not None
    assert document.model.textures[0].path == str(game.with_name("MadeBlack.blp"))
    assert document.model.textures[0].by == "game"


def test_the_model_has_the_size_of_the_display(tmp_path: Path) -> None:
    document = open_document(write_creature(tmp_path))
    bare = wearing(document, "none")
    assert document.model is not None and bare.model is not None
    assert np.allclose(document.model.to_world[:3, :3], 2.0 * bare.model.to_world[:3, :3])
    assert np.allclose(document.model.to_world[:, 3], bare.model.to_world[:, 3])


def test_a_translucent_display_fades_the_materials(tmp_path: Path) -> None:
    worn = wearing(open_document(write_creature(tmp_path)), "50")
    assert worn.model is not None
    material = worn.model.materials[0]
    assert material.motion is not None
    assert material.motion(AT_FIRST).diffuse[3] == pytest.approx(material.diffuse[3])
    assert material.diffuse[3] == pytest.approx(128 / 255)


def test_geosets_replace_the_variants_of_their_groups_alone() -> None:
    geosets = (0, 101, 102, 201, 202, None)
    model = Model("", geometries=tuple(Geometry("", (), geoset=each) for each in geosets))
    found = dressed(model, Look(geosets=(102,)))
    assert [each.shown for each in found.geometries] == [True, False, True, True, True, True]


def test_particle_colors_replace_those_of_their_emitters_and_keep_the_alphas(tmp_path: Path) -> None:
    row = (20, 7, 0, 0, 1.0, 255, "MadeBlack", "", "", "", 0, 0, 0, 4, 0, 0)
    emitters = [{"type": 1, "blend": 4, "color_index": index} for index in (11, 12, 0)]
    path = write_creature(tmp_path, wrath_tables(row), m2_files.WRATH, particles=emitters)
    document = open_document(path)
    bare = wearing(document, "none")
    assert document.model is not None and bare.model is not None
    first, second, own = document.model.emitters
    assert np.allclose(first.colors.values * 255, [(1, 2, 3), (4, 5, 6), (7, 8, 9)])
    assert np.allclose(second.colors.values * 255, [(255, 0, 0), (0, 255, 0), (0, 0, 255)])
    assert own.colors is bare.model.emitters[2].colors
    assert first.alphas is bare.model.emitters[0].alphas
    assert len(first.troubles) == len(bare.model.emitters[0].troubles) - 1


def test_unknown_particle_colors_cost_a_line(tmp_path: Path) -> None:
    row = (20, 7, 0, 0, 1.0, 255, "MadeBlack", "", "", "", 0, 0, 0, 5, 0, 0)
    document = open_document(write_creature(tmp_path, wrath_tables(row), m2_files.WRATH))
    assert "display 20: no table has the particle colours 5" in document.report.warnings


def test_the_tables_are_dependencies(tmp_path: Path) -> None:
    row = (20, 7, 0, 0, 1.0, 255, "MadeBlack", "", "", "", 0, 0, 0, 4, 0, 0)
    tables = {**wrath_tables(row), "AnimationData.dbc": table_bytes([(0, "Stand", 0, 0, 0, 0, 0, 0)])}
    document = open_document(write_creature(tmp_path, tables, m2_files.WRATH))
    for each in (document, wearing(document, "none"), wearing(wearing(document, "none"), "20")):
        assert {str(tmp_path / "DBFilesClient" / name) for name in tables} <= depends_on(each)


def test_tables_of_names_are_dependencies(tmp_path: Path) -> None:
    tables = {"SpellVisualEffectName.dbc": table_bytes([(1, "Fire", "Creature\\Made\\Made.mdx")], 5)}
    document = open_document(write_creature(tmp_path, tables))
    assert str(tmp_path / "DBFilesClient" / "SpellVisualEffectName.dbc") in depends_on(document)


def test_a_model_is_dressed_after_its_tables_are_gone(tmp_path: Path) -> None:
    document = open_document(write_creature(tmp_path))
    write_tables(tmp_path / "DBFilesClient", creature_tables(path="Creature\\Other\\Other.mdx"))
    assert wearing(document, "40").displays.worn_id is None


def test_a_path_with_an_id_opens_the_model_in_that_display(tmp_path: Path) -> None:
    path = write_creature(tmp_path)
    for text in ("40", "40 any title"):
        document = open_document(f"{path}::{text}")
        assert (document.path, document.displays.worn_id) == (str(path), 40)


@pytest.mark.parametrize("text", ["7", "black"])
def test_a_path_with_an_unknown_display_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(ViewerError):
        open_document(f"{write_creature(tmp_path)}::{text}")


def test_tables_that_appear_later_are_dependencies_too(tmp_path: Path) -> None:
    path = write_creature(tmp_path, {})
    assert str(tmp_path / "DBFilesClient" / "CreatureModelData.dbc") in depends_on(open_document(path))
    lone = tmp_path / "Made.m2"
    lone.write_bytes(path.read_bytes())
    assert not any("CreatureModelData" in each for each in depends_on(open_document(lone)))
