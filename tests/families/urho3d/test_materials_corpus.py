"""Materials of real models: what the engine's own data say."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from viewer.errors import Report
from viewer.families.urho3d.materials import UrhoMaterials, resolve_materials
from viewer.scene.material import MaterialSet
from viewer.scene.reading_context import DEFAULT
from viewer.storage.search import SearchPath


def read_materials(model: Path, count: int = 1) -> MaterialSet:
    report = Report()
    material_set = resolve_materials(model, count, SearchPath.around(model, DEFAULT), report)
    assert report.messages == []
    return material_set


@pytest.fixture
def data(corpus: Path) -> Path:
    return corpus / "urho3d/Data"


def test_jack_has_a_material_without_textures(data: Path) -> None:
    """His pictures lie in Textures, but Jack.xml uses NoTexture: the engine draws him plain, his face too."""
    material_set = read_materials(data / "Models/Jack.mdl")
    material = material_set.materials[0]
    assert material.found == str(data / "Materials/Jack.xml")
    assert (material.units, material_set.textures) == ({}, ())
    assert material.specular == (0.5, 0.5, 0.5, 16.0)


def test_ninja_by_his_prefab(data: Path) -> None:
    material_set = read_materials(data / "Models/NinjaSnowWar/Ninja.mdl", 2)
    assert material_set.per_geometry == (0, 0)
    assert [material.name for material in material_set.materials] == ["Materials/NinjaSnowWar/Ninja.xml"]
    assert material_set.textures[0].path == str(data / "Textures/NinjaSnowWar/Ninja.dds")
    decode = material_set.textures[0].decode
    assert decode is not None
    assert decode().size == (512, 512)


def test_mushroom_by_name(data: Path) -> None:
    material_set = read_materials(data / "Models/Mushroom.mdl")
    assert material_set.materials[0].units == {"diffuse": 0}
    assert material_set.textures[0].path == str(data / "Textures/Mushroom.dds")


def test_stone_has_packed_normals(data: Path) -> None:
    report = Report()
    table = UrhoMaterials(SearchPath.around(data / "Models/Box.mdl", DEFAULT), report)
    table.number("Materials/Stone.xml")
    stone, textures = table.materials[0], table.textures.textures
    assert stone.technique == "Techniques/DiffNormal.xml"
    assert [textures[stone.units[unit]].name for unit in ("diffuse", "normal")] == [
        "Textures/StoneDiffuse.dds",
        "Textures/StoneNormal.dds",
    ]
    assert stone.packed_normal
    assert [texture.srgb for texture in textures] == [True, False]
    assert report.messages == []


@pytest.mark.parametrize("name", ["Jack.mdl", "NinjaSnowWar/Ninja.mdl"])
def test_quick(data: Path, name: str) -> None:
    model = data / "Models" / name
    read_materials(model, 2)
    start = time.thread_time()
    read_materials(model, 2)
    assert time.thread_time() - start < 0.01


def test_resolution_does_not_load_pillow(data: Path) -> None:
    code = f"""
import sys
from viewer.errors import Report
from viewer.families.urho3d.materials import resolve_materials
from viewer.scene.reading_context import DEFAULT
from viewer.storage.search import SearchPath
model = {str(data / "Models/Mushroom.mdl")!r}
assert resolve_materials(model, 1, SearchPath.around(model, DEFAULT), Report()).textures
assert not any(name.partition(".")[0] == "PIL" for name in sys.modules)
"""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).resolve().parents[3])
