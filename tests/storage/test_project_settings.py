"""Pins: the settings of a project say which file a model has for a name, see also `tests/check`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests import m2_files
from tests.conftest import ROOT
from tests.families.urho3d.test_assignment import BLUE, RED
from tests.ogre_files import geometry_of, mesh_bytes, submesh
from tests.ogre_media import SIMPLE
from tests.ogre_skeletons import rich_skeleton
from tests.packages import png
from tests.synthetic import model_bytes
from viewer.binary import Struct
from viewer.families.ogre.mesh_layout import SKELETON_LINK, SUBMESH
from viewer.families.ogre.versions import MeshVersion
from viewer.families.wow.m2.layout.fields import VersionTraits
from viewer.scene.document import Document
from viewer.scene.reading_context import DEFAULT, ReadingContext, name_key
from viewer.storage.documents import open_document
from viewer.storage.resource_folders import forget_resources


class Game:
    """A project with settings."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.context: ReadingContext = DEFAULT
        self.put(".git/HEAD")

    def put(self, name: str, data: str | bytes = "") -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        forget_resources()

    def pin(self, text: str, name: str = "rigscope.toml", table: str = "pins") -> None:
        self.put(name, f"[{table}]\n{text}")

    def open(self, name: str) -> Document:
        return open_document(self.root / name, self.context)

    def below(self, path: str | None) -> str | None:
        return path and Path(path).relative_to(self.root).as_posix()

    def materials(self, name: str) -> list[tuple[str | None, str | None]]:
        """Where the materials of a model were found, and how."""
        model = self.open(name).model
        assert model is not None
        return [(self.below(each.found), each.how) for each in model.materials]

    def textures(self, name: str) -> list[tuple[str | None, str | None]]:
        model = self.open(name).model
        assert model is not None
        return [(self.below(each.path), each.how) for each in model.textures]

    def warnings(self, name: str) -> list[str]:
        return [each for each in self.open(name).report.warnings if "pin" in each]


@pytest.fixture
def game(tmp_path: Path) -> Game:
    return Game(tmp_path / "game")


@pytest.fixture
def crate(game: Game) -> Game:
    """A model of Urho3D that names no material, with one named like it."""
    game.put("Data/Models/Crate.mdl", model_bytes())
    game.put("Data/Materials/Crate.xml", RED)
    game.put("Data/Materials/Wood.xml", BLUE)
    return game


CRATE, ORC = "Data/Models/Crate.mdl", "m/orc/orc.mesh"
WOOD = [("Data/Materials/Wood.xml", "given")]


@pytest.mark.parametrize("pattern", ["Data/Models/Crate.mdl", "Cr*.mdl", "Data/", "**/Models/*"])
@pytest.mark.parametrize(
    "value", ['"Data/Materials/Wood.xml"', '"Materials/Wood.xml"', '{ 0 = "Materials/Wood.xml" }']
)
def test_a_model_without_names_has_the_pinned_material(crate: Game, pattern: str, value: str) -> None:
    assert crate.materials(CRATE) == [("Data/Materials/Crate.xml", "name")]
    crate.pin(f'"{pattern}" = {value}')
    assert crate.materials(CRATE) == WOOD
    assert crate.warnings(CRATE) == []


def test_a_pin_of_another_model_does_not_count(crate: Game) -> None:
    crate.pin('"Data/Models/Barrel.mdl" = "Materials/Wood.xml"')
    assert crate.materials(CRATE) == [("Data/Materials/Crate.xml", "name")]


def test_a_pin_comes_before_the_list_beside_the_model(crate: Game) -> None:
    crate.put("Data/Models/Crate.txt", "Materials/Crate.xml")
    crate.pin('"Crate.mdl" = "Materials/Wood.xml"')
    assert crate.materials(CRATE) == WOOD


def test_a_choice_of_the_user_comes_before_a_pin(crate: Game) -> None:
    crate.pin('"Crate.mdl" = "Materials/Wood.xml"')
    chosen = str(crate.root / "Data/Materials/Crate.xml")
    crate.context = replace(DEFAULT, chosen=((name_key("Materials/Crate.xml"), chosen),))
    assert crate.materials(CRATE) == [("Data/Materials/Crate.xml", "given")]


@pytest.mark.parametrize("value", ['"Materials/Gone.xml"', '{ 0 = "Materials/Gone.xml" }'])
def test_a_pin_that_leads_nowhere_is_one_line(crate: Game, value: str) -> None:
    crate.pin(f'"Crate.mdl" = {value}')
    assert crate.materials(CRATE) == [("Data/Materials/Crate.xml", "name")]
    (line,) = crate.warnings(CRATE)
    assert "rigscope.toml pins" in line and "Materials/Gone.xml, which was not found" in line


def test_the_nearest_settings_count(crate: Game) -> None:
    crate.pin('"Crate.mdl" = "Materials/Wood.xml"', "pyproject.toml", "tool.rigscope.pins")
    assert crate.materials(CRATE) == WOOD
    crate.pin("", "Data/rigscope.toml")
    assert crate.materials(CRATE) == [("Data/Materials/Crate.xml", "name")]
    crate.pin("", "Data/rigscope.toml", "other")
    crate.pin('"Crate.mdl" = "Materials/Wood.xml"', "Data/Models/rigscope.toml")
    assert crate.materials(CRATE) == WOOD


def test_settings_beyond_the_repository_are_not_read(crate: Game) -> None:
    crate.pin('"Crate.mdl" = "Materials/Wood.xml"', "../rigscope.toml")
    assert crate.materials(CRATE) == [("Data/Materials/Crate.xml", "name")]


@pytest.mark.parametrize(
    "text",
    ['"Crate.mdl" = 3', '"Crate.mdl" = { a = [] }', '"Crate.mdl" = ""', '"Crate.mdl" = ', "\xff", "[" * 5000],
)
def test_broken_settings_are_one_line(crate: Game, text: str) -> None:
    crate.pin(text)
    assert crate.materials(CRATE) == [("Data/Materials/Crate.xml", "name")]
    (line,) = crate.warnings(CRATE)
    assert line.startswith("nothing is pinned: ") and line.count("rigscope.toml") == 1


def test_a_changed_pin_counts_at_once(crate: Game) -> None:
    crate.pin('"Crate.mdl" = "Materials/Wood.xml"')
    assert crate.materials(CRATE) == WOOD
    (crate.root / "rigscope.toml").write_text('[pins]\n"Crate.mdl" = "Materials/Crate.xml"')
    assert crate.materials(CRATE) == [("Data/Materials/Crate.xml", "given")]
    (crate.root / "rigscope.toml").unlink()
    assert crate.materials(CRATE) == [("Data/Materials/Crate.xml", "name")]


def test_a_texture_is_pinned_by_its_name(crate: Game) -> None:
    picture = '<texture unit="diffuse" name="Textures/a.png"/><parameter'
    crate.put("Data/Materials/Crate.xml", RED.replace("<parameter", picture))
    crate.put("Data/Textures/a.png", png())
    crate.put("art/b.png", png())
    crate.pin('"Crate.mdl" = { "textures/A.png" = "art/b.png" }')
    assert crate.textures(CRATE) == [("art/b.png", "given")]
    assert crate.materials(CRATE) == [("Data/Materials/Crate.xml", "name")]


@pytest.fixture
def orc(game: Game) -> Game:
    """A mesh of OGRE whose material is defined beside it and elsewhere."""
    version = MeshVersion.V1_100
    chunks = (
        (SUBMESH, submesh(geometry_of(version), material="M")),
        (SKELETON_LINK, Struct(file="orc.skeleton")),
    )
    game.put(ORC, mesh_bytes(version, *chunks))
    game.put("m/orc/orc.skeleton", rich_skeleton())
    game.put("m/orc/orc.material", SIMPLE.format(name="M", file="a.png"))
    game.put(
        "m/elf/elf.material", SIMPLE.format(name="M", file="b.png") + SIMPLE.format(name="N", file="b.png")
    )
    game.put("m/one.material", SIMPLE.format(name="Other", file="b.png"))
    for name in ("m/orc/a.png", "m/orc/b.png", "art/c.png"):
        game.put(name, png())
    return game


@pytest.mark.parametrize(
    ("value", "script"),
    [
        ("m/elf/elf.material", "m/elf/elf.material"),
        ("m/one.material", "m/one.material"),
        ("Other", "m/one.material"),
    ],
)
def test_a_material_of_ogre_is_pinned_to_a_script_or_to_another_material(
    orc: Game, value: str, script: str
) -> None:
    assert orc.materials(ORC) == [("m/orc/orc.material", "stored")]
    orc.pin(f'"m/orc/*.mesh" = {{ M = "{value}" }}')
    assert orc.materials(ORC) == [(script, "given")]
    assert orc.textures(ORC) == [("m/orc/b.png", "stored")]
    assert orc.warnings(ORC) == []


@pytest.mark.parametrize("value", ["Gone", "m/gone.material", "m/orc/a.png"])
def test_a_pin_of_a_material_of_ogre_that_leads_nowhere_is_one_line(orc: Game, value: str) -> None:
    orc.pin(f'"m/orc/*.mesh" = {{ M = "{value}" }}')
    assert orc.materials(ORC) == [("m/orc/orc.material", "stored")]
    assert len(orc.warnings(ORC)) == 1


def test_a_picture_and_a_skeleton_of_ogre_are_pinned(orc: Game) -> None:
    orc.put("skeletons/other.skeleton", rich_skeleton())
    orc.pin('"orc.mesh" = { "a.png" = "art/c.png", "orc.skeleton" = "skeletons/other.skeleton" }')
    assert orc.textures(ORC) == [("art/c.png", "given")]
    assert [orc.below(each.path) for each in orc.open(ORC).attached] == ["skeletons/other.skeleton"]


@pytest.mark.parametrize(("value", "warned"), [("views/Other00.skin", 0), ("Gone00.skin", 1)])
def test_a_view_of_an_m2_is_pinned(game: Game, value: str, warned: int) -> None:
    game.put("Made.m2", m2_files.model(VersionTraits(264)))
    game.put("views/Other00.skin", m2_files.skin())
    game.pin(f'"Made.m2" = {{ "Made00.skin" = "{value}" }}')
    model = game.open("Made.m2").model
    assert model is not None
    assert (bool(model.geometries), len(game.warnings("Made.m2"))) == (not warned, warned)


def test_pins_in_a_circle_end(crate: Game) -> None:
    crate.put("Data/Models/Crate.txt", "A.xml")
    crate.put("Data/Models/B.xml", BLUE)
    crate.pin('"Crate.mdl" = { "A.xml" = "B.xml", "B.xml" = "A.xml" }')
    assert crate.materials(CRATE) == [("Data/Models/B.xml", "given")]


@pytest.mark.parametrize(
    ("settings", "imported"), [("", False), ("rigscope.toml", True), ("pyproject.toml", False)]
)
def test_settings_are_parsed_only_where_there_are_some(crate: Game, settings: str, imported: bool) -> None:
    if settings:
        crate.put(settings, "[project]\n")
    code = "import sys, viewer; viewer.open_document(sys.argv[1]); print('tomllib' in sys.modules)"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", code, str(crate.root / CRATE)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert done.stdout.strip() == str(imported)
