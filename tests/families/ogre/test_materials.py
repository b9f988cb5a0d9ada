"""Materials of a mesh: found by name over folders and archives, and what is left where they are not."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest

from tests.ogre_media import SIMPLE, Media
from viewer.families.ogre.materials import library
from viewer.families.ogre.names import BytesName
from viewer.scene.reading_context import DEFAULT, ReadingContext, name_key, reading_context


@pytest.mark.parametrize(
    ("scripts", "textures"),
    [
        ("models", "models"),
        ("materials/scripts", "materials/textures"),
        ("models/materials/deep/scripts", "Materials/Textures"),
        ("../materials", "other"),
        ("scripts", "."),
    ],
)
def test_scripts_and_textures_lie_in_the_usual_folders(media: Media, scripts: str, textures: str) -> None:
    media.put(f"{scripts}/a.material", SIMPLE.format(name="M", file="somewhere/else/SKIN.png"))
    media.picture(f"{textures}/Skin.PNG")
    material_set = media.resolve("M")
    assert material_set.per_geometry == (0,)
    assert material_set.materials[0].units == {"diffuse": 0}
    (texture,) = material_set.textures
    assert texture.path is not None and texture.path.endswith("Skin.PNG")
    assert texture.decode is not None and texture.decode().size == (2, 2)
    assert (media.report.warnings, media.report.errors) == ([], [])


@pytest.mark.parametrize(
    ("stored", "found"),
    [
        ("textures/set/skin.png", True),
        ("models/textures/set/skin.png", True),
        ("../Textures/Set/Skin.PNG", True),
        ("textures/other/skin.png", False),
        ("textures/set/skin.jpg", True),
    ],
)
def test_a_name_with_folders_is_found_below_any_folder_above_the_mesh(
    media: Media, stored: str, found: bool
) -> None:
    media.put("models/a.material", SIMPLE.format(name="M", file="textures/set/skin.png"))
    media.picture(stored)
    (texture,) = media.resolve("M").textures
    assert (texture.path is not None) == found
    if texture.path is not None:
        assert texture.path == str((media.root / stored).resolve())
    else:
        assert str(media.root / "textures/set/skin.png") in texture.searched


def test_a_name_with_folders_means_that_file_and_no_other_of_its_base_name(media: Media) -> None:
    media.put("models/a.material", SIMPLE.format(name="M", file="textures/set/skin.png"))
    for name in ("models/skin.png", "textures/set/skin.png"):
        media.picture(name)
    assert media.resolve("M").textures[0].path == str(media.root / "textures/set/skin.png")


def test_scripts_and_textures_in_an_archive(media: Media) -> None:
    media.picture("x.png")
    media.put("packs/readme.txt", "")
    with zipfile.ZipFile(media.root / "packs/all.zip", "w") as archive:
        archive.writestr("deep/a.material", SIMPLE.format(name="M", file="skin.png"))
        archive.writestr("deep/er/skin.png", (media.root / "x.png").read_bytes())
    (texture,) = media.resolve("M").textures
    assert texture.path == f"{media.root}/packs/all.zip/deep/er/skin.png"
    assert texture.decode is not None and texture.decode().size == (2, 2)


def test_a_broken_archive_is_a_warning(media: Media) -> None:
    media.put("models/broken.zip", "no zip")
    media.put("materials/a.material", SIMPLE.format(name="M", file="skin.png"))
    assert media.resolve("M").materials[0].found is not None
    assert any("the zip archive cannot be read" in text for text in media.report.warnings)


def test_the_nearest_of_two_materials_counts(media: Media) -> None:
    media.put("materials/a.material", SIMPLE.format(name="M", file="far.png"))
    assert media.material(SIMPLE.format(name="M", file="near.png")).found == str(
        media.root / "models/any.material"
    )


def test_a_missing_material_says_where_it_was_looked_for(media: Media) -> None:
    media.put("materials/scripts/a.material", SIMPLE.format(name="Other", file="x.png"))
    material = media.resolve("No").materials[0]
    assert (material.name, material.found, material.units) == ("No", None, {})
    assert str(media.root / "materials/*.material") in material.searched
    assert ["material No is missing" in text for text in media.report.warnings] == [True]


def test_a_missing_texture_says_where_it_was_looked_for(media: Media) -> None:
    media.put("models/a.material", SIMPLE.format(name="M", file="dir/no.png"))
    (texture,) = media.resolve("M").textures
    assert texture.decode is None and str(media.root / "models/no.png") in texture.searched
    assert ["texture dir/no.png is missing" in text for text in media.report.warnings] == [True]


def test_a_picture_of_the_same_stem_stands_in(media: Media) -> None:
    media.put("models/a.material", SIMPLE.format(name="M", file="skin.tga"))
    media.picture("materials/textures/Skin.png")
    (texture,) = media.resolve("M").textures
    assert texture.path == str(media.root / "materials/textures/Skin.png")
    assert texture.how == "suffix"


@pytest.mark.parametrize("name", ["", "BaseWhite", "BaseWhiteNoLighting"])
def test_the_engines_own_material_is_the_default(media: Media, name: str) -> None:
    media.mesh.parent.mkdir(parents=True)
    assert media.resolve(name).per_geometry == (None,)
    assert media.report.warnings == []


def test_the_only_material_of_a_script_that_is_called_like_the_mesh_stands_in(media: Media) -> None:
    media.put("models/Hero.material", SIMPLE.format(name="Renamed", file="x.png"))
    material = media.resolve("M").materials[0]
    assert (material.name, material.found) == ("M", str(media.root / "models/Hero.material"))
    assert (material.by, material.how) == ("name", "only")


def test_submeshes_share_materials_but_not_those_with_textures_of_their_own(media: Media) -> None:
    text = "material M { technique { pass { texture_unit Skin {\ntexture a.png\n} } } }"
    media.put("models/a.material", text)
    material_set = media.resolve("M", "M", "M", aliases=({}, {"Skin": "b.png"}, {}))
    assert material_set.per_geometry == (0, 1, 0)
    assert [texture.name for texture in material_set.textures] == ["a.png", "b.png"]


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030"])
def test_names_link_by_their_bytes(media: Media, encoding: str) -> None:
    raw = "模".encode(encoding)  # two bytes that are UTF-8 by chance
    media.put("models/a.material", SIMPLE.format(name="模", file="骆驼.png").encode(encoding))
    media.picture("models/骆驼.png")
    material_set = media.resolve(BytesName.of(raw))
    assert material_set.materials[0].found is not None
    assert material_set.textures[0].path == str(media.root / "models/骆驼.png")


PAGES = (
    ("стена.png", "cp1251"),
    ("СТОЛ.png", "cp1251"),
    ("壁テクスチャ.png", "cp932"),
    ("Größe.png", "cp1252"),
)


@pytest.mark.parametrize(("file", "page"), PAGES)
def test_pictures_of_a_script_in_a_code_page_are_found(media: Media, file: str, page: str) -> None:
    media.put("models/a.material", SIMPLE.format(name="M", file=file).encode(page))
    media.picture(f"models/{file}")
    (texture,) = media.resolve("M").textures
    assert (texture.name, texture.path) == (file, str(media.root / "models" / file))


@pytest.mark.parametrize(("file", "page"), PAGES)
def test_pictures_whose_names_are_the_bytes_of_the_script_are_found(
    media: Media, file: str, page: str
) -> None:
    stored = os.fsdecode(file.encode(page))
    try:
        media.picture(f"models/{stored}")
    except (OSError, UnicodeError):
        pytest.skip("the file system has UTF-8 names only")
    media.put("models/a.material", SIMPLE.format(name="M", file=file).encode(page))
    (texture,) = media.resolve("M").textures
    assert texture.path == str(media.root / "models" / stored)


def test_a_missing_picture_of_a_script_in_a_code_page_is_shown_readably(media: Media) -> None:
    media.put("models/a.material", SIMPLE.format(name="M", file="стена.png").encode("cp1251"))
    (texture,) = media.resolve("M").textures
    assert (texture.name, texture.path) == ("стена.png", None)


def test_a_material_is_found_in_a_script_in_another_code_page_than_the_mesh(media: Media) -> None:
    media.put("models/a.material", SIMPLE.format(name="Кирпич", file="a.png").encode())
    material = media.resolve(BytesName.of("Кирпич".encode("cp1251"))).materials[0]
    assert material.found is not None


def test_old_names_end_with_the_line_new_ones_with_the_word(media: Media) -> None:
    media.put("models/a.material", SIMPLE.format(name="My Paint", file="x.png"))
    material_set = media.resolve("My Paint", "My")
    assert all(material.found for material in material_set.materials)


def test_a_quoted_name_with_spaces_is_not_its_first_word(media: Media) -> None:
    media.put("models/a.material", SIMPLE.format(name='"Material #8"', file="x.png"))
    eighth, plain = media.resolve("Material #8", "Material").materials
    assert (eighth.missing, plain.missing) == (False, True)


def test_passes_by_alpha_rejection_are_layers_of_their_geometry(media: Media) -> None:
    unit = "texture_unit {\ntexture a.png\n}"
    media.put(
        "models/a.material",
        f"material M {{ technique {{ pass {{\nalpha_rejection greater 128\n{unit} }}\n"
        f"pass {{\nscene_blend alpha_blend\nalpha_rejection less_equal 128\n{unit} }} }} }}",
    )
    material_set = media.resolve("", "M", "M")
    assert (material_set.per_geometry, material_set.layers) == ((None, 0, 0), ((), (1,), (1,)))
    assert [each.layer for each in material_set.materials] == [0, 1]
    assert material_set.materials[1].name == "M, pass 2"


def test_a_resource_folder_gives_script_and_texture(media: Media, tmp_path: Path) -> None:
    elsewhere = Media(tmp_path / "installed")
    elsewhere.put("scripts/deep/a.material", SIMPLE.format(name="M", file="Skin.png"))
    elsewhere.picture("textures/deep/skin.png")
    media.context = reading_context(resources=[str(elsewhere.root)])
    material_set = media.resolve("M")
    assert [texture.path for texture in material_set.textures] == [
        str(elsewhere.root / "textures/deep/skin.png")
    ]
    media.context = DEFAULT
    assert media.resolve("M").textures == ()


def test_a_script_that_is_too_large_does_not_cost_its_neighbours(
    media: Media, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "LARGEST", 4000)
    media.put("models/a.material", "x" * 5000)
    media.put("models/b.material", "{" * 3000)
    media.put("models/c.material", SIMPLE.format(name="M", file="skin.png"))
    assert media.resolve("M").materials[0].found is not None


def test_the_bytes_of_all_scripts_have_a_limit(media: Media, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "ALL_SCRIPTS", 4000)
    for number in range(4):
        media.put(f"models/{number}.material", f"material M{number} {{ }}\n// " + "x" * 1500)
    found = [each.found is not None for each in media.resolve("M0", "M1", "M2", "M3").materials]
    assert found == [True, True, False, False]


def test_a_chosen_file_is_the_texture_whatever_lies_around(media: Media, tmp_path: Path) -> None:
    media.put("models/a.material", SIMPLE.format(name="M", file="skin.png"))
    media.picture("models/skin.png")
    media.picture("other/mine.png")
    media.context = ReadingContext(chosen=((name_key("skin.png"), str(media.root / "other/mine.png")),))
    (texture,) = media.resolve("M").textures
    assert texture.path == str(media.root / "other/mine.png")


def test_the_first_named_texture_of_each_purpose_counts(media: Media) -> None:
    units = (
        "texture skin.png",
        "texture first_normal.png",
        "texture second_normal.png",
        "content_type shadow",
        "texture shadow_specular.png\ncontent_type shadow",
        "colour_op modulate",
    )
    text = "".join(f"texture_unit {{\n{each}\n}}\n" for each in units)
    material_set = media.material_set(f"material M {{ technique {{ pass {{\n{text}}} }} }}")
    names = [each.name for each in material_set.textures]
    used = {role: names[number] for role, number in material_set.materials[0].units.items()}
    assert used == {"diffuse": "skin.png", "normal": "first_normal.png"}


def test_a_picture_may_have_a_colon_after_the_first_letter(media: Media) -> None:
    media.put("models/a.material", SIMPLE.format(name='"m:a"', file='"s:kin.png"'))
    media.picture("models/s:kin.png")
    (texture,) = media.resolve("m:a").textures
    assert texture.path == str(media.root / "models/s:kin.png")
    assert texture.decode is not None and texture.decode().size == (2, 2)
