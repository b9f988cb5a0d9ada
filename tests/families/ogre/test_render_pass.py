"""Passes and texture units: attributes to fields, and which of several is drawn."""

from __future__ import annotations

from typing import Any

import pytest

from viewer.families.ogre.materials.render_pass import Pass, drawn_passes
from viewer.families.ogre.materials.script import parse_script
from viewer.families.ogre.materials.texture_unit import TextureUnit


def drawn(text: str, complaints: list[str] | None = None) -> Pass:
    """The pass of a material with these techniques."""
    (block,) = parse_script(f"material M {{\n{text}\n}}".encode(), "m.material").blocks
    told = [] if complaints is None else complaints
    (found,) = drawn_passes(block, lambda why, line: told.append(why))
    assert complaints is not None or not told
    return found


def one(attributes: str) -> Pass:
    return drawn(f"technique {{ pass {{\n{attributes}\n}} }}")


def unit(attributes: str, name: str = "") -> TextureUnit:
    return one(f"texture_unit {name} {{\n{attributes}\n}}").units[0]


@pytest.mark.parametrize(
    ("attribute", "field", "value"),
    [
        ("diffuse 0.1 0.2 0.3", "diffuse", (0.1, 0.2, 0.3, 1.0)),
        ("diffuse 0.1 0.2 0.3 0.4", "diffuse", (0.1, 0.2, 0.3, 0.4)),
        ("diffuse vertexcolour", "vertex_color", True),
        ("specular 0.1 0.2 0.3 12", "specular", (0.1, 0.2, 0.3, 12.0)),
        ("specular 0.1 0.2 0.3 0.4 12", "specular", (0.1, 0.2, 0.3, 12.0)),
        ("specular 1 1 1 0", "specular", (0.0, 0.0, 0.0, 1.0)),
        ("emissive 0.1 0.2 0.3 1", "emissive", (0.1, 0.2, 0.3)),
        ("scene_blend alpha_blend", "blend", "alpha"),
        ("scene_blend modulate", "blend", "multiply"),
        ("scene_blend add", "blend", "add"),
        ("scene_blend replace", "blend", "replace"),
        ("scene_blend colour_blend", "blend", "src_color one_minus_src_color"),
        ("scene_blend src_alpha one_minus_src_alpha", "blend", "alpha"),
        ("scene_blend dest_colour src_colour", "blend", "dst_color src_color"),
        ("separate_scene_blend one one zero one", "blend", "add"),
        ("alpha_rejection greater_equal 51", "alpha_mask", 0.2),
        ("alpha_rejection not_equal 51", "alpha_function", "not_equal"),
        ("alpha_rejection greater", "alpha_mask", 0.0),
        ("alpha_rejection greater", "alpha_function", "greater"),
        ("cull_hardware none", "cull", "none"),
        ("cull_hardware anticlockwise", "cull", "front"),
        ("cull_hardware clockwise", "cull", "back"),
        ("polygon_mode points", "fill", "point"),
        ("LIGHTING OFF", "lighting", False),
        ("depth_check off", "depth_test", False),
        ("depth_write off", "depth_write", False),
    ],
)
def test_attributes_of_a_pass(attribute: str, field: str, value: Any) -> None:
    assert getattr(one(attribute), field) == pytest.approx(value)


@pytest.mark.parametrize(
    ("attribute", "field", "value"),
    [
        ("texture a.png", "files", ("a.png",)),
        ("texture a.png 2d 0", "mipmaps", False),
        ("texture a.png cubic", "cubic", True),
        ("cubic_texture sky.jpg separateUV", "cubic", True),
        (
            "cubic_texture s.png combinedUVW",
            "files",
            ("s_fr.png", "s_bk.png", "s_lf.png", "s_rt.png", "s_up.png", "s_dn.png"),
        ),
        (
            "cubic_texture a.png b.png c.png d.png e.png f.png separateUV",
            "files",
            tuple(f"{n}.png" for n in "abcdef"),
        ),
        ("texture sky.dds cubic", "files", ("sky.dds",)),
        ("max_anisotropy 4", "anisotropy", 4),
        ("max_anisotropy 0", "anisotropy", 1),
        ("anim_texture fire.png 3 2.5", "files", ("fire_0.png", "fire_1.png", "fire_2.png")),
        ("anim_texture fire.png 3 2.5", "duration", 2.5),
        ("anim_texture a.png b.png 2.5", "files", ("a.png", "b.png")),
        ("tex_coord_set 2", "uv_set", 2),
        ("tex_address_mode mirror", "address", ("mirror", "mirror")),
        ("tex_address_mode clamp border wrap", "address", ("clamp", "border")),
        ("tex_border_colour 1 0 0.5", "border", (1.0, 0.0, 0.5, 1.0)),
        ("tex_coord_set 0", "filter", "bilinear"),
        ("filtering none", "filter", "nearest"),
        ("filtering anisotropic", "filter", "anisotropic"),
        ("filtering linear linear point", "filter", "bilinear"),
        ("filtering point point none", "mipmaps", False),
        ("colour_op replace", "operation", "replace"),
        ("env_map spherical", "environment", "spherical"),
        ("content_type shadow", "content", "shadow"),
        ("texture_alias Skin", "alias", "Skin"),
    ],
)
def test_attributes_of_a_unit(attribute: str, field: str, value: Any) -> None:
    assert getattr(unit(attribute), field) == value


def test_transforms_of_a_unit() -> None:
    found = unit(
        "scroll 1 2\nscale 3 4\nrotate 90\nscroll_anim 5 6\nrotate_anim 7\nwave_xform scale_x sine 1 2 3 4"
    )
    transform = found.transform
    assert (transform.scroll, transform.scale, transform.rotation) == ((1, 2), (3, 4), 0.25)
    assert (transform.scroll_speed, transform.rotation_speed) == ((5, 6), 7)
    assert transform.waves[0].target == "scale_x"


@pytest.mark.parametrize(
    "attribute",
    [
        "diffuse red",
        "diffuse 1 nan 0",
        "scene_blend mix",
        "scene_blend one two",
        "scene_blend",
        "separate_scene_blend",
        "alpha_rejection sometimes 3",
        "cull_hardware",
        "texture_unit {\nwave_xform rotate zigzag 0 1 2 3\n}",
        "texture_unit {\ntex_address_mode around\n}",
        "texture_unit {\nanim_texture 2\n}",
        "texture_unit {\nscale 1e999 1\n}",
    ],
)
def test_values_without_sense_are_told_and_left_out(attribute: str) -> None:
    told: list[str] = []
    found = drawn(f"technique {{ pass {{\nlighting off\n{attribute}\n}} }}", told)
    assert len(told) == 1
    assert not found.lighting and found.diffuse == (1.0, 1.0, 1.0, 1.0)


def test_the_base_colour_is_no_environment_no_normal_map_no_shadow() -> None:
    found = one(
        "texture_unit { texture sky.png\n env_map spherical\n }\n"
        "texture_unit NormalMap { texture a.png\n }\n"
        "texture_unit { texture b_nrm.png\n }\n"
        "texture_unit { content_type shadow\n }\n"
        "texture_unit { texture c.png\n }\n"
    )
    assert found.base is not None and found.base.files == ("c.png",)
    assert [each.role for each in found.units] == ["diffuse", "normal", "normal", "diffuse", "diffuse"]


def test_a_lone_picture_is_the_base_colour_unless_it_is_a_normal_map() -> None:
    base = one("texture_unit { texture flame_glow.png\n }").base
    assert base is not None and base.files == ("flame_glow.png",)
    assert one("texture_unit { texture wall_normal.png\n }").base is None


@pytest.mark.parametrize(
    ("file", "role"),
    [
        ("wallNM.png", "normal"),
        ("wall_nrm.png", "normal"),
        ("wall_n.tga", "normal"),
        ("wall-n.tga", "normal"),
        ("Wall_NormalMap.png", "normal"),
        ("bump.png", "normal"),
        ("bumper.png", "diffuse"),
        ("column.png", "diffuse"),
        ("skyN.png", "diffuse"),
    ],
)
def test_the_role_by_the_name_of_the_file(file: str, role: str) -> None:
    assert unit(f"texture {file}").role == role


def test_the_first_technique_with_a_picture_is_drawn() -> None:
    found = drawn(
        "technique { pass { diffuse 1 0 0\n } }\n"
        "technique { pass { diffuse 0 1 0\n texture_unit { texture a.png\n } } }"
    )
    assert found.diffuse[1] == 1


def test_a_technique_with_a_diffuse_map_comes_before_one_with_a_normal_map_alone() -> None:
    found = drawn(
        "technique { pass { texture_unit { texture a_nrm.png\n } } }\n"
        "technique { pass { texture_unit { texture a.png\n } } }"
    )
    assert found.base is not None and found.base.files == ("a.png",)


AMBIENT = "pass { ambient 0.2 0.2 0.2\n diffuse 0 0 0\n specular 0 0 0 0\n }\n"
PER_LIGHT = (
    "pass { iteration once_per_light\n scene_blend add\n diffuse 0.9 0.8 0.7\n specular 1 1 1 20\n"
    "texture_unit { texture a_nrm.png\n }\n texture_unit { cubic_texture c.png combinedUVW\n } }\n"
)
DECAL = "pass { lighting off\n scene_blend dest_colour zero\n texture_unit { texture a.png\n } }\n"


def test_passes_for_ambient_lights_and_decal_are_the_lit_decal() -> None:
    found = drawn(f"technique {{ {AMBIENT} {PER_LIGHT} {DECAL} }}")
    assert found.base is not None and found.base.files == ("a.png",)
    assert found.lighting and found.blend == "replace"
    assert (found.diffuse, found.specular) == ((0.9, 0.8, 0.7, 1.0), (1.0, 1.0, 1.0, 20.0))
    assert [(each.files[0], each.role) for each in found.units] == [
        ("a.png", "diffuse"),
        ("a_nrm.png", "normal"),
    ]


def test_a_textured_ambient_pass_has_the_colour_of_the_pass_for_each_light() -> None:
    found = drawn(
        "technique { pass { diffuse 0 0 0\n texture_unit { texture a.png\n } }"
        " pass { scene_blend add\n diffuse 1 0.5 0\n texture_unit { texture a.png\n } } }"
    )
    assert found.diffuse[:3] == (1.0, 0.5, 0.0) and found.lighting


def test_a_surface_under_ambient_light_alone_has_its_ambient_colour() -> None:
    assert one("ambient 0.5 0.6 0.7\n diffuse 0 0 0 0.3").diffuse == (0.5, 0.6, 0.7, 0.3)
    assert one("emissive 1 1 1\n diffuse 0 0 0").diffuse == (0.0, 0.0, 0.0, 1.0)


def test_a_pass_for_the_depth_alone_is_not_drawn() -> None:
    found = drawn(
        "technique { pass { colour_write off\n cull_hardware none\n }"
        " pass { scene_blend alpha_blend\n texture_unit { texture a.png\n } } }"
    )
    assert (found.blend, found.cull) == ("alpha", "back")


def test_without_any_picture_the_first_technique_is_drawn() -> None:
    assert (
        drawn("technique { pass { diffuse 1 0 0\n } }\ntechnique { pass { diffuse 0 1 0\n } }").diffuse[0]
        == 1
    )


def test_a_picture_of_a_later_pass_goes_with_the_first_ones_state() -> None:
    found = drawn(
        "technique { pass { cull_hardware none\n }"
        " pass { scene_blend add\n texture_unit { texture a.png\n } } }"
    )
    assert (found.cull, found.blend) == ("none", "replace")
    assert found.base is not None and found.base.files == ("a.png",)


def test_aliases_replace_the_texture_of_the_unit_of_that_name() -> None:
    found = drawn(
        "set_texture_alias Skin other.png\nset_texture_alias Coat more.png\n"
        "technique { pass { texture_unit Skin { texture a.png\n }"
        " texture_unit { texture_alias Coat\n texture b.png\n } texture_unit { texture c.png\n } } }"
    )
    assert [each.files for each in found.units] == [("other.png",), ("more.png",), ("c.png",)]


@pytest.mark.parametrize(
    ("stage", "role"),
    [
        ("lighting_stage normal_map n.png", "normal"),
        ("normal_map n.png", "normal"),
        ("lighting_stage metal_roughness texture n.png", "metal_roughness"),
    ],
)
def test_maps_of_the_shader_system(stage: str, role: str) -> None:
    assert one(f"rtshader_system {{\n{stage}\n}}").maps == {role: "n.png"}


def test_a_material_without_techniques_is_white() -> None:
    assert drawn("receive_shadows off") == Pass()


def test_a_placeholder_that_no_alias_replaces_is_no_file() -> None:
    unit = "technique { pass { texture_unit { texture_alias <Skin>\n texture <Skin>\n } } }"
    assert drawn(unit).base is None
    base = drawn("set_texture_alias <Skin> skin.dds\n" + unit).base
    assert base is not None and base.files == ("skin.dds",)


SOLID = "scene_blend alpha_blend\n alpha_rejection greater_equal 220\n texture_unit { texture a.png\n }"
EDGES = "scene_blend alpha_blend\n depth_write off\n alpha_rejection less_equal 219\n"


@pytest.mark.parametrize("edges", [EDGES, "scene_blend alpha_blend\n depth_write off\n"])
def test_a_pass_that_fills_in_what_the_alpha_test_rejects_is_drawn_over_the_first(edges: str) -> None:
    text = f"technique {{ pass {{ {SOLID} }} pass {{ {edges} texture_unit {{ texture a.png\n }} }} }}"
    (block,) = parse_script(f"material M {{ {text} }}".encode(), "m.material").blocks
    first, second = drawn_passes(block, lambda why, line: None)
    assert (first.alpha_function, first.alpha_mask, first.depth_write) == ("greater_equal", 220 / 255, True)
    assert (second.blend, second.depth_write) == ("alpha", False)


def test_a_second_pass_with_another_picture_or_added_light_is_no_layer() -> None:
    other = "scene_blend alpha_blend\n texture_unit { texture b.png\n }"
    light = "scene_blend add\n texture_unit { texture a.png\n }"
    for second in (other, light):
        assert drawn(f"technique {{ pass {{ {SOLID} }} pass {{ {second} }} }}").alpha_mask == 220 / 255
