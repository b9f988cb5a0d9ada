"""The materials that scenes give a mesh whose own materials are missing."""

from __future__ import annotations

import pytest

from tests.ogre_media import SIMPLE, Media
from viewer.families.ogre.materials.scene import LARGEST, SCANNER, words_of
from viewer.storage.markup import TEXT_LIMIT
from viewer.storage.resource_folders import forget_resources

SCENE = '<scene formatVersion="1.0.0"><nodes><node name="n">{}</node></nodes></scene>'
ENTITY = '<entity name="e" meshFile="{mesh}" {more}>{inner}</entity>'
PART = '<subentities><subentity index="{}" materialName="{}"/></subentities>'


def scene(*materials: str, mesh: str = "Hero.mesh", attribute: str = "materialName") -> str:
    """A scene with an entity for each material."""
    entities = (ENTITY.format(mesh=mesh, more=f'{attribute}="{each}"', inner="") for each in materials)
    return SCENE.format("".join(entities))


@pytest.fixture
def project(media: Media) -> Media:
    """A mesh in a repository, with four materials of which it names none."""
    (media.root.parent / ".git").mkdir(parents=True)
    media.mesh.parent.mkdir(parents=True)
    media.mesh.write_bytes(b"")
    media.put("far/all.material", "".join(SIMPLE.format(name=each, file=f"{each}.png") for each in "ABCDE"))
    return media


def pictures(project: Media, *names: str) -> list[str]:
    return [texture.name for texture in project.resolve(*names).textures]


@pytest.mark.parametrize("attribute", ["materialName", "material", "materialFile"])
@pytest.mark.parametrize("mesh", ["Hero.mesh", "meshes/HERO.mesh", "art\\hero.mesh"])
def test_a_scene_anywhere_in_the_project_gives_a_missing_material(
    project: Media, attribute: str, mesh: str
) -> None:
    project.put("levels/deep/first.scene", scene("A", mesh=mesh, attribute=attribute))
    material_set = project.resolve("Gone")
    (material,) = material_set.materials
    assert (material.name, material.how, material.by) == ("Gone", "scene", "near")
    assert material.found == str(project.root / "far/all.material")
    assert [texture.name for texture in material_set.textures] == ["A.png"]


def test_each_submesh_has_its_own_material_in_a_scene(project: Media) -> None:
    parts = PART.format(1, "B") + PART.format("x", "C") + PART.format(2, "")
    project.put(
        "x.scene", SCENE.format(ENTITY.format(mesh="Hero.mesh", more='materialName="A"', inner=parts))
    )
    assert pictures(project, "Gone", "Gone", "Gone") == ["A.png", "B.png"]
    assert project.resolve("Gone", "Gone", "Gone").per_geometry == (0, 1, 0)


def test_materials_that_the_mesh_names_itself_and_built_in_ones_stay(project: Media) -> None:
    project.put("x.scene", scene("A"))
    material_set = project.resolve("B", "BaseWhite")
    assert [texture.name for texture in material_set.textures] == ["B.png"]
    assert (material_set.materials[0].how, material_set.per_geometry) == ("stored", (0, None))


@pytest.mark.parametrize(
    ("scenes", "picture"),
    [
        (["A", "B", "B"], ["B.png"]),
        (["A", "B", "C", "D"], []),
        (["A", "B", "C", "D", "D", "D"], ["D.png"]),
        (["Lost"], []),
    ],
)
def test_the_most_used_material_wins(project: Media, scenes: list[str], picture: list[str]) -> None:
    for number, each in enumerate(scenes):
        project.put(f"levels/{number}.scene", scene(each))
    assert pictures(project, "Gone") == picture


def test_a_scene_of_another_mesh_of_the_same_name_gives_nothing(project: Media) -> None:
    project.put("elf/Hero.mesh", "")
    project.put("elf/x.scene", scene("A"))
    assert project.resolve("Gone").materials[0].missing
    project.put("models/x.scene", scene("B"))
    forget_resources()
    assert pictures(project, "Gone") == ["B.png"]


def test_without_a_marker_a_scene_beside_the_mesh_counts(media: Media) -> None:
    media.put("models/x.material", SIMPLE.format(name="A", file="A.png"))
    media.mesh.write_bytes(b"")
    media.put("scenes/x.scene", scene("A"))
    assert pictures(media, "Gone") == ["A.png"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (scene("A")[:-9], "broken XML"),
        (scene("A") + " " * TEXT_LIMIT, "more than the limit"),
        ('<!DOCTYPE x [<!ENTITY a "b">]>' + scene("A"), "entity declarations"),
    ],
)
def test_a_broken_or_large_scene_costs_a_note(project: Media, text: str, why: str) -> None:
    project.put("x.scene", text)
    assert project.resolve("Gone").materials[0].missing
    assert [why in note and "x.scene" in note for note in project.report.notes] == [True]


def test_a_model_reads_only_so_many_scenes(project: Media) -> None:
    for number in range(6):
        project.put(f"{number}.scene", scene("A") + " " * (TEXT_LIMIT - 200))
    assert pictures(project, "Gone") == ["A.png"]
    assert any("too many scenes show Hero.mesh" in each for each in project.report.notes)


@pytest.mark.parametrize("index", ["9" * 5000, "-1", "²", ""])
def test_a_part_without_a_usable_number_is_left_out(project: Media, index: str) -> None:
    parts = "<entity>" * 999 + PART.format(index, "B") + "</entity>" * 999
    entity = ENTITY.format(mesh="Hero.mesh", more='material="A"', inner=PART.format(index, "B") + parts)
    project.put("x.scene", SCENE.format(entity))
    assert pictures(project, "Gone") == ["A.png"]


def test_a_scene_that_names_no_mesh_of_ours_is_not_parsed(project: Media) -> None:
    project.put("x.scene", scene("A", mesh="Other.mesh")[:-9])
    project.put("y.scene", b"\xff\xfe\x00\x01" * 99)
    assert project.resolve("Gone").materials[0].missing
    assert project.report.notes == []


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_scan_finds_the_meshes_of_a_scene(encoding: str) -> None:
    data = scene("A", mesh="art/Größe 1.MESH").encode(encoding)
    assert words_of("Größe 1.mesh") & set(SCANNER.words(data))
    assert SCANNER.limit == LARGEST


def test_a_mesh_whose_name_has_an_entity_is_found(project: Media) -> None:
    project.put("x.scene", scene("A", mesh="H&#101;ro.mesh"))
    assert pictures(project, "Gone") == ["A.png"]


def test_a_scene_is_read_again_when_it_changes(project: Media) -> None:
    project.put("x.scene", scene("A"))
    assert pictures(project, "Gone") == ["A.png"]
    project.put("x.scene", scene("B", "B", "B"))
    forget_resources()
    assert pictures(project, "Gone") == ["B.png"]
