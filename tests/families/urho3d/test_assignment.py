"""Which material a geometry gets, by each of the ways."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.resource_tree import Tree
from viewer.budget import BUDGET
from viewer.errors import Report
from viewer.families.urho3d import prefab
from viewer.families.urho3d.materials import resolve_materials
from viewer.scene.reading_context import DEFAULT
from viewer.storage.markup import TEXT_LIMIT
from viewer.storage.resource_folders import forget_resources
from viewer.storage.search import SearchPath

RED = (
    '<material><technique name="Techniques/Diff.xml"/>'
    '<parameter name="MatDiffColor" value="1 0 0 1"/></material>'
)
BLUE = RED.replace("1 0 0 1", "0 0 1 1")
PREFAB = """<node><node><component type="{type}"><attribute name="Model" value="Model;{model}"/>
<attribute name="Material" value="Material;{materials}"/></component></node></node>"""
RBFX_XML = """<resource><components><component _typeName="Octree"/></components><nodes><node>
<attributes><attribute name="Name" type="String" value="Hero"/></attributes>
<components><component _typeName="{type}"><attributes>
<attribute name="Model" type="ResourceRef" value="Model;{model}"/>
<attribute name="Material" type="ResourceRefList" value="Material;{materials}"/></attributes></component>
</components></node></nodes></resource>"""


def rbfx_json(type: str, model: str, materials: str) -> str:
    pairs = {
        "Model": ("ResourceRef", f"Model;{model}"),
        "Material": ("ResourceRefList", f"Material;{materials}"),
    }
    attributes = [{"name": name, "type": kind, "value": value} for name, (kind, value) in pairs.items()]
    flags = {
        "name": "Bone Animation Enabled",
        "type": "VariantVector",
        "value": [{"type": "Bool", "value": True}],
    }
    drawn = {"_typeName": type, "attributes": [flags, *attributes]}
    node = {"attributes": [{"name": "Name", "type": "String", "value": type}], "components": [drawn]}
    return json.dumps({"components": [{"_typeName": "Octree"}], "nodes": [{"nodes": [node]}]})


RBFX = {"XML": RBFX_XML.format, "JSON": rbfx_json}


def test_list_beside_the_model(tree: Tree) -> None:
    tree.put("Materials/Red.xml", RED)
    tree.put("Materials/Blue.xml", BLUE)
    tree.put("Models/Sub/Hero.txt", "Materials/Red.xml\r\n\r\nMaterials/Blue.xml\r\nMaterials/Red.xml\r\n")
    red, blue = "Materials/Red.xml", "Materials/Blue.xml"
    assert tree.names(5) == [red, None, blue, red, None]
    assert len(tree.resolve(5).materials) == 2
    assert tree.report.messages == []


def test_a_text_without_materials_is_no_list(tree: Tree) -> None:
    tree.put("Materials/Hero.xml", RED)
    tree.put("Models/Sub/Hero.txt", "This hero was made by me.\nEnjoy!")
    assert tree.names() == ["Materials/Hero.xml"]
    assert ["names no materials" in note for note in tree.report.notes] == [True]


@pytest.mark.parametrize("folder", ["Objects", "Prefabs", "Scenes", "Scenes/deep/er", "Scene", "."])
@pytest.mark.parametrize("component", ["StaticModel", "AnimatedModel"])
def test_prefab(tree: Tree, folder: str, component: str) -> None:
    tree.put("Materials/Red.xml", RED)
    text = PREFAB.format(type=component, model="Models/Sub/Hero.mdl", materials="Materials/Red.xml;;")
    tree.put(f"{folder}/Any.xml", text)
    assert tree.names(3) == ["Materials/Red.xml", None, None]


@pytest.mark.parametrize(("folder", "found"), [("Game", True), (".", False), ("Game/Other", True)])
def test_a_scene_beside_the_folder_of_models(tmp_path: Path, folder: str, found: bool) -> None:
    texts = {
        "Game/Models/Sub/Hero.mdl": "",
        "Game/Materials/Red.xml": RED,
        f"{folder}/Level.xml": PREFAB.format(
            type="StaticModel", model="Models/Sub/Hero.mdl", materials="Materials/Red.xml"
        ),
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    model = tmp_path / "Game/Models/Sub/Hero.mdl"
    painted = resolve_materials(model, 1, SearchPath.around(model, DEFAULT), Report())
    assert bool([each.name for each in painted.materials] == ["Materials/Red.xml"]) == found


def test_json_prefab(tree: Tree) -> None:
    tree.put("Materials/Red.xml", RED)
    attributes = {"Model": "Model;Models/Sub/Hero.mdl", "Material": "Material;Materials/Red.xml"}
    component = {"type": "AnimatedModel", "id": 3, "attributes": attributes}
    tree.put("Objects/Any.json", json.dumps({"id": 1, "children": [{"components": [component]}]}))
    assert tree.names() == ["Materials/Red.xml"]


@pytest.mark.parametrize("form", RBFX)
@pytest.mark.parametrize(
    "place",
    [
        "Models/Sub/Any.prefab",
        "Models/Sub.prefab",
        "Prefabs/Any.prefab",
        "Objects/a/Any.prefab",
        "Level.scene",
    ],
)
def test_rbfx_prefab(tree: Tree, form: str, place: str) -> None:
    tree.put("Materials/Red.material", RED)
    tree.put("Materials/Blue.material", BLUE)
    materials = "Materials/Red.material;;Materials/Blue.material"
    tree.put(place, RBFX[form](type="AnimatedModel", model="Models/Sub/Hero.mdl", materials=materials))
    assert tree.names(3) == ["Materials/Red.material", None, "Materials/Blue.material"]
    assert tree.resolve().materials[0].diffuse == (1.0, 0.0, 0.0, 1.0)


@pytest.mark.parametrize("form", RBFX)
@pytest.mark.parametrize(
    ("kind", "model"),
    [("CollisionShape", "Models/Sub/Hero.mdl"), ("StaticModel", "Models/Hero.mdl"), ("String", "Hero.mdl")],
)
def test_rbfx_prefab_of_something_else(tree: Tree, form: str, kind: str, model: str) -> None:
    tree.put("Materials/Red.material", RED)
    tree.put("Models/Sub/Any.prefab", RBFX[form](type=kind, model=model, materials="Materials/Red.material"))
    assert tree.names() == [None]


def test_the_prefab_beside_the_model_comes_first(tree: Tree) -> None:
    for place, material in (("Objects/A", "Red"), ("Models/A", "Blue"), ("Models/Sub/A", "Green")):
        tree.put(f"Materials/{material}.material", RED)
        text = RBFX_XML.format(
            type="StaticModel", model="Models/Sub/Hero.mdl", materials=f"Materials/{material}.material"
        )
        tree.put(f"{place}.prefab", text)
    assert tree.names() == ["Materials/Green.material"]
    (tree.root / "Models/Sub/A.prefab").unlink()
    assert tree.names() == ["Materials/Blue.material"]


def test_a_text_of_another_name_beside_the_model_comes_last(tree: Tree) -> None:
    for place, material in (("Objects/A", "Red"), ("Models/Sub/A", "Blue")):
        tree.put(f"Materials/{material}.xml", RED)
        text = PREFAB.format(
            type="StaticModel", model="Models/Sub/Hero.mdl", materials=f"Materials/{material}.xml"
        )
        tree.put(f"{place}.xml", text)
    assert tree.names() == ["Materials/Red.xml"]
    (tree.root / "Objects/A.xml").unlink()
    assert tree.names() == ["Materials/Blue.xml"]


@pytest.mark.parametrize(
    ("kind", "model"),
    [
        ("StaticModel", "Models/Other/Hero.mdl"),
        ("StaticModel", "ro.mdl"),
        ("CollisionShape", "Models/Sub/Hero.mdl"),
    ],
)
def test_prefab_of_something_else(tree: Tree, kind: str, model: str) -> None:
    tree.put("Materials/Red.xml", RED)
    tree.put("Objects/Any.xml", PREFAB.format(type=kind, model=model, materials="Materials/Red.xml"))
    assert tree.names() == [None]


def test_prefab_called_like_the_model_is_asked_first(tree: Tree) -> None:
    for name, material in (("A", "Red"), ("Hero", "Blue")):
        tree.put(f"Materials/{material}.xml", RED)
        text = PREFAB.format(
            type="StaticModel", model="Models/Sub/Hero.mdl", materials=f"Materials/{material}.xml"
        )
        tree.put(f"Objects/{name}.xml", text)
    assert tree.names() == ["Materials/Blue.xml"]


def test_broken_prefab_costs_a_note(tree: Tree) -> None:
    tree.put("Materials/Hero.xml", RED)
    tree.put("Objects/A.xml", '<node a="Model;Models/Sub/Hero.mdl">')
    tree.put("Objects/B.json", '{"Model": "Model;Hero.mdl"')
    assert tree.names() == ["Materials/Hero.xml"]
    assert len(tree.report.notes) == 2
    assert tree.report.complete


def test_too_many_prefabs_are_not_all_read(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prefab, "BUDGET", replace(BUDGET, part_bytes=TEXT_LIMIT + 10))
    for name in "ABC":
        tree.put(f"Objects/{name}.xml", '<node a="Model;Other/Hero.mdl"/>')
    tree.resolve()
    assert any("B.xml" in text for text in tree.report.warnings)


def test_list_comes_before_prefab_before_name(tree: Tree) -> None:
    for name in ("Listed", "Prefab", "Hero"):
        tree.put(f"Materials/{name}.xml", RED)
    assert tree.names() == ["Materials/Hero.xml"]
    text = PREFAB.format(type="StaticModel", model="Models/Sub/Hero.mdl", materials="Materials/Prefab.xml")
    tree.put("Objects/Any.xml", text)
    assert tree.names() == ["Materials/Prefab.xml"]
    tree.put("Models/Sub/Hero.txt", "Materials/Listed.xml")
    assert tree.names() == ["Materials/Listed.xml"]


@pytest.mark.parametrize(
    "place",
    [
        "Materials/Sub/Hero.xml",
        "Materials/Hero.xml",
        "Materials/Hero.material",
        "Models/Sub/Materials/Hero.xml",
        "Models/Sub/Materials/Any.xml",
    ],
)
def test_guesses(tree: Tree, place: str) -> None:
    tree.put(place, RED)
    material_set = tree.resolve(2)
    assert material_set.per_geometry == (0, 0)
    assert material_set.materials[0].found == str(tree.root / place)
    assert material_set.materials[0].diffuse == (1.0, 0.0, 0.0, 1.0)


@pytest.mark.parametrize("suffix", [".xml", ".material"])
def test_material_beside_the_model(tree: Tree, suffix: str) -> None:
    tree.put(f"Models/Sub/Hero{suffix}", RED)
    assert tree.names() == [f"Hero{suffix}"]


@pytest.mark.parametrize("folder", ["Models/Sub", "Materials", "Models/Sub/Materials"])
def test_an_ogre_script_is_no_material(tree: Tree, folder: str) -> None:
    tree.put(f"{folder}/Hero.material", "material Hero { technique { pass { } } }")
    assert tree.names() == [None]
    assert tree.report.complete


def test_metadata_beside_the_model_is_no_material(tree: Tree) -> None:
    tree.put("Models/Sub/Hero.xml", '<model><metadata name="a" type="String" value="b"/></model>')
    assert tree.names() == [None]


def test_two_materials_beside_the_model_are_no_guess(tree: Tree) -> None:
    tree.put("Models/Sub/Materials/A.xml", RED)
    tree.put("Models/Sub/Materials/B.xml", RED)
    assert tree.names() == [None]
    assert ["no material for Hero.mdl" in warning for warning in tree.report.warnings] == [True]


@pytest.mark.parametrize("place", ["Textures/Hero.png", "Textures/Sub/hero.PNG", "Models/Sub/Hero.jpg"])
def test_texture_called_like_the_model(tree: Tree, place: str) -> None:
    tree.put(place, "")
    material_set = tree.resolve()
    assert material_set.per_geometry == (0,)
    assert material_set.materials[0].units == {"diffuse": 0}
    assert material_set.textures[0].path == str(tree.root / place)


@pytest.mark.parametrize(
    "place", ["Models/Sub/Any_MAT.xml", "Models/Sub/Any.material", "Models/Sub/Materials/Any.xml"]
)
def test_the_only_material_beside_the_model(tree: Tree, place: str) -> None:
    tree.put("Models/Sub/Hero_Walk.xml", "<animation><trigger time='1'/></animation>")
    tree.put(place, RED)
    (material,) = tree.resolve().materials
    assert (material.found, material.by, material.how) == (str(tree.root / place), "name", "only")
    tree.put("Models/Sub/Other_MAT.xml", BLUE)
    assert bool(tree.resolve().materials) == ("Materials/" in place), "the inner folder comes first"


def test_a_material_of_another_model_is_not_the_only_one(tree: Tree) -> None:
    tree.put("Models/Sub/Tree.mdl", "")
    tree.put("Models/Sub/Tree.xml", RED)
    assert tree.names() == [None]


def test_a_scene_comes_before_the_only_material(tree: Tree) -> None:
    tree.put("Models/Sub/Materials/Any.xml", RED)
    tree.put("Materials/Red.xml", RED)
    text = PREFAB.format(type="StaticModel", model="Models/Sub/Hero.mdl", materials="Materials/Red.xml")
    tree.put("Levels/1.xml", text)
    assert tree.names() == ["Materials/Red.xml"]


def test_the_only_material_for_the_only_model_of_a_pair_of_folders(tmp_path: Path) -> None:
    def names() -> list[str]:
        forget_resources()
        model = tmp_path / "Data/rock/Models/Rock.mdl"
        return [
            each.name
            for each in resolve_materials(model, 1, SearchPath.around(model, DEFAULT), Report()).materials
        ]

    for name, text in {"Models/Rock.mdl": "", "Materials/deep/Stone.xml": RED}.items():
        path = tmp_path / "Data/rock" / name
        path.parent.mkdir(parents=True)
        path.write_text(text)
    assert names() == ["Materials/deep/Stone.xml"]
    (tmp_path / "Data/rock/Models/lod").mkdir()
    (tmp_path / "Data/rock/Models/lod/Far.mdl").write_bytes(b"")
    assert names() == []
    (tmp_path / "Data/rock/Models/lod/Far.mdl").unlink()
    (tmp_path / "Data/rock/Materials/Other.xml").write_text(BLUE)
    assert names() == []
