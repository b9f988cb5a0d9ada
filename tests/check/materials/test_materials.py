"""Each rule for materials fires on textures that do not fit, and on no others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.checked import findings, picture, tangent_normals, texts
from viewer.arrays import Array
from viewer.check.materials.materials import RULES
from viewer.scene.items import MaterialItem, TextureItem
from viewer.scene.material import Flipbook, Material
from viewer.scene.model import Model

SKIN = np.full((8, 8, 4), (190, 140, 110, 255), np.uint8)
HOLES = np.concatenate((SKIN, SKIN * np.array((1, 1, 1, 0), np.uint8)))
OGRE = "OGRE mesh"


def made(pixels: Array = SKIN, unit: str = "diffuse", **fields: Any) -> Model:
    """A model of a material with one texture."""
    fields = {"technique": "Techniques/DiffNormal.xml"} | fields
    material = Material("Skin", "skin.xml", units={unit: 0}, **fields)
    return Model("", materials=(material,), textures=(picture("skin.png", pixels),))


@pytest.mark.parametrize("rule", [rule.id for rule in RULES])
@pytest.mark.parametrize(
    "model",
    [
        made(),
        made(HOLES, blend="alpha"),
        made(HOLES, alpha_mask=0.5),
        made(tangent_normals(), "normal"),
        Model(""),
    ],
)
def test_textures_that_fit_have_no_findings(rule: str, model: Model) -> None:
    assert texts(rule, model) == texts(rule, model, format=OGRE) == []


def test_blending_needs_an_alpha() -> None:
    rule = "material/no-alpha"
    (found,) = findings(rule, made(blend="alpha"))
    assert found.text == "material Skin blends (alpha), and skin.png has no transparent pixel"
    assert found.items == (MaterialItem(0), TextureItem(0))
    assert texts(rule, made(alpha_mask=0.5)) == [
        "material Skin tests alpha, and skin.png has no transparent pixel"
    ]


@pytest.mark.parametrize(
    "fields",
    [
        {"blend": "addalpha"},
        {"blend": "alpha", "diffuse": (1.0, 1.0, 1.0, 0.5)},
        {"blend": "alpha", "vertex_color": True},
        {"blend": "alpha", "motion": lambda time: None},
        {"alpha_mask": 0.5, "alpha_function": "less"},
        {"alpha_mask": 0.0},
    ],
)
def test_alpha_may_come_from_elsewhere_or_change_nothing(fields: dict[str, Any]) -> None:
    assert texts("material/no-alpha", made(**fields)) == []


def test_an_alpha_that_nothing_uses_is_told() -> None:
    rule = "material/unused-alpha"
    (found,) = findings(rule, made(HOLES))
    assert found.text == "50 % of skin.png are transparent, and Skin ignores alpha"
    assert found.items == (TextureItem(0), MaterialItem(0)) and found.file == "skin.xml"
    assert (
        texts(rule, made(HOLES, "specular")) == texts(rule, made(HOLES, flipbook=Flipbook((0,), 1.0))) == []
    )


def test_one_material_that_uses_the_alpha_is_enough() -> None:
    solid, holed = made(HOLES), made(HOLES, blend="alpha")
    both = Model("", materials=solid.materials + holed.materials, textures=solid.textures)
    assert texts("material/unused-alpha", both) == []
    named = replace(solid.materials[0], name="Coat")
    two = replace(solid, materials=(*solid.materials, named))
    assert texts("material/unused-alpha", two) == [
        "50 % of skin.png are transparent, and Skin, Coat ignore alpha"
    ]


def test_a_normal_map_in_a_unit_for_colours_is_told() -> None:
    text = "diffuse of material Skin is skin.png, which looks like a normal map"
    assert texts("material/normal-as-color", made(tangent_normals())) == [text]
    assert texts("material/normal-as-color", made(tangent_normals(), "specular")) == []


def test_a_colour_in_a_unit_for_normals_is_told() -> None:
    rule, text = "material/color-as-normal", "normal of material Skin is skin.png, which is no normal map"
    assert texts(rule, made(SKIN, "normal")) == texts(rule, made(SKIN, "normal"), format=OGRE) == [text]
    assert texts(rule, made(SKIN, "normal", packed_normal=True)) == texts(rule, made(HOLES, "normal")) == []
    grey = np.full((8, 8, 4), (90, 90, 90, 255), np.uint8)
    assert texts(rule, made(grey, "normal"), format=OGRE) == [] != texts(rule, made(grey, "normal"))


def test_materials_with_shaders_of_their_own_are_not_judged() -> None:
    own = made(tangent_normals(), shader_known=False)
    assert texts("material/normal-as-color", own) == texts("material/normal-as-color", own, format=OGRE) == []


def test_units_that_are_not_sampled_are_told() -> None:
    (found,) = findings("material/unsampled-unit", made(unsampled={"normal": "n.png"}, technique="Diff"))
    assert found.text == "material Skin: the technique Diff does not sample normal (n.png)"
    assert found.items == (MaterialItem(0),)
