"""What a material's text becomes, and what is left where it is missing or broken."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

from tests.conftest import ROOT
from tests.packages import png
from tests.resource_tree import Tree
from tests.synthetic import ELEMENTS, VERTEX, model_bytes, post
from viewer.binary import Struct
from viewer.families.urho3d.elements import COLOR, ELEMENT, UBYTE4_NORM
from viewer.families.urho3d.materials import resolve_materials
from viewer.scene.model import Model
from viewer.scene.reading_context import DEFAULT
from viewer.storage.documents import open_document
from viewer.storage.search import SearchPath


def test_missing_material(tree: Tree) -> None:
    tree.put("Models/Sub/Hero.txt", "Materials/No.xml")
    material = tree.resolve().materials[0]
    assert (material.found, material.units) == (None, {})
    assert str(tree.root / "Materials/No.xml") in material.searched
    assert ["Materials/No.xml" in warning for warning in tree.report.warnings] == [True]


@pytest.mark.parametrize("colored", [True, False])
def test_a_missing_material_shows_the_colours_of_vertices(tree: Tree, colored: bool) -> None:
    tree.put("Models/Sub/Hero.txt", "Materials/No.xml")
    elements = [*ELEMENTS, (UBYTE4_NORM, COLOR, 0, 0)] if colored else ELEMENTS
    vertices, _ = post()
    columns = [*VERTEX.descr, ("color0", "u1", 4)] if colored else VERTEX.descr
    stored = np.zeros(len(vertices), columns)
    for name in VERTEX.names or ():
        stored[name] = vertices[name]
    buffer = Struct(
        vertex_count=len(stored),
        elements=np.array(list(elements), ELEMENT),
        morph_start=0,
        morph_count=0,
        vertices=stored,
    )
    tree.put_bytes("Models/Sub/Hero.mdl", model_bytes(vertex_buffers=[buffer], morphs=[]))
    model = open_document(tree.model).content
    assert isinstance(model, Model)
    assert [(each.missing, each.vertex_color) for each in model.materials] == [(True, colored)]


@pytest.mark.parametrize(
    ("name", "missing", "found"),
    [("Mine", True, False), ("LitOpaque", True, False), ("NoTexture", True, False), ("DiffVCol", True, True)],
)
def test_a_missing_technique_shows_the_colours_of_vertices(
    tree: Tree, name: str, missing: bool, found: bool
) -> None:
    def shown() -> bool:
        search = SearchPath.around(tree.model, DEFAULT)
        return resolve_materials(tree.model, 1, search, tree.report, colored=True).materials[0].vertex_color

    tree.put("Materials/Hero.xml", f'<material><technique name="Techniques/{name}.xml"/></material>')
    assert shown() is missing
    define = "VERTEXCOLOR" if found else ""
    text = f'<technique ps="LitSolid" psdefines="{define}"><pass name="base"/></technique>'
    tree.put(f"Techniques/{name}.xml", text)
    assert shown() is found


@pytest.mark.parametrize(
    "text",
    [
        '<technique name="Techniques/PBR/PBRNoTexture.xml"/>',
        '<technique name="Techniques/LitOpaque.xml"/><shader psdefines="PBR"/>',
        '<technique name="Techniques/Own.xml"/>',
    ],
)
def test_physically_based_materials_have_no_highlight_of_their_specular_colour(tree: Tree, text: str) -> None:
    tree.put("Techniques/Own.xml", '<technique ps="Own" psdefines="PBR IBL"><pass name="base"/></technique>')
    parameter = '<parameter name="MatSpecColor" value="1 1 1 0"/>'
    assert tree.material(f"<material>{text}{parameter}</material>").specular == (0.0, 0.0, 0.0, 1.0)


def test_a_missing_technique_says_nothing_of_vertices_without_colours(tree: Tree) -> None:
    assert not tree.material('<material><technique name="Techniques/Mine.xml"/></material>').vertex_color


def test_the_techniques_of_rbfx_are_known(tree: Tree) -> None:
    tree.material('<material><technique name="Techniques/UnlitOpaque.xml"/></material>')
    assert tree.report.warnings == []


@pytest.mark.parametrize(("name", "known"), [("Diff", True), ("NoTexture", True), ("Own", False)])
def test_only_the_units_of_stock_techniques_have_a_known_meaning(tree: Tree, name: str, known: bool) -> None:
    material = tree.material(f'<material><technique name="Techniques/{name}.xml"/></material>')
    assert material.shader_known is known
    assert not tree.material("<material/>").shader_known


def test_a_material_without_technique_shows_no_colours_of_vertices(tree: Tree) -> None:
    assert not tree.material("<material/>").vertex_color


def test_broken_material_is_an_error_with_its_place(tree: Tree) -> None:
    material = tree.material("<material>\n  <technique\n</material>")
    assert material.found == str(tree.root / "Materials/Hero.xml")
    error = tree.report.errors[0]
    assert (error.file, error.path) == (material.found, "line 3, column 1")
    assert tree.resolve().per_geometry == (0,)


def test_another_root_is_an_error(tree: Tree) -> None:
    tree.material("<model/>")
    assert "not <material>" in tree.report.errors[0].why


def test_units_that_the_technique_does_not_sample_are_named(tree: Tree) -> None:
    units = """<texture unit="diffuse" name="d.png"/><texture unit="normal" name="n.png"/>
    <texture unit="emissive" name="e.png"/>"""
    for technique, expected in (
        ("Diff", {"normal": "n.png", "emissive": "e.png"}),
        ("DiffNormalAO", {}),
        ("Own", {}),
    ):
        text = f'<material><technique name="Techniques/{technique}.xml"/>{units}</material>'
        assert tree.material(text).unsampled == expected


FULL = """<material>
<technique name="Techniques/Diff.xml" quality="0"/>
<technique name="Techniques/DiffNormalSpec.xml" quality="1"/>
<technique name="Techniques/NoTexture.xml" quality="2" loddistance="50"/>
<texture unit="diffuse" name="Textures/d.png"/><texture unit="norm" name="Textures/n.png"/>
<texture unit="2" name="Textures/s.png"/><texture unit="emissive" name="Textures/e.png"/>
<parameter name="MatDiffColor" value="0.5 0.25 1"/><parameter name="MatSpecColor" value="0.1 0.2 0.3 16"/>
<parameter name="MatEmissiveColor" value="0.5 0 0"/><parameter name="UOffset" value="2 0 0 0.5"/>
<parameter name="VOffset" value="0 3 0 0"/><parameter name="Mine" value="7"/>
<shader psdefines="PACKEDNORMAL VERTEXCOLOR"/><cull value="none"/><fill value="wireframe"/>
<renderorder value="130"/></material>"""

FULL_JSON = json.dumps(
    {
        "techniques": [
            {"name": "Techniques/Diff.xml", "quality": 0, "loddistance": 0},
            {"name": "Techniques/DiffNormalSpec.xml", "quality": 1, "loddistance": 0},
            {"name": "Techniques/NoTexture.xml", "quality": 2, "loddistance": 50},
        ],
        "textures": {
            "diffuse": "Textures/d.png",
            "normal": "Textures/n.png",
            "specular": "Textures/s.png",
            "emissive": "Textures/e.png",
        },
        "shaderParameters": {
            "MatDiffColor": "0.5 0.25 1",
            "MatSpecColor": {"type": "Vector4", "value": "0.1 0.2 0.3 16"},
            "MatEmissiveColor": [0.5, 0, 0],
            "UOffset": "2 0 0 0.5",
            "VOffset": "0 3 0 0",
            "Mine": 7,
        },
        "shader": {"vsdefines": "", "psdefines": "PACKEDNORMAL VERTEXCOLOR"},
        "cull": "none",
        "fill": "wireframe",
        "renderorder": 130,
    }
)


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("Materials/Hero.xml", FULL),
        ("Materials/Hero.json", FULL_JSON),
        ("Materials/Hero.material", FULL),
        ("Materials/Hero.material", FULL_JSON),
    ],
)
def test_everything_a_material_says(tree: Tree, place: str, text: str) -> None:
    tree.put(place, text)
    material_set = tree.resolve()
    material = material_set.materials[0]
    assert material.technique == "Techniques/DiffNormalSpec.xml"
    assert material.units == {"diffuse": 0, "normal": 1, "specular": 2}
    assert [texture.name for texture in material_set.textures] == [f"Textures/{x}.png" for x in "dns"]
    assert [texture.srgb for texture in material_set.textures] == [True, False, False]
    assert material.diffuse == (0.5, 0.25, 1.0, 1.0)
    assert material.specular == (0.1, 0.2, 0.3, 16.0)
    assert material.emissive == (0.5, 0.0, 0.0)
    assert (material.u_offset, material.v_offset) == ((2.0, 0.0, 0.0, 0.5), (0.0, 3.0, 0.0, 0.0))
    assert (material.packed_normal, material.vertex_color) == (True, True)
    assert (material.cull, material.fill, material.render_order) == ("none", "wireframe", 130)
    assert material.parameters["Mine"] == "7"


def test_a_material_without_parameters_leaves_colours_and_texture_coordinates(tree: Tree) -> None:
    material = tree.material("<material/>")
    assert (material.u_offset, material.v_offset) == ((1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0))
    assert (material.diffuse, material.emissive) == ((1.0, 1.0, 1.0, 1.0), (0.0, 0.0, 0.0))
    assert material.specular == (0.0, 0.0, 0.0, 1.0)


@pytest.mark.parametrize(
    ("unit", "expected"),
    [
        ('unit="diff"', "diffuse"),
        ('unit="albedo"', "diffuse"),
        ('unit="0"', "diffuse"),
        ("", "diffuse"),
        ('slot="Albedo"', "diffuse"),
        ('slot="Emission"', "emissive"),
        ('slot="Reflection"', "environment"),
        ('slot="Properties"', "properties"),
        ('unit="env"', "environment"),
    ],
)
def test_unit_names(tree: Tree, unit: str, expected: str) -> None:
    text = f'<material><technique name="Mine.xml"/><texture {unit} name="Textures/d.png"/></material>'
    assert tree.material(text).units == {expected: 0}


@pytest.mark.parametrize(
    ("given", "expected"), [("ccw", "back"), ("cw", "front"), ("none", "none"), ("?", "back")]
)
def test_cull_names(tree: Tree, given: str, expected: str) -> None:
    assert tree.material(f'<material><cull value="{given}"/></material>').cull == expected


def test_a_texture_that_the_technique_does_not_draw_is_left_out(tree: Tree) -> None:
    technique, texture = (
        '<technique name="Techniques/NoTexture.xml"/>',
        '<texture unit="diffuse" name="d.png"/>',
    )
    assert tree.material(f"<material>{technique}{texture}</material>").units == {}


def test_technique_file_beats_its_name(tree: Tree) -> None:
    tree.put(
        "Techniques/Diff.xml",
        '<technique ps="Unlit"><pass name="alpha" blend="add" cull="none"/></technique>',
    )
    material = tree.material('<material><technique name="Techniques/Diff.xml"/><cull value="cw"/></material>')
    assert (material.blend, material.unlit, material.cull) == ("add", True, "none")


def test_broken_technique_leaves_its_name(tree: Tree) -> None:
    tree.put("Techniques/DiffAlpha.xml", "<technique")
    assert tree.material('<material><technique name="Techniques/DiffAlpha.xml"/></material>').blend == "alpha"
    assert tree.report.errors[0].file.endswith("DiffAlpha.xml")


def test_alpha_mask(tree: Tree) -> None:
    material = tree.material('<material><technique name="Techniques/DiffAlphaMask.xml"/></material>')
    assert (material.alpha_mask, material.blend) == (0.5, "replace")


def test_occlusion_map_is_not_emissive(tree: Tree) -> None:
    technique, texture = (
        '<technique name="Techniques/DiffAO.xml"/>',
        '<texture unit="emissive" name="o.png"/>',
    )
    assert tree.material(f"<material>{technique}{texture}</material>").units == {"occlusion": 0}


@pytest.mark.parametrize("value", ["nan 0 0 1", "a b c", "1e999"])
def test_bad_numbers_leave_the_default(tree: Tree, value: str) -> None:
    text = (
        f'<material><parameter name="MatDiffColor" value="{value}"/><renderorder value="{value}"/></material>'
    )
    material = tree.material(text)
    assert (material.diffuse, material.render_order) == ((1.0, 1.0, 1.0, 1.0), 128)
    assert ["MatDiffColor" in warning for warning in tree.report.warnings] == [True]


def test_name_in_another_case_is_told(tree: Tree) -> None:
    if (tree.root / "models").exists():
        pytest.skip("this disk ignores case by itself")
    tree.put("Materials/Red.xml", '<material><parameter name="MatDiffColor" value="1 0 0 1"/></material>')
    tree.put("Models/Sub/Hero.txt", "materials/RED.xml")
    (material,) = tree.resolve().materials
    assert (material.diffuse, material.how) == ((1.0, 0.0, 0.0, 1.0), "case")


def test_resolution_does_not_load_pillow(tree: Tree) -> None:
    tree.put("Models/Sub/Hero.txt", "Materials/Hero.xml")
    tree.put("Materials/Hero.xml", '<material><texture unit="diffuse" name="Textures/d.png"/></material>')
    tree.put_bytes("Textures/d.png", png())
    code = f"""
import sys
from viewer.errors import Report
from viewer.families.urho3d.materials import resolve_materials
from viewer.scene.reading_context import DEFAULT
from viewer.storage.search import SearchPath
model = {str(tree.model)!r}
assert resolve_materials(model, 1, SearchPath.around(model, DEFAULT), Report()).textures
assert not any(name.partition(".")[0] == "PIL" for name in sys.modules)
"""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
