"""The rules for what the readers met: errors, warnings, notes and missing files are findings."""

from __future__ import annotations

import numpy as np
import pytest

from tests.checked import findings, texts
from viewer.check.files.file import RULES
from viewer.errors import MISSING_PART, FormatError, NeededFile, Report
from viewer.scene.items import MaterialItem, TextureItem
from viewer.scene.material import NAMELESS, Image, Material, Texture
from viewer.scene.model import Model


@pytest.mark.parametrize("rule", [rule.id for rule in RULES])
def test_a_whole_file_has_no_findings(rule: str) -> None:
    assert texts(rule, Model("")) == []


def report() -> Report:
    made = Report()
    made.fail(FormatError("the file ends early", "bones[3]/name", 0x40, "made.mdl"))
    made.warn("a length is negative")
    made.note("a chunk is one byte longer")
    made.warn("skeleton x is missing", MISSING_PART, NeededFile("skeleton", "x", ("a", "b", "c", "d")))
    return made


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("broken", "the file ends early"),
        ("damage", "a length is negative"),
        ("oddity", "a chunk is one byte longer"),
        ("missing", "skeleton x is missing; searched: a, b, c and 1 more"),
    ],
)
def test_a_message_is_a_finding_of_one_rule(rule: str, text: str) -> None:
    assert texts(f"file/{rule}", Model(""), report=report()) == [text]


def test_an_error_has_its_place_in_the_bytes() -> None:
    (found,) = findings("file/broken", Model(""), report=report())
    assert (found.path, found.offset, found.file) == ("bones[3]/name", 0x40, "made.mdl")


def test_missing_materials_and_textures_are_told() -> None:
    material = Material("Robot/Skin", searched=("materials",), units={"diffuse": 0})
    model = Model("", materials=(material,), textures=(Texture("skin.png", searched=("textures",)),))
    (found,) = findings("material/missing", model)
    assert found.text == "material Robot/Skin is missing; searched: materials"
    assert found.items == (MaterialItem(0),)
    (found,) = findings("texture/missing", model)
    assert found.text == "texture skin.png is missing; searched: textures"
    assert found.items == (TextureItem(0),)


def test_a_texture_with_an_empty_name_is_not_missing() -> None:
    model = Model("", materials=(Material("", units={"diffuse": 0}),), textures=(Texture(NAMELESS),))
    assert texts("texture/missing", model) == []


def test_a_note_about_another_file_leads_there() -> None:
    made = Report()
    made.note("a.material: a } too many", offset=9, file="a.material")
    (found,) = findings("file/oddity", Model(""), report=made)
    assert (found.text, found.file, found.offset) == ("a } too many", "a.material", 9)


IMAGE = Image((np.zeros((1, 1, 4), np.uint8),))


def test_what_only_rigscope_finds_is_missing_for_the_engine() -> None:
    picture = Texture("b.png", "a/b.png", by="name", how="name", decode=lambda: IMAGE)
    other = Texture("skin.tga", "a/skin.png", by="near", how="suffix", decode=lambda: IMAGE)
    materials = (
        Material("Skin", by="name", how="name", units={"diffuse": 0}),
        Material("Coat", "a.material", by="near", how="stored", units={"diffuse": 1}),
    )
    model = Model("", materials=materials, textures=(picture, other))
    (found,) = findings("material/missing", model, format="OGRE mesh")
    assert (found.text, found.items) == (
        "material Skin is missing; Rigscope draws b.png (guessed)",
        (MaterialItem(0),),
    )
    assert (found.effect, found.need) == ("The submesh is drawn with BaseWhite.", ("material", "Skin"))
    (found,) = findings("texture/missing", model, format="OGRE mesh")
    assert found.text == "texture skin.tga is missing; Rigscope draws skin.png (lenient)"


@pytest.mark.parametrize(("format", "count"), [("Urho3D model", 1), ("OGRE mesh", 1), ("WoW M2 model", 0)])
def test_names_that_only_some_systems_find_have_rules_of_their_own(format: str, count: int) -> None:
    textures = (
        Texture("A.png", "x/a.png", by="near", how="case", decode=lambda: IMAGE),
        Texture("C:\\proj\\b.png", "x/b.png", by="near", how="tail", decode=lambda: IMAGE),
    )
    model = Model("", materials=(Material("", units={"diffuse": 0, "normal": 1}),), textures=textures)
    assert len(texts("name/case", model, format=format)) == count
    assert len(texts("name/absolute", model, format=format)) == count
    assert len(texts("texture/missing", model, format=format)) == 1 - count


def test_files_that_differ_and_fit_equally_well_are_one_finding_each() -> None:
    textures = (Texture("skin.png", "a/skin.png", rivals=("b/skin.png", "c/skin.png")), Texture("x", "x"))
    materials = (Material("M", "a.material", rivals=("b.material",)), Material("N", "a.material"))
    model = Model("", materials=materials, textures=textures)
    (texture,) = findings("texture/ambiguous", model)
    assert texture.text == (
        "texture skin.png: a/skin.png is used, but b/skin.png is another picture; 1 more file too"
    )
    (material,) = findings("material/ambiguous", model)
    assert material.text == "material M: a.material is used, but b.material defines it differently"
    assert (texture.items, material.items) == ((TextureItem(0),), (MaterialItem(0),))
