"""What a script makes of a material: inheritance over files, variables, damage, and every field."""

from __future__ import annotations

import pytest

from tests.ogre_media import SIMPLE, Media


def test_a_parent_in_an_imported_file(media: Media) -> None:
    media.put("materials/base.inc", "abstract material Base { technique { pass {\ncull_hardware none\n} } }")
    text = 'import Base from "base.inc"\nmaterial M : Base { technique { pass {\ndepth_write off\n} } }'
    material = media.material(text)
    assert (material.cull, material.depth_write) == ("none", False)


def test_a_parent_anywhere_and_parents_of_blocks(media: Media) -> None:
    media.put("materials/x.material", "material Base { technique { pass : Thin {\ndepth_write off\n} } }")
    media.put("materials/y.material", "abstract pass Thin {\ncull_hardware none\ndepth_write on\n}")
    material = media.material("material M : Base { }")
    assert (material.cull, material.depth_write) == ("none", False)


def test_a_parent_in_the_same_file_comes_before_others_of_its_name(media: Media) -> None:
    media.put("models/near.material", "material Base { technique { pass {\ncull_hardware none\n} } }")
    text = "material Base { technique { pass {\nlighting off\n} } }\nmaterial M : Base { }"
    media.put("materials/own.material", text)
    (material,) = media.resolve("M").materials
    assert (material.cull, material.unlit) == ("back", True)


def test_several_parents(media: Media) -> None:
    texts = (
        "material A { technique { pass {\ncull_hardware none\n} } }",
        "material B { technique { pass {\nlighting off\n} } }",
        "material M : A B { }",
    )
    material = media.material("\n".join(texts))
    assert (material.cull, material.unlit) == ("none", True)


def test_a_missing_parent_is_a_warning(media: Media) -> None:
    assert media.material("material M : Gone { technique { pass {\nlighting off\n} } }").unlit
    assert "inherits from Gone, which is missing" in media.report.warnings[0]


@pytest.mark.parametrize(
    "says", ["set_texture_alias <NormalMap> n.png\nset_texture_alias <DiffuseMap> x.dds", "set $skin x.dds"]
)
def test_a_missing_parent_does_not_cost_the_textures_that_the_child_names(media: Media, says: str) -> None:
    material_set = media.material_set(f"material M : Gone {{\n{says}\n}}")
    names = {
        role: material_set.textures[number].name for role, number in material_set.materials[0].units.items()
    }
    assert names["diffuse"] == "x.dds"
    assert names.get("normal", "n.png") == "n.png"


def test_aliases_mean_nothing_without_a_unit_if_no_parent_is_missing(media: Media) -> None:
    text = "material M {\nset_texture_alias <DiffuseMap> x.dds\ntechnique { pass {\nlighting off\n} } }"
    assert media.material(text).units == {}


def test_a_brace_too_many_is_a_note(media: Media) -> None:
    assert media.material(SIMPLE.format(name="M", file="x.png") + "}\n").units == {"diffuse": 0}
    assert media.report.complete
    assert ["a } closes no block" in text for text in media.report.notes] == [True]


def test_a_circle_of_parents_is_an_error_with_its_place(media: Media) -> None:
    media.material("material N : M { }\nmaterial M : N { }")
    assert "inherits from itself" in media.report.errors[0].why


def test_variables_of_a_child_and_of_the_script(media: Media) -> None:
    text = (
        "set $cull none\nmaterial Base {\nset $file a.png\ntechnique { pass {\ncull_hardware $cull\n"
        "texture_unit {\ntexture $file\nscale $no 1 2\n} } } }\nmaterial M : Base {\nset $file b.png\n}"
    )
    assert media.material(text).cull == "none"
    assert [texture.name for texture in media.resolve("M").textures] == ["b.png"]
    assert any("line 8: $no is never set" in text for text in media.report.warnings)


def test_a_broken_script_is_an_error_with_its_place_and_the_rest_stays(media: Media) -> None:
    text = "material Broken {\n technique {\n" + SIMPLE.format(name="M", file="x.png") + "}\n"
    assert media.material(text).units == {"diffuse": 0}
    first = media.report.errors[0]
    assert (first.path, first.offset) == ("material Broken/line 1", 0)
    assert first.file == str(media.root / "models/any.material")


def test_a_broken_script_of_others_is_no_error_of_this_mesh(media: Media) -> None:
    media.put("materials/a.material", "material Broken {")
    media.put("materials/b.material", SIMPLE.format(name="M", file="x.png"))
    media.resolve("M")
    assert (media.report.errors, media.report.notes) == ([], [])
    media.resolve("Gone")
    assert media.report.complete
    (note,) = media.report.notes
    assert note.startswith(f"{media.root / 'materials/a.material'}: the material has no end")


FULL = """material M {
  technique {
    pass {
      diffuse 0.5 0.25 1 0.5
      emissive 0.1 0.2 0.3
      specular 0.1 0.2 0.3 20
      scene_blend src_alpha one
      alpha_rejection less 128
      cull_hardware anticlockwise
      depth_check off
      texture_unit { texture skin.png
        tex_address_mode clamp mirror
        filtering none
        tex_coord_set 1
        scroll 0.25 0.5
      }
      texture_unit { texture shine.png
        env_map spherical
      }
      texture_unit Bumps { texture b_normal.png
      }
      rtshader_system { lighting_stage normal_map real_bumps.png
      }
    }
  }
}"""


def test_all_of_a_material(media: Media) -> None:
    material = media.material(FULL)
    textures = media.resolve("M").textures
    assert (material.diffuse, material.specular) == ((0.5, 0.25, 1, 0.5), (0.1, 0.2, 0.3, 20))
    assert (material.blend, material.alpha_function, material.alpha_mask) == ("addalpha", "less", 128 / 255)
    assert (material.cull, material.depth_test, material.depth_write) == ("front", False, True)
    assert (material.uv_set, material.u_offset[3], material.v_offset[3]) == (1, 0.25, 0.5)
    names = {unit: textures[number].name for unit, number in material.units.items()}
    assert names == {
        "diffuse": "skin.png",
        "environment": "shine.png",
        "normal": "real_bumps.png",
        "emissive": "skin.png",
    }
    skin = textures[material.units["diffuse"]]
    assert (skin.address, skin.filter, skin.mipmaps) == (("clamp", "mirror"), "nearest", False)
    assert not textures[material.units["normal"]].srgb and skin.srgb
    assert material.parameters["alpha_rejection"] == "less 128"


def test_the_program_of_any_pass_is_named(media: Media) -> None:
    program = "pass {\nfragment_program_ref Glow {\nparam_named a float 1\n}\n}"
    material = media.material(f"material M {{ technique {{ pass {{\nlighting off\n}} {program} }} }}")
    assert material.parameters["fragment_program_ref"] == "Glow"
    assert not material.shader_known


def test_without_light_only_the_vertices_have_a_colour(media: Media) -> None:
    text = "material M { technique { pass {\nlighting off\ndiffuse 1 0 0\nemissive 1 1 1\n} } }"
    material = media.material(text)
    assert (material.unlit, material.vertex_color) == (True, True)
    assert (material.diffuse, material.emissive) == ((1, 1, 1, 1), (0, 0, 0))


def test_a_texture_that_replaces_the_light(media: Media) -> None:
    text = "material M { technique { pass { texture_unit {\ntexture a.png\ncolour_op replace\n} } } }"
    assert media.material(text).unlit


def test_moving_and_paged_textures(media: Media) -> None:
    text = (
        "material M { technique { pass { texture_unit {\nanim_texture a.png 2 4\nscroll_anim 0.5 0\n} } } }"
    )
    material = media.material(text)
    assert material.flipbook is not None and material.uv_motion is not None
    pages = [media.resolve("M").textures[number].name for number in material.flipbook.textures]
    assert (pages, material.flipbook.at(3.0)) == (["a_0.png", "a_1.png"], 1)
    assert material.uv_motion(0.5)[0] == pytest.approx((1, 0, 0, 0.75))
