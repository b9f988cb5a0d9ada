"""Datablocks of OGRE-Next from scripts and from JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.ogre_media import Media
from viewer.families.ogre.materials.datablock import Datablock, read_datablock, reflectance
from viewer.families.ogre.materials.script import ScriptBlock, parse_script
from viewer.scene.material import Detail


def blocks(text: str) -> dict[str, ScriptBlock]:
    return {block.name: block for block in parse_script(text.encode(), "x.material").blocks}


def scripted(body: str, type: str = "pbs") -> tuple[Datablock, list[str]]:
    said: list[str] = []
    block = blocks(f"hlms M {type}\n{{\n{body}\n}}\n")["M"]
    return read_datablock(block, lambda why, line: said.append(why)), said


def stored(values: dict[str, Any], type: str = "pbs", **named: Any) -> tuple[Datablock, list[str]]:
    said: list[str] = []
    block = blocks(json.dumps({type: {"M": values}, **named}))["M"]
    return read_datablock(block, lambda why, line: said.append(why)), said


def test_the_type_of_a_datablock_follows_its_name() -> None:
    found = blocks('hlms A pbs : B // a comment\n{\n}\n}\nhlms "two words" unlit\n{\n}\nhlms C terra { }\n')
    assert [(each.name, each.type, each.parents) for each in found.values()] == [
        ("A", "pbs", ("B",)),
        ("two words", "unlit", ()),
        ("C", "terra", ()),
    ]


def test_a_script_gives_the_values_of_a_datablock() -> None:
    made, said = scripted(
        "diffuse_map a.png\nnormal_map n.png\nroughness 0.25\ndiffuse 0.5 0.25 1\nspecular 0.1 0.2 0.3\n"
        "fresnel_coeff 0.5\ncull_mode none\ndepth_write off\nemissive 1 2 3\ntransparency 0.5\n"
        "transparency_mode fade\nuv_normal_map 1"
    )
    assert said == []
    assert {unit: each.files for unit, each in made.maps.items()} == {
        "diffuse": ("a.png",),
        "normal": ("n.png",),
    }
    assert (made.roughness, made.diffuse, made.specular) == (0.25, (0.5, 0.25, 1), (0.1, 0.2, 0.3))
    assert (made.fresnel, made.emissive) == ((0.5, 0.5, 0.5), (1, 2, 3))
    assert (made.cull, made.depth_write, made.transparency, made.mode) == ("none", False, 0.5, "fade")
    assert made.maps["normal"].uv_set == 1


def test_metalness_makes_the_workflow_metallic() -> None:
    assert scripted("metalness 0.5")[0].workflow == "metallic"
    assert scripted("metalness_map m.png")[0].workflow == "metallic"
    assert scripted("roughness 0.5")[0].workflow == "specular_ogre"
    assert stored({"metallness": {"value": 0.5}})[0].workflow == "metallic"
    assert (
        stored({"workflow": "specular_fresnel", "metalness": {"value": 1}})[0].workflow == "specular_fresnel"
    )


def test_an_index_of_refraction_becomes_a_colour() -> None:
    assert reflectance(1.5) == pytest.approx(0.04)
    assert scripted("fresnel 1.5")[0].fresnel == pytest.approx((0.04, 0.04, 0.04))
    assert stored({"fresnel": {"value": 1.5, "mode": "ior"}})[0].fresnel == pytest.approx((0.04, 0.04, 0.04))
    assert stored({"fresnel": {"value": [0.1, 0.2, 0.3], "mode": "coloured"}})[0].fresnel == (0.1, 0.2, 0.3)


@pytest.mark.parametrize(
    ("function", "kept"),
    [
        ("greater", "greater_equal"),
        ("greater_equal", "greater"),
        ("less", "less_equal"),
        ("equal", "not_equal"),
    ],
)
def test_an_alpha_test_compares_the_reference_with_the_alpha(function: str, kept: str) -> None:
    from_script, from_json = (
        scripted(f"alpha_test {function} 0.25")[0],
        stored({"alpha_test": [function, 0.25, False]})[0],
    )
    assert (from_script.alpha_function, from_script.alpha_mask) == (kept, 0.25)
    assert (from_json.alpha_function, from_json.alpha_mask) == (kept, 0.25)


def test_an_alpha_test_of_shadows_alone_is_not_drawn() -> None:
    assert stored({"alpha_test": ["greater", 0.5, True]})[0].alpha_function == "always_pass"


def test_json_names_samplers_and_blocks() -> None:
    made, said = stored(
        {
            "macroblock": ["Two", "Shadow"],
            "blendblock": "Add",
            "diffuse": {"value": [2, 2, 2], "texture": ["a.png", "alias"], "sampler": "S", "uv": 1},
            "transparency": {"value": 0.5, "mode": "Transparent", "use_alpha_from_textures": False},
            "two_sided": False,
        },
        samplers={"S": {"u": "wrap", "v": "mirror", "min": "anisotropic", "max_anisotropic": 4}},
        macroblocks={
            "Two": {"cull_mode": "anticlockwise", "polygon_mode": "wireframe", "depth_write": False}
        },
        blendblocks={"Add": {"src_blend_factor": "one", "dst_blend_factor": "one"}},
    )
    assert said == []
    texture = made.maps["diffuse"]
    assert (texture.files, texture.address, texture.filter, texture.anisotropy) == (
        ("a.png",),
        ("wrap", "mirror"),
        "anisotropic",
        4,
    )
    assert texture.uv_set == 1
    assert (made.cull, made.fill, made.depth_write, made.blend) == ("front", "wireframe", False, "add")
    assert (made.mode, made.texture_alpha) == ("transparent", False)


def test_a_sampler_without_modes_clamps_and_a_texture_without_a_sampler_repeats() -> None:
    clamped = stored(
        {"diffuse": {"texture": "a.png", "sampler": "S"}}, samplers={"S": {"min": "point", "mag": "point"}}
    )[0]
    assert (clamped.maps["diffuse"].address, clamped.maps["diffuse"].filter) == (
        ("clamp", "clamp"),
        "nearest",
    )
    assert stored({"diffuse": {"texture": "a.png"}})[0].maps["diffuse"].address == ("wrap", "wrap")


def test_detail_textures_have_a_blend_a_weight_and_a_place() -> None:
    by_script = scripted("detail_map1 d.png\ndetail_blend_mode1 Multiply\ndetail_offset_scale1 1 2 3 4")[0]
    by_json = stored(
        {
            "detail_diffuse1": {
                "texture": "d.png",
                "mode": "Multiply",
                "offset": [1, 2],
                "scale": [3, 4],
                "value": 0.5,
            }
        }
    )[0]
    assert by_script.details == {1: Detail("multiply", 1.0, (1, 2), (3, 4))}
    assert by_json.details == {1: Detail("multiply", 0.5, (1, 2), (3, 4))}


def test_an_unlit_datablock_has_its_words_in_any_order() -> None:
    made, said = scripted("diffuse 1 0 0 0.5\ndiffuse_map 1 Add a.png\ndiffuse_map1 b.png", "unlit")
    assert said == []
    assert (made.diffuse, made.alpha, made.maps["diffuse"].files) == ((1, 0, 0), 0.5, ("a.png",))
    assert made.maps["diffuse"].uv_set == 1
    assert made.hidden == ("more than one texture of an unlit datablock",)


def test_invalid_values_cost_only_their_line() -> None:
    made, said = scripted("roughness rough\ndiffuse 1\ncull_mode sideways\nmetalness 0.5\ndetail_map9 x.png")
    assert made.metalness == 0.5
    assert [text.partition(" ")[0] for text in said] == ["roughness", "diffuse", "cull_mode", "detail_map9"]


@pytest.mark.parametrize(
    "values",
    [
        {"diffuse": {"texture": ["", 3], "value": "red"}},
        {"diffuse": {"texture": {"a": 1}}},
        {"diffuse": [1, 2]},
        {"roughness": {"value": {}}},
        {"normal": {"value": []}},
        {"alpha_test": 7},
        {"alpha_test": {}},
        {"macroblock": 5, "blendblock": [[]]},
        {"detail_diffuse0": {"texture": "a", "mode": 7, "offset": [True, None]}},
        {"transparency": {"value": None}},
        {"fresnel": {"value": [1e300, None]}},
        {"workflow": 3},
    ],
    ids=str,
)
def test_values_of_a_wrong_kind_in_json_are_ignored(values: dict[str, Any]) -> None:
    assert isinstance(stored(values)[0], Datablock)


def test_the_nearest_definition_is_used(media: Media) -> None:
    media.put("models/a.material.json", json.dumps({"pbs": {"M": {"roughness": {"value": 0.5}}}}))
    media.put("materials/b.material", "hlms M pbs\n{\n roughness 0.25\n}\n")
    material_set = media.resolve("M")
    assert material_set.materials[0].surface is not None
    assert material_set.materials[0].surface.roughness == 0.5


def test_scripts_come_before_json_in_a_folder(media: Media) -> None:
    media.put("models/a.material.json", json.dumps({"pbs": {"M": {"roughness": {"value": 0.5}}}}))
    media.put("models/z.material", "hlms M pbs\n{\n roughness 0.25\n}\n")
    surface = media.resolve("M").materials[0].surface
    assert surface is not None
    assert surface.roughness == 0.25
    assert any("defines it differently" in each.text for each in media.report.messages)


def test_a_datablock_inherits_from_its_parent(media: Media) -> None:
    media.put(
        "models/a.material",
        "hlms Base pbs { \n roughness 0.5\n metalness 0.5\n }\nhlms M pbs : Base\n{\n roughness 0.25\n}\n",
    )
    surface = media.resolve("M").materials[0].surface
    assert surface is not None
    assert (surface.roughness, surface.metalness) == (0.25, 0.5)


def test_json_behind_a_script_is_read(media: Media) -> None:
    script = "material Old\n{\n technique { pass { } }\n}\n" + json.dumps(
        {"pbs": {"New": {"roughness": {"value": 0.5}}}}
    )
    media.put("models/a.material", script)
    material_set = media.resolve("Old", "New")
    assert [each.surface is not None for each in material_set.materials] == [False, True]
    assert not media.report.errors


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"pbs": {"M": {"roughness": {"value": NaN}}}}', "invalid character"),
        ("[" * 100_000, "nested too deeply"),
        ("[1, 2]", "no object with datablocks"),
        ('{"pbs": {"M": ', "truncated"),
    ],
    ids=["nan", "deep", "list", "cut"],
)
def test_json_that_cannot_be_read_is_one_line(media: Media, text: str, why: str) -> None:
    media.put("models/a.material.json", text)
    media.resolve("M")
    assert any(why in each.text for each in media.report.messages), [
        each.text for each in media.report.messages
    ]


def test_terrain_and_compute_entries_are_skipped(media: Media) -> None:
    media.put("models/a.material.json", json.dumps({"Terra": {"M": {}}, "compute": {"M": {}}}))
    media.resolve("M")
    assert "material M is missing" in media.report.warnings[0]
