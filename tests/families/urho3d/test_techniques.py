"""Techniques by file and by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from viewer.errors import FormatError
from viewer.families.urho3d.techniques import Technique, named_technique, parse_technique

OPAQUE = """<technique vs="LitSolid" ps="LitSolid" psdefines="DIFFMAP">
  <pass name="base"/><pass name="litbase" psdefines="AMBIENT NORMALMAP"/>
  <pass name="light" blend="add" depthwrite="false"/>
  <pass name="shadow" vs="Shadow" ps="Shadow"/></technique>"""


def xml(text: str) -> Technique:
    return parse_technique(text.encode(), "Techniques/T.xml")


def test_base_pass_is_opaque_and_defines_are_gathered() -> None:
    technique = xml(OPAQUE)
    assert {"DIFFMAP", "NORMALMAP"} <= technique.defines
    assert (technique.blend, technique.depth_write, technique.all_units) == ("replace", True, False)


def test_the_pass_without_lights_has_a_shader_with_defines() -> None:
    technique = xml(OPAQUE)
    assert (technique.shader, technique.shader_defines) == ("LitSolid", ("DIFFMAP",))
    own = xml(
        '<technique ps="LitSolid" psdefines="DIFFMAP AO"><pass name="light"/>'
        '<pass name="alpha" ps="Glass" psdefines="TINT" psexcludes="AO"/></technique>'
    )
    assert (own.shader, own.shader_defines) == ("Glass", ("DIFFMAP", "TINT"))
    assert xml('<technique ps="LitSolid"><pass name="light"/></technique>').shader == ""


def test_alpha_pass_alone_blends() -> None:
    technique = xml(
        '<technique vs="Unlit" ps="Unlit" psdefines="DIFFMAP">'
        '<pass name="litalpha" blend="addalpha"/>'
        '<pass name="alpha" depthwrite="false" blend="alpha"/></technique>'
    )
    assert (technique.blend, technique.depth_write, technique.unlit) == ("alpha", False, True)


@pytest.mark.parametrize("blend", ["add", "multiply", "premulalpha", "subtractalpha"])
def test_blend_names(blend: str) -> None:
    assert xml(f'<technique><pass name="alpha" blend="{blend}"/></technique>').blend == blend


def test_unknown_blend_is_opaque() -> None:
    assert xml('<technique><pass name="alpha" blend="magic"/></technique>').blend == "replace"


def test_pass_overrides_cull_and_depth() -> None:
    technique = xml(
        '<technique><pass name="base" cull="none" depthtest="always" depthwrite="false"/></technique>'
    )
    assert (technique.cull, technique.depth_test, technique.depth_write) == ("none", False, False)


def test_a_shader_of_ones_own_draws_every_texture() -> None:
    assert xml('<technique vs="Mine" ps="Mine"><pass name="base"/></technique>').all_units


@pytest.mark.parametrize("passes", ['{"base": {"blend": "add"}}', '[{"name": "base", "blend": "add"}]'])
def test_json(passes: str) -> None:
    technique = xml(f'{{"vs": "LitSolid", "ps": "LitSolid", "psdefines": "DIFFMAP", "passes": {passes}}}')
    assert (technique.blend, technique.defines) == ("add", {"DIFFMAP"})


def test_another_root_is_refused() -> None:
    with pytest.raises(FormatError, match="technique"):
        xml("<material/>")


@pytest.mark.parametrize(
    ("name", "defines"),
    [
        ("Techniques/Diff.xml", {"DIFFMAP"}),
        ("Techniques/DiffNormalSpecAOAlpha.xml", {"DIFFMAP", "NORMALMAP", "SPECMAP", "AO"}),
        ("Techniques/DiffEmissiveAlphaMask.xml", {"DIFFMAP", "EMISSIVEMAP", "ALPHAMASK"}),
        ("Techniques/NoTextureVCol.xml", {"VERTEXCOLOR"}),
        ("Techniques/NoTextureNormal.xml", {"NORMALMAP"}),
        ("Techniques/DiffNormalSpecEnvCube.xml", {"DIFFMAP", "NORMALMAP", "SPECMAP", "ENVCUBEMAP"}),
    ],
)
def test_defines_by_name(name: str, defines: set[str]) -> None:
    technique = named_technique(name)
    assert technique.defines == defines
    assert not technique.all_units


@pytest.mark.parametrize(
    ("name", "blend", "depth_write"),
    [
        ("DiffAlpha", "alpha", False),
        ("DiffAlphaMask", "replace", True),
        ("DiffAdd", "add", False),
        ("DiffAddAlpha", "addalpha", False),
        ("DiffMultiply", "multiply", False),
        ("UnlitTransparent", "alpha", False),
    ],
)
def test_blend_by_name(name: str, blend: str, depth_write: bool) -> None:
    technique = named_technique(f"Techniques/{name}.xml")
    assert (technique.blend, technique.depth_write) == (blend, depth_write)


def test_unlit_by_name() -> None:
    assert named_technique("Techniques/DiffUnlit.xml").unlit
    assert not named_technique("Techniques/Diff.xml").unlit


@pytest.mark.parametrize("shader", ["M_Default", "v2/M_Default"])
def test_rbfx_shaders_show_the_colours_of_vertices(shader: str) -> None:
    lit = xml(f'<technique vs="{shader}" ps="{shader}"><pass name="base"/></technique>')
    assert (lit.vertex_color, lit.unlit, lit.all_units) == (True, False, True)
    unlit = xml(f'<technique vs="{shader}" ps="{shader}" psdefines="UNLIT"><pass name="base"/></technique>')
    assert (unlit.vertex_color, unlit.unlit) == (True, True)


@pytest.mark.parametrize(("defines", "shown"), [("VERTEXCOLOR", True), ("DIFFMAP", False)])
def test_vertex_colours_by_define(defines: str, shown: bool) -> None:
    text = f'<technique vs="Own" ps="Own" psdefines="{defines}"><pass name="base"/></technique>'
    assert xml(text).vertex_color is shown


def test_a_strange_name_draws_every_texture() -> None:
    assert named_technique("Techniques/Water.xml").all_units


def test_names_and_files_of_the_engine_agree(corpus: Path) -> None:
    for file in sorted((corpus / "urho3d/CoreData/Techniques").glob("*.xml")):
        by_name, by_file = named_technique(file.name), parse_technique(file.read_bytes(), file.name)
        assert by_name.defines == by_file.defines & {"DIFFMAP", "NORMALMAP", "SPECMAP", "VERTEXCOLOR"}
        assert (by_name.blend, by_name.depth_write) == (by_file.blend, by_file.depth_write)
        assert (by_name.all_units, by_name.unlit) == (by_file.all_units, by_file.unlit)
