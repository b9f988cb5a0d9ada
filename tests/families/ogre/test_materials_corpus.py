"""Materials of real meshes: the scripts and pictures that lie around them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.project_tree import copy_project
from viewer.scene.material import Material
from viewer.scene.model import Model
from viewer.storage.documents import open_document


def opened(corpus: Path, name: str) -> Model:
    model = open_document(corpus / "ogre" / name).model
    assert model is not None
    return model


@pytest.mark.parametrize(
    ("mesh", "textures"),
    [
        ("media/models/ninja.mesh", ["nskingr.jpg"]),
        ("media/models/robot.mesh", ["r2skin.jpg"]),
        ("media/models/jaiqua.mesh", ["blue_jaiqua.jpg"]),
        ("media/models/facial.mesh", ["Dr_Bunsen_Head.jpg"]),
        ("media/models/ogrehead.mesh", ["GreenSkin.jpg", "spheremap.png", "tusk.jpg"]),
        ("opendungeons/models/Knight.mesh", ["Knight.png"]),
        ("tlbb/白骆驼.mesh", ["tga_白骆驼.dds"]),
    ],
)
def test_materials_and_textures_are_found(corpus: Path, mesh: str, textures: list[str]) -> None:
    model = opened(corpus, mesh)
    assert all(geometry.material is not None for geometry in model.geometries)
    assert all(material.found for material in model.materials)
    assert sorted(texture.name for texture in model.textures) == textures
    for texture in model.textures:
        assert texture.decode is not None and min(texture.decode().size) >= 128


def named(model: Model, name: str) -> Material:
    return next(material for material in model.materials if material.name == name)


def test_an_environment_is_no_base_colour(corpus: Path) -> None:
    model = opened(corpus, "media/models/ogrehead.mesh")
    assert list(named(model, "Ogre/Earring").units) == ["environment"]
    assert named(model, "Ogre/Earring").diffuse == (0.7, 0.7, 0.0, 1.0)


def test_glasses_darken_what_is_behind_them(corpus: Path) -> None:
    glasses = named(opened(corpus, "media/models/facial.mesh"), "drbunsen_glasses")
    assert (glasses.blend, glasses.depth_write) == ("multiply", False)


def test_the_camel_is_blended_by_alpha(corpus: Path) -> None:
    (camel,) = opened(corpus, "tlbb/白骆驼.mesh").materials
    assert (camel.name, camel.blend) == ("白骆驼", "alpha")


def test_a_mesh_without_scripts_keeps_the_names(corpus: Path) -> None:
    rat = opened(corpus, "opendungeons/models/Rat.mesh")
    assert {"RatBody", "RatHead", "RatTeeth"} <= {material.name for material in rat.materials}
    assert all(material.found is None and material.searched for material in rat.materials)


PROJECTS = {
    "rzaracota+sumwars-code/share/resources/models/character/enemy_equi": {
        "goblinBrown.mesh": ["Goblin.png"],
        "skeleton.mesh": ["undead_color.png"],
    },
    "OscarKing888+OgreGameEngine/Data/DataDemoGame/Model/XQ": {
        "XQ_Flag.mesh": ["Material/XQ/xiqi_qigan_tex.dds"],
    },
    "ChWick+Zelda": {
        "maps/Atlases/LightWorld/link_house_left/tree_cut.mesh": ["packs/light_world/textures/tiles.png"],
        "maps/Atlases/LightWorld/link_house/house_roof_knob.mesh": ["packs/light_world/textures/house.png"],
        "models/link/link_sword.mesh": ["models/link/link_tools.png"],
    },
    "SamBushman+SlayADragon/media/meshes": {"Hammer.mesh": ["textures/Hammer/neuro_hammer_diffuse.jpg"]},
    "Yuruh+Indie-Studio/media/models": {
        "Mana.mesh": ["blue.jpg"],
        "Flask.mesh": ["refmap.jpg"],
        "Wall.mesh": ["Wall.jpg"],
    },
    "Stifyz+Indie_Studio/res/graphics/mesh": {"Berserker.mesh": ["Berserker.png"]},
    "realXtend+chesapeakebay/objects/Striped_Bass": {"stripedbass2.mesh": []},
}
"""The pictures of meshes in their projects, by the ends of their paths."""


@pytest.mark.parametrize("folder", PROJECTS, ids=lambda folder: folder.partition("/")[0])
def test_pictures_are_found_in_the_project(corpus: Path, tmp_path: Path, folder: str) -> None:
    name, _, inner = folder.partition("/")
    root = copy_project(corpus, name, tmp_path)
    for mesh, pictures in PROJECTS[folder].items():
        model = open_document(root / inner / mesh).model
        assert model is not None
        found = [texture.path for texture in model.textures if texture.path]
        assert len(found) == len(pictures)
        assert all(path.endswith(f"/{end}") for path, end in zip(found, pictures, strict=True))


def test_skeletons_are_found_in_the_project(corpus: Path, tmp_path: Path) -> None:
    meshes = copy_project(corpus, "Stifyz+Indie_Studio", tmp_path) / "res/graphics/mesh"
    for name in ("Berserker", "Cerberus"):
        document = open_document(meshes / f"{name}.mesh")
        assert document.animations and document.attached[0].path.endswith(f"skeleton/{name}.skeleton")


def test_an_empty_vertex_buffer_does_not_cost_the_rest_of_a_mesh(corpus: Path) -> None:
    document = open_document(corpus / "projects/Chiru+naali/bin/media/models/avatar.mesh")
    assert document.model is not None and document.report.complete
    assert len(document.model.geometries) == 8 and document.model.skeleton is not None


def test_grass_of_two_passes_by_alpha_rejection_has_a_layer(corpus: Path) -> None:
    document = open_document(corpus / "projects/realXtend+chesapeakebay/scene2/assets/eelgrass_g.mesh")
    assert document.model is not None
    assert [geometry.layers for geometry in document.model.geometries] == [(1,)]


NEEDS = {
    "sibling-folder/m/orc/orc.mesh": ("m/orc/scripts/orc.material", "stored", "m/orc/scripts/skin.png"),
    "sibling-folder/a/orc.mesh": ("a/orc.material", "stored", "a/textures/diffuse.png"),
    "dotscene/media/models/LavaLake.mesh": (
        "media/materials/lava.material",
        "scene",
        "media/materials/lava.png",
    ),
    "picture-in-name/media/models/Crate.mesh": (None, "name", "media/textures/crate.png"),
    "prefix/Bank.mesh": ("BankSide.material", "name", "bank.png"),
}
"""The script, how it was found, and the picture of meshes whose material is hard to find."""


@pytest.mark.parametrize("mesh", NEEDS, ids=lambda mesh: mesh.partition("/")[0])
def test_what_belongs_to_a_mesh_is_found(corpus: Path, tmp_path: Path, mesh: str) -> None:
    name, _, inner = mesh.partition("/")
    root = copy_project(corpus, name, tmp_path, "needs")
    model = open_document(root / inner).model
    assert model is not None
    (material,), (texture,) = model.materials, model.textures
    places = (each and str(Path(each).relative_to(root)) for each in (material.found, texture.path))
    script, picture = places
    assert (script, material.how, picture) == NEEDS[mesh]
    rivals = [str(root / "m/elf/elf.material")] if "m/orc" in mesh else []
    assert [*material.rivals, *texture.rivals] == rivals
