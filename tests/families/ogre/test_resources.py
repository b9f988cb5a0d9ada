"""Scripts and pictures of a mesh in its project: every folder, by nearness."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from tests.ogre_media import SIMPLE, Media
from viewer.scene.choices import SearchMode
from viewer.scene.material import MaterialSet
from viewer.scene.reading_context import name_key, reading_context
from viewer.storage import tested
from viewer.storage.image import save_png
from viewer.storage.resource_folders import forget_resources


@pytest.fixture
def project(media: Media) -> Media:
    """A mesh in a repository."""
    (media.root.parent / ".git").mkdir(parents=True)
    media.mesh.parent.mkdir(parents=True)
    return media


def path(material_set: MaterialSet, media: Media) -> str | None:
    """The path of the only texture below the media."""
    (texture,) = material_set.textures
    return texture.path and texture.path.removeprefix(f"{media.root}/")


@pytest.mark.parametrize("script", ["../art/scripts/Any Name.material", "units/deep/down/x.material"])
@pytest.mark.parametrize("picture", ["../art/pictures/skin.png", "units/skin.png", "a/b/c/d/SKIN.PNG"])
def test_script_and_picture_lie_anywhere_in_the_project(project: Media, script: str, picture: str) -> None:
    project.put(script, SIMPLE.format(name="M", file="skin.png"))
    project.picture(picture)
    material_set = project.resolve("M")
    assert material_set.materials[0].by == material_set.textures[0].by == "project"
    assert (project.root / str(path(material_set, project))).samefile(project.root / picture)


def test_a_picture_beside_the_mesh_is_near_although_the_script_is_far(project: Media) -> None:
    project.put("../art/scripts/x.material", SIMPLE.format(name="M", file="skin.png"))
    project.picture("models/skin.png")
    material_set = project.resolve("M")
    assert path(material_set, project) == "models/skin.png"
    assert (material_set.materials[0].by, material_set.textures[0].by) == ("project", "near")


def test_without_a_marker_no_script_is_taken_from_elsewhere(media: Media) -> None:
    media.mesh.parent.mkdir(parents=True)
    media.put("units/deep/x.material", SIMPLE.format(name="M", file="skin.png"))
    assert media.resolve("M").materials[0].missing


@pytest.mark.parametrize("marker", ["", ".git"])
def test_two_projects_side_by_side_share_neither_scripts_nor_pictures(tmp_path: Path, marker: str) -> None:
    media, other = Media(tmp_path / "one"), Media(tmp_path / "two")
    other.put("materials/a.material", SIMPLE.format(name="M", file="skin.png"))
    for name in ("models/skin.png", "materials/skin.png"):
        other.picture(name)
    media.put("models/b.material", SIMPLE.format(name="N", file="skin.png"))
    for each in (tmp_path / "one", tmp_path / "two"):
        (each / marker).mkdir(exist_ok=True)
    material_set = media.resolve("M", "N")
    assert [material.missing for material in material_set.materials] == [True, False]
    assert path(material_set, media) is None


def test_a_script_without_a_marker_takes_pictures_of_its_own_folder_of_the_root(media: Media) -> None:
    media.put("materials/scripts/b.material", SIMPLE.format(name="N", file="skin.png"))
    media.picture("pictures/deep/skin.png")
    media.mesh.parent.mkdir()
    assert path(media.resolve("N"), media) == "pictures/deep/skin.png"


def test_a_project_without_a_marker_takes_no_pictures_of_its_neighbour_at_any_depth(tmp_path: Path) -> None:
    one, other = (Media(tmp_path / "stuff/games" / name) for name in ("one", "other"))
    one.put("materials/scripts/b.material", SIMPLE.format(name="N", file="skin.png"))
    one.mesh.parent.mkdir()
    other.picture("art/skin.png")
    assert path(one.resolve("N"), one) is None


@pytest.mark.parametrize("repository", ["one", "other"])
def test_a_repository_is_a_border_of_the_folders_near_the_mesh(tmp_path: Path, repository: str) -> None:
    one, other = Media(tmp_path), Media(tmp_path)
    one.mesh, other.root = tmp_path / "one/Hero.mesh", tmp_path / "other"
    other.put("x.material", SIMPLE.format(name="M", file="skin.png"))
    other.picture("skin.png")
    assert not one.resolve("M").materials[0].missing
    (tmp_path / repository / ".git").mkdir(parents=True)
    assert one.resolve("M").materials[0].missing


def test_a_script_near_the_mesh_comes_before_the_project(project: Media) -> None:
    project.put("units/deep/x.material", SIMPLE.format(name="M", file="far.png"))
    project.put("materials/scripts/x.material", SIMPLE.format(name="M", file="near.png"))
    material_set = project.resolve("M")
    assert [texture.name for texture in material_set.textures] == ["near.png"]
    assert material_set.materials[0].by == "near"


def test_a_picture_is_near_to_the_script_that_names_it_not_to_the_mesh(project: Media) -> None:
    project.put("packs/light/materials/x.material", SIMPLE.format(name="M", file="tiles.png"))
    for folder in ("packs/light/textures", "maps", "models"):
        project.picture(f"{folder}/tiles.png")
    assert path(project.resolve("M"), project) == "packs/light/textures/tiles.png"


def test_a_path_beats_nearness(project: Media) -> None:
    project.put("models/x.material", SIMPLE.format(name="M", file="set/skin.png"))
    project.picture("models/skin.png")
    project.picture("far/away/set/skin.png")
    assert path(project.resolve("M"), project) == "far/away/set/skin.png"


def test_another_suffix_is_found_in_a_project(project: Media) -> None:
    project.put("models/x.material", SIMPLE.format(name="M", file="skin.tga"))
    project.picture("far/away/skin.png")
    assert path(project.resolve("M"), project) == "far/away/skin.png"


def test_a_picture_of_another_version_of_the_model_is_not_taken(project: Media) -> None:
    project.put("models/fish.material", SIMPLE.format(name="M", file="fish.tga"))
    project.put("low/fish.material", SIMPLE.format(name="M", file="fish.png"))
    project.picture("low/fish.png")
    assert path(project.resolve("M"), project) is None


def test_a_folder_that_the_user_gives_has_pictures_of_another_version(project: Media) -> None:
    project.put("models/fish.material", SIMPLE.format(name="M", file="fish.tga"))
    project.put("low/fish.material", SIMPLE.format(name="M", file="fish.png"))
    project.picture("low/fish.png")
    project.context = reading_context(resources=[str(project.root / "low")], search="near")
    assert path(project.resolve("M"), project) == "low/fish.png"


def test_a_name_with_folders_is_found_below_a_location_of_a_configuration(media: Media) -> None:
    media.put("models/x.material", SIMPLE.format(name="M", file="set/skin.png"))
    media.picture("art/set/skin.png")
    media.put("bin/game/resources.cfg", "[General]\nFileSystem=../art\n")
    media.context = reading_context(resources=[str(media.root / "bin/game/resources.cfg")], search="near")
    (texture,) = media.resolve("M").textures
    assert texture.by == "given" and path(media.resolve("M"), media) == "art/set/skin.png"


def test_of_equally_near_scripts_the_one_with_the_meshs_stem_wins_with_a_note(project: Media) -> None:
    for name in ("Alpha", "hero", "Zulu"):
        project.put(f"materials/scripts/{name}.material", SIMPLE.format(name="M", file=f"{name}.png"))
    assert [texture.name for texture in project.resolve("M").textures] == ["hero.png"]
    (note,) = project.report.notes
    assert "hero.material is used, but" in note and "defines it differently; 1 more file too" in note


@pytest.mark.parametrize("search", ["near", "project"])
def test_folders_beside_the_meshs_folder_are_equally_near(
    project: Media, search: SearchMode, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tested, "PAUSE", 0.0)
    project.context = reading_context(search=search)
    for folder, file in (("a/x", "red.png"), ("b/HERO", "blue.png"), ("c/y", "green.png")):
        project.put(f"{folder}.material", SIMPLE.format(name="M", file=file))
    assert [texture.name for texture in project.resolve("M").textures] == ["blue.png"]
    assert "b/HERO.material is used, but" in project.report.notes[0]
    assert "a/x.material defines it differently; 1 more file too" in project.report.notes[0]
    (project.root / "b/HERO.material").unlink()
    assert [texture.name for texture in project.resolve("M").textures] == ["red.png"]
    project.put("materials/scripts/z.material", SIMPLE.format(name="M", file="grey.png"))
    forget_resources()
    assert [texture.name for texture in project.resolve("M").textures] == ["grey.png"]


def test_of_equally_near_scripts_the_first_by_name_wins_and_equal_ones_are_no_note(project: Media) -> None:
    for name in ("b", "a"):
        project.put(f"far/scripts/{name}.material", SIMPLE.format(name="M", file="x.png"))
    assert str(project.resolve("M").materials[0].found).endswith("a.material")
    assert project.report.notes == []


def test_a_script_below_the_meshs_folder_comes_before_a_neighbours_with_a_note(project: Media) -> None:
    project.put("models/scripts/own.material", SIMPLE.format(name="M", file="own.png"))
    project.put("elf/elf.material", SIMPLE.format(name="M", file="elf.png"))
    material_set = project.resolve("M")
    assert [texture.name for texture in material_set.textures] == ["own.png"]
    assert material_set.materials[0].rivals == (str(project.root / "elf/elf.material"),)
    (note,) = project.report.notes
    assert "own.material is used, but" in note and "elf.material defines it differently" in note


def test_a_script_beside_the_mesh_is_compared_with_no_neighbour(project: Media) -> None:
    project.put("models/own.material", SIMPLE.format(name="M", file="own.png"))
    project.put("elf/elf.material", SIMPLE.format(name="M", file="elf.png"))
    assert project.resolve("M").materials[0].rivals == () and project.report.notes == []


@pytest.mark.parametrize("marker", [".git", ""])
def test_a_picture_below_the_meshs_folder_comes_before_a_neighbours(media: Media, marker: str) -> None:
    (media.root.parent / marker).mkdir(parents=True, exist_ok=True)
    media.put("models/own.material", SIMPLE.format(name="M", file="skin.png"))
    for name in ("elf/skin.png", "models/textures/skin.png"):
        media.picture(name)
    assert path(media.resolve("M"), media) == "models/textures/skin.png"
    assert media.report.notes == []


@pytest.mark.parametrize("marker", [".git", ""])
def test_a_neighbour_with_models_of_its_own_comes_after_one_without(media: Media, marker: str) -> None:
    (media.root.parent / marker).mkdir(parents=True, exist_ok=True)
    media.put("models/own.material", SIMPLE.format(name="M", file="skin.png"))
    media.put("elf/elf.mesh", "")
    for name in ("elf/skin.png", "shared/skin.png"):
        media.picture(name)
    assert path(media.resolve("M"), media) == "shared/skin.png"


def test_what_the_program_of_the_mesh_lists_comes_before_nearer_files(project: Media) -> None:
    project.put("resources.cfg", "[General]\nFileSystem=models\nFileSystem=far/away\n")
    project.put("models/scripts/x.material", SIMPLE.format(name="M", file="near.png"))
    project.put("far/away/x.material", SIMPLE.format(name="M", file="skin.png"))
    for name in ("models/textures/skin.png", "far/away/skin.png"):
        project.picture(name)
    material_set = project.resolve("M")
    assert material_set.materials[0].found == str(project.root / "far/away/x.material")
    assert path(material_set, project) == "far/away/skin.png"


def test_a_picture_is_near_to_its_script_among_those_that_the_program_lists(project: Media) -> None:
    project.put(
        "resources.cfg", "FileSystem=models\nFileSystem=dark\nFileSystem=light/s\nFileSystem=light/t\n"
    )
    project.put("light/s/x.material", SIMPLE.format(name="M", file="skin.png"))
    for name in ("dark/skin.png", "light/t/skin.png"):
        project.picture(name)
    project.put("dark/x.material", SIMPLE.format(name="Other", file="skin.png"))
    assert path(project.resolve("M"), project) == "light/t/skin.png"


def test_a_name_with_folders_means_no_far_picture_that_the_program_lists(project: Media) -> None:
    project.put("resources.cfg", "FileSystem=models\nFileSystem=far/a\n")
    project.put("models/x.material", SIMPLE.format(name="M", file="set/skin.png"))
    for name in ("far/a/skin.png", "far/b/set/skin.png", "beside/skin.png"):
        project.picture(name)
    assert path(project.resolve("M"), project) == "far/b/set/skin.png"


@pytest.mark.parametrize("file", ["skin.tga", "set/skin.png"])
def test_pictures_that_fit_a_name_in_part_are_rivals_too(project: Media, file: str) -> None:
    project.put("models/x.material", SIMPLE.format(name="M", file=file))
    project.picture("far/b/skin.png")
    save_png(project.put("far/c/skin.png", b""), np.ones((2, 2, 4), np.uint8))
    (texture,) = project.resolve("M").textures
    assert texture.path == str(project.root / "far/b/skin.png")
    assert texture.rivals == (str(project.root / "far/c/skin.png"),)


def test_the_users_folders_and_files_come_before_the_meshs_folder(project: Media) -> None:
    project.put("models/x.material", SIMPLE.format(name="M", file="skin.png"))
    project.put("given/y.material", SIMPLE.format(name="M", file="skin.png"))
    project.put("chosen/z.material", SIMPLE.format(name="N", file="cloth.png"))
    for name in ("models/skin.png", "given/skin.png", "cloth.png"):
        project.picture(name)
    project.context = reading_context(resources=[str(project.root / "given")])
    material_set = project.resolve("M")
    assert (material_set.materials[0].by, path(material_set, project)) == ("given", "given/skin.png")
    chosen = ((name_key("M"), str(project.root / "chosen/z.material")),)
    project.context = replace(project.context, chosen=chosen)
    (material,) = project.resolve("M").materials
    assert (material.found, material.by, material.how) == (chosen[0][1], "given", "given")


def test_different_pictures_of_one_rank_are_rivals_and_copies_are_not(project: Media) -> None:
    project.put("models/x.material", SIMPLE.format(name="M", file="skin.png"))
    for name in ("a/skin.png", "b/skin.png"):
        project.picture(name)
    assert project.resolve("M").textures[0].rivals == () and project.report.notes == []
    save_png(project.root / "b/skin.png", np.ones((2, 2, 4), np.uint8))
    (texture,) = project.resolve("M").textures
    assert (texture.path, texture.rivals) == (
        str(project.root / "a/skin.png"),
        (str(project.root / "b/skin.png"),),
    )
    assert "b/skin.png is another picture" in project.report.notes[0]


def test_a_material_of_the_bare_name_beside_the_mesh_stands_in_for_a_name_with_a_prefix(
    project: Media,
) -> None:
    project.put("models/Side.material", SIMPLE.format(name="Side", file="x.png"))
    project.put("elsewhere/Top.material", SIMPLE.format(name="Top", file="x.png"))
    side, top = project.resolve("CS/Side", "CS/Top").materials
    assert (side.found, side.by, side.how) == (str(project.root / "models/Side.material"), "name", "name")
    assert top.missing


@pytest.mark.parametrize(
    ("name", "drawn"),
    [
        ("CRATE/SOLID/crate.png", "crate.png"),
        ("Mat-crate.PNG.001", None),
        ("crate.png.001", "crate.png"),
        ("crate", None),
        ("crate.pngs", None),
        ("crate.jpg", None),
    ],
)
def test_a_picture_that_a_missing_materials_name_contains_is_drawn_from_anywhere(
    project: Media, name: str, drawn: str | None
) -> None:
    project.put("far/x.material", SIMPLE.format(name="Other", file="x.png"))
    project.picture("far/away/crate.png")
    material_set = project.resolve(name)
    assert [texture.name for texture in material_set.textures] == ([drawn] if drawn else [])
    assert (material_set.materials[0].how, material_set.materials[0].missing) == (
        ("name", False) if drawn else (None, True)
    )


def test_the_only_picture_and_the_only_material_beside_the_mesh_are_called_so(project: Media) -> None:
    project.picture("models/cloth.png")
    (material,) = project.resolve("M").materials
    assert (material.by, material.how) == ("name", "only")
    project.put("models/Hero.material", SIMPLE.format(name="Only", file="cloth.png"))
    (material,) = project.resolve("M").materials
    assert (material.by, material.how) == ("name", "only")


def test_a_script_that_vanishes_after_the_project_was_listed_costs_only_itself(project: Media) -> None:
    project.put("models/a/x.material", SIMPLE.format(name="M", file="x.png"))
    project.put("far/away/y.material", SIMPLE.format(name="M", file="y.png"))
    assert [texture.name for texture in project.resolve("M").textures] == ["x.png"]
    (project.root / "models/a/x.material").unlink()
    assert [texture.name for texture in project.resolve("M").textures] == ["y.png"]


def test_links_that_go_round_and_names_that_are_no_text_end_a_search(project: Media) -> None:
    (project.root / "models/round").symlink_to(project.root, target_is_directory=True)
    odd = os.fsencode(project.root) + b"/models/\xff\xfe.material"
    Path(os.fsdecode(odd)).write_text(SIMPLE.format(name="M", file="skin.png"))
    project.picture("models/textures/skin.png")
    assert path(project.resolve("M"), project) == "models/textures/skin.png"
    for search in ("near", "none"):
        project.context = reading_context(search=search)
        assert not project.resolve("M").materials[0].missing


def test_a_parent_in_a_far_script_and_its_placeholder(project: Media) -> None:
    unit = "technique { pass { cull_hardware none\n texture_unit {\ntexture_alias <D>\ntexture <D>\n} } }"
    project.put(
        "../core/templates/root.material", f"material Root {{ {unit} }}\nmaterial Masked : Root {{ }}"
    )
    text = 'import * from "root.material"\nmaterial M : Masked {\nset_texture_alias <D> set/x.dds\n}'
    project.put("art/m.material", text + "\nmaterial N : Masked { }")
    first, second = project.resolve("M", "N").materials
    assert (first.cull, second.cull, second.units) == ("none", "none", {})
    assert [texture.name for texture in project.resolve("M").textures] == ["set/x.dds"]


def test_a_missing_material_says_that_the_project_was_searched(project: Media) -> None:
    assert f"{project.root.parent}/**/*.material" in project.resolve("M").materials[0].searched


def test_appledouble_files_are_no_scripts(project: Media) -> None:
    for name in ("models/._a.material", "far/._b.material"):
        project.put(name, SIMPLE.format(name="M", file="x.png"))
    assert project.resolve("M").materials[0].missing


@pytest.mark.parametrize(
    ("pictures", "drawn"),
    [
        (("cloth.png",), "cloth.png"),
        (("cloth.png", "other.png"), None),
        (("cloth.png", "cloth_normal.png"), "cloth.png"),
        (("a.png", "HERO.png"), "HERO.png"),
        (("hero.png", "M.png"), "M.png"),
        (("sub/cloth.png",), None),
    ],
)
def test_without_a_script_the_picture_beside_the_mesh_is_drawn(
    project: Media, pictures: tuple[str, ...], drawn: str | None
) -> None:
    for name in pictures:
        project.picture(f"models/{name}")
    material_set = project.resolve("parts/M")
    (material,) = material_set.materials
    assert [texture.name for texture in material_set.textures] == ([drawn] if drawn else [])
    assert (material.by, material.missing) == (("name", False) if drawn else (None, True))


def test_a_lone_picture_is_not_that_of_a_mesh_with_scripts(project: Media) -> None:
    project.picture("models/cloth.png")
    project.put("far/x.material", SIMPLE.format(name="Other", file="cloth.png"))
    assert project.resolve("M").materials[0].missing


def test_none_searches_only_the_folder_of_the_mesh(project: Media) -> None:
    project.put("models/x.material", SIMPLE.format(name="M", file="skin.png"))
    project.put("materials/y.material", SIMPLE.format(name="N", file="skin.png"))
    project.picture("materials/skin.png")
    project.context = reading_context(search="none")
    first, second = project.resolve("M", "N").materials
    assert (first.missing, second.missing) == (False, True)
