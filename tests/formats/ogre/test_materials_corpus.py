"""Materials of real meshes: the scripts and pictures that lie around them."""

from __future__ import annotations

from pathlib import Path

import pytest

from viewer.formats import open_document
from viewer.scene.material import Material
from viewer.scene.model import Model


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
