"""Materials made of datablocks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ogre_files import model_of, opened, simple
from tests.ogre_media import Media
from tests.ogre_next_files import mesh_bytes, square
from viewer.families.ogre.materials.datablock_material import encoded
from viewer.render.mesh.material_block import to_linear
from viewer.scene.material import Material, PhysicalSurface
from viewer.storage.documents import open_document


def material(media: Media, body: str, type: str = "pbs") -> Material:
    media.put("models/a.material", f"hlms M {type}\n{{\n{body}\n}}\n")
    (made,) = media.resolve("M").materials
    return made


def test_linear_colours_are_encoded() -> None:
    assert to_linear(encoded((0.25, 0.001, 2.0))).tolist() == pytest.approx([0.25, 0.001, 2.0])  # type: ignore[arg-type]


def test_roughness_and_metalness_become_a_surface(media: Media) -> None:
    made = material(media, "roughness 0.5\nmetalness 0.25")
    assert made.surface == PhysicalSurface(0.5, 0.25)
    assert to_linear(made.specular[:3]).tolist() == pytest.approx([0.04] * 3)  # type: ignore[arg-type]


def test_the_specular_workflow_has_no_metalness(media: Media) -> None:
    made = material(media, "specular 0.5 1 0\nfresnel_coeff 0.5")
    assert made.surface is not None
    assert made.surface.metalness == 0
    assert to_linear(made.specular[:3]).tolist() == pytest.approx([0.25, 0.5, 0])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("diffuse", "shown"),
    [("8 4 0", (1, 0.5, 0)), ("0 0 0", (1, 1, 1)), ("0.5 0.5 0.5", (0.5, 0.5, 0.5))],
)
def test_the_colour_over_a_texture_is_at_most_white_and_never_black(
    media: Media, diffuse: str, shown: tuple[float, ...]
) -> None:
    media.picture("models/a.png")
    made = material(media, f"diffuse_map a.png\ndiffuse {diffuse}")
    assert to_linear(made.diffuse[:3]).tolist() == pytest.approx(shown)  # type: ignore[arg-type]


def test_without_a_texture_the_background_is_drawn(media: Media) -> None:
    made = material(media, "diffuse 0.5 1 1\nbackground_diffuse 1 0.5 0 1")
    assert to_linear(made.diffuse[:3]).tolist() == pytest.approx([0.5, 0.5, 0])  # type: ignore[arg-type]


def test_colours_are_srgb_and_other_maps_are_not(media: Media) -> None:
    for name in ("c", "n", "r", "m"):
        media.picture(f"models/{name}.png")
    text = "diffuse_map c.png\nnormal_map n.png\nroughness_map r.png\nmetalness_map m.png"
    media.put("models/a.material", f"hlms M pbs\n{{\n{text}\n}}\n")
    found = media.resolve("M")
    srgb = {unit: found.textures[number].srgb for unit, number in found.materials[0].units.items()}
    assert srgb == {"diffuse": True, "normal": False, "roughness": False, "metalness": False}


def test_transparency_blends(media: Media) -> None:
    made = material(media, "transparency 0.5\ntransparency_mode transparent")
    assert (made.blend, made.diffuse[3]) == ("alpha", 0.5)
    assert material(media, "transparency 0.5").diffuse[3] == 1


def test_an_emissive_texture_without_a_colour_glows(media: Media) -> None:
    media.picture("models/e.png")
    assert material(media, "emissive_map e.png").emissive == pytest.approx((1, 1, 1))
    assert material(media, "emissive_map e.png\nemissive 0 0 0").emissive == (0, 0, 0)


def test_what_is_not_drawn_is_noted(media: Media) -> None:
    for name in ("c", "d"):
        media.picture(f"models/{name}.png")
    made = material(
        media,
        "diffuse_map c.png\ndetail_map3 d.png\ndetail_normal_map0 d.png\nnormal_map d.png\n"
        "uv_normal_map 1\nclearcoat 1",
    )
    assert list(made.units) == ["diffuse"]
    text = next(each.text for each in media.report.messages if "not drawn" in each.text)
    for part in (
        "the clear coat",
        "detail map 3 (d.png)",
        "detail normal map 0",
        "the normal map, which uses UV set 1",
    ):
        assert part in text


def test_an_unlit_datablock_has_no_light(media: Media) -> None:
    made = material(media, "diffuse 1 0 0 0.5", "unlit")
    assert made.unlit
    assert made.surface is None


def test_the_kind_of_the_mesh_decides_between_a_material_and_a_datablock(tmp_path: Path) -> None:
    (tmp_path / "stone.material").write_text("material stone\n{\n technique { pass { } }\n}\n")
    (tmp_path / "other.material").write_text("hlms stone pbs\n{\n}\n")
    newer = model_of(opened(tmp_path, mesh_bytes(square()), "next.mesh"))
    older = model_of(opened(tmp_path, simple(), "old.mesh"))
    assert newer.materials[0].surface is not None
    assert older.materials[0].surface is None


def test_a_mesh_of_ogre_finds_a_datablock_too(tmp_path: Path) -> None:
    (tmp_path / "stone.material.json").write_text('{"pbs": {"stone": {"roughness": {"value": 0.5}}}}')
    (made,) = model_of(opened(tmp_path, simple())).materials
    assert made.surface == PhysicalSurface(0.5)
    assert made.found == str(tmp_path / "stone.material.json")


REAL = {
    "cryham+ogre3ter-demo/Media/models/palm2-lod8.mesh": ("palm2", "vegetation.material.json"),
    "edherbert+SimpleTerrain/media/Barrel2.mesh": ("RustyBarrel", "actual.material"),
    "cryham+ogre3ter-demo/Media/vehicles/ES_glass.mesh": ("ES_glass", "cars.material"),
    "knn217+OgreNext_GameProject/OGRE_NEXT_MESH/Cube.003.mesh": ("Material", "Material.material"),
    "cryham+ogre3ter-demo/Media/models/rock_B02.mesh": ("rock_n2", None),
}


@pytest.mark.parametrize("name", REAL)
def test_real_materials_are_found_in_their_files(corpus: Path, name: str) -> None:
    made = model_of(open_document(corpus / "ogre" / "v2" / name)).materials[0]
    file = made.found and Path(made.found).name
    assert (made.name, file) == REAL[name]


def test_real_leaves_are_cut_out(corpus: Path) -> None:
    name = "ogre/v2/cryham+ogre3ter-demo/Media/models/palm2-lod8.mesh"
    (made,) = model_of(open_document(corpus / name)).materials
    assert (made.alpha_function, made.alpha_mask, made.cull) == ("greater_equal", 0.5, "none")
