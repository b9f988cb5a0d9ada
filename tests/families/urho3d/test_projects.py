"""What is found for a model in the rest of its project."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.families.urho3d.test_assignment import BLUE, PREFAB, RBFX, RBFX_XML, RED
from tests.packages import png
from tests.project_tree import copy_project
from tests.synthetic import model_bytes
from viewer.errors import Report
from viewer.families.urho3d.materials import resolve_materials
from viewer.scene.material import MaterialSet
from viewer.scene.model import Model
from viewer.scene.reading_context import DEFAULT, reading_context
from viewer.storage.documents import open_document
from viewer.storage.resource_folders import forget_resources
from viewer.storage.search import SearchPath

PICTURED = RED.replace("<parameter", '<texture unit="diffuse" name="Textures/{}"/><parameter')
HERO = "Assets/Models/Hero.mdl"


class Project:
    """A folder with a model in `Assets/Models`, whose resources lie elsewhere."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.report = Report()
        self.context = DEFAULT
        self.put(HERO, "")

    def put(self, name: str, text: str | bytes) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        forget_resources()

    def resolve(self, model: str = HERO) -> MaterialSet:
        self.report = Report()
        path = self.folder / model
        return resolve_materials(path, 1, SearchPath.around(path, self.context), self.report)

    def found(self, model: str = HERO) -> list[tuple[str | None, str | None]]:
        """Where the materials were found, below the folder, and how."""
        return [(self._below(each.found), each.by) for each in self.resolve(model).materials]

    def pictures(self) -> list[tuple[str | None, str | None]]:
        return [(self._below(each.path), each.by) for each in self.resolve().textures]

    def _below(self, path: str | None) -> str | None:
        return path and Path(path).relative_to(self.folder).as_posix()


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = Project(tmp_path / "Game")
    project.put(".git/HEAD", "")
    return project


@pytest.fixture(params=["none", "near"])
def less(request: pytest.FixtureRequest, project: Project) -> None:
    """A search in less than the project."""
    project.context = reading_context(search=request.param)


def test_resource_names_are_found_in_the_roots_of_the_project(project: Project) -> None:
    project.put("Assets/Models/Hero.txt", "Materials/Red.xml")
    project.put("bin/Data/Materials/Red.xml", PICTURED.format("red.png"))
    project.put("bin/Data/Textures/red.png", png())
    assert project.found() == [("bin/Data/Materials/Red.xml", "project")]
    assert project.pictures() == [("bin/Data/Textures/red.png", "project")]
    assert project.report.warnings == []


@pytest.mark.usefixtures("less")
def test_less_than_the_project_is_searched_on_request(project: Project) -> None:
    project.put("Assets/Models/Hero.txt", "Materials/Red.xml")
    project.put("bin/Data/Materials/Red.xml", RED)
    assert project.found() == [(None, None)]


@pytest.mark.parametrize("root", ["Data", "CoreData"])
def test_the_name_as_it_is_beats_nearness(project: Project, root: str) -> None:
    project.put("Assets/Models/Hero.txt", "Materials/Red.xml")
    project.put("Assets/Old/Red.xml", BLUE)
    project.put(f"bin/{root}/Materials/Red.xml", RED)
    assert project.found() == [(f"bin/{root}/Materials/Red.xml", "project")]


def test_a_picture_may_have_another_suffix(project: Project) -> None:
    project.put("Assets/Models/Hero.txt", "Materials/Red.xml")
    project.put("bin/Data/Materials/Red.xml", PICTURED.format("red.jpg.tga"))
    project.put("bin/Data/Textures/red.png", png())
    assert project.pictures() == [(None, None)]
    project.put("bin/Data/Textures/red.jpg.png", png())
    assert project.pictures() == [("bin/Data/Textures/red.jpg.png", "project")]


def test_a_picture_of_another_suffix_in_the_named_folder_beats_nearness(project: Project) -> None:
    project.put("Assets/Models/Hero.txt", "Materials/Red.xml")
    project.put("bin/Data/Materials/Red.xml", PICTURED.format("red.tga"))
    project.put("bin/Data/Materials/red.png", png())
    project.put("bin/Data/Textures/red.dds", png())
    assert project.pictures() == [("bin/Data/Textures/red.dds", "project")]


def test_of_pictures_of_one_name_the_nearest_to_the_material_counts(project: Project) -> None:
    project.put("Assets/Models/Hero.txt", "Materials/Red.xml")
    project.put("Assets/red.dds", png())
    project.put("bin/Data/Materials/Red.xml", PICTURED.format("red.tga"))
    project.put("bin/Data/red.png", png())
    assert project.pictures() == [("bin/Data/red.png", "project")]


@pytest.mark.parametrize(
    ("suffix", "other", "material"),
    [
        (".xml", '<model><metadata name="a" value="b"/></model>', RED),
        (".json", '{"price": 3}', '{"techniques": [{"name": "Techniques/Diff.xml"}]}'),
        (".material", "material Wood { technique { pass { } } }", RED),
    ],
)
def test_a_file_of_another_kind_is_no_material(
    project: Project, suffix: str, other: str, material: str
) -> None:
    project.put("Assets/Models/Hero.txt", f"Materials/Wood{suffix}")
    project.put(f"bin/Data/Props/Wood{suffix}", other)
    assert project.found() == [(None, None)]
    assert project.report.complete
    project.put(f"bin/Data/Props/Wood{suffix}", material)
    assert project.found() == [(f"bin/Data/Props/Wood{suffix}", "project")]


def test_two_materials_of_a_base_name_are_no_certainty(project: Project) -> None:
    project.put("Assets/Models/Hero.txt", "Materials/Wood.xml")
    project.put("bin/Data/Props/Wood.xml", RED)
    project.put("bin/Data/Walls/Wood.xml", BLUE)
    assert project.found() == [(None, None)]


def test_an_own_technique_is_found_and_a_stock_one_needs_no_search(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    material = '<material><technique name="Techniques/{}.xml"/></material>'
    project.put("Assets/Models/Hero.txt", "Hero.xml")
    project.put("Assets/Models/Hero.xml", material.format("Glow"))
    project.put(
        "bin/Data/Techniques/Glow.xml", '<technique ps="Own"><pass name="base" blend="add"/></technique>'
    )
    assert project.resolve().materials[0].blend == "add"
    project.put("Assets/Models/Hero.xml", material.format("DiffAlpha"))
    monkeypatch.setattr("viewer.storage.search.projects_of", None)
    assert project.resolve().materials[0].blend == "alpha"


@pytest.mark.parametrize("form", RBFX)
@pytest.mark.parametrize("place", ["Levels/First.scene", "Deep/er/Any.prefab"])
def test_a_scene_elsewhere_names_the_only_model_of_its_name(project: Project, form: str, place: str) -> None:
    project.put(
        place, RBFX[form](type="StaticModel", model="Models/Hero.mdl", materials="Materials/Red.material")
    )
    project.put("Shared/Materials/Red.material", RED)
    assert project.found() == [("Shared/Materials/Red.material", "project")]
    project.put("Other/Models/hero.MDL", "")
    assert project.found() == []


def test_a_material_or_picture_of_the_models_name_needs_no_search_of_the_project(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = PREFAB.format(type="StaticModel", model="Models/Hero.mdl", materials="Materials/Red.xml")
    project.put("Levels/Scenes/First.xml", text)
    project.put("Assets/Textures/Hero.png", png())
    monkeypatch.setattr("viewer.storage.search.projects_of", None)
    assert project.pictures() == [("Assets/Textures/Hero.png", "name")]
    project.put("Assets/Materials/Hero.xml", RED)
    assert project.found() == [("Assets/Materials/Hero.xml", "name")]


def test_a_scene_below_the_root_of_the_resource_name_is_certain(project: Project) -> None:
    text = PREFAB.format(type="StaticModel", model="Models/Hero.mdl", materials="Materials/Red.xml")
    project.put("Assets/Levels/Scenes/First.xml", text)
    project.put("Assets/Materials/Red.xml", RED)
    project.put("Other/Models/Hero.mdl", "")
    assert project.found() == [("Assets/Materials/Red.xml", "near")]
    assert project.found("Other/Models/Hero.mdl") == []


@pytest.mark.parametrize("marker", ["", ".git", "Data"])
def test_two_projects_side_by_side_share_nothing(tmp_path: Path, marker: str) -> None:
    one, other = Project(tmp_path / "side/one"), Project(tmp_path / "side/other")
    for each in (one, other) if marker else ():
        each.put(f"{marker}/any", "")
    one.put("Assets/Models/Hero.txt", "Materials/Red.xml")
    scene = RBFX_XML.format(type="StaticModel", model="Models/Hero.mdl", materials="Materials/Red.xml")
    other.put("Levels/First.scene", scene)
    other.put("Props/Red.xml", RED)
    assert one.found() == [(None, None)]
    (one.folder / "Assets/Models/Hero.txt").unlink()
    assert one.found() == []


def test_a_project_without_a_marker_takes_no_pictures_of_its_neighbour(tmp_path: Path) -> None:
    one, other = (Project(tmp_path / "stuff/games" / each) for each in ("one", "other"))
    one.put("Assets/Models/Hero.txt", "Materials/Skin.xml")
    one.put("Assets/Materials/Skin.xml", PICTURED.format("skin.png"))
    other.put("art/skin.png", png())
    with ZipFile(other.folder / "art.zip", "w") as archive:
        archive.writestr("art/skin.png", png())
    assert one.pictures() == [(None, None)]
    one.put("Assets/art/skin.png", png())
    assert one.pictures() == [("Assets/art/skin.png", "project")]


def test_guesses_are_called_so(project: Project) -> None:
    project.put("Assets/Materials/Hero.xml", RED)
    assert project.found() == [("Assets/Materials/Hero.xml", "name")]
    (project.folder / "Assets/Materials/Hero.xml").unlink()
    project.put("Assets/Textures/Hero.png", png())
    assert project.pictures() == [("Assets/Textures/Hero.png", "name")]
    project.context = reading_context(search="none")
    assert project.resolve().materials == ()


@pytest.mark.parametrize(
    ("model", "material", "found"),
    [
        ("rbfx-csharp-casual/*/*/*/Models/Link.mdl", "Materials/White.material", True),
        ("rbfx-csharp-thirdperson/*/*/*/Models/StairC/StairC.mdl", "Materials/VertexColor.xml", False),
        ("rbfx-csharp-thirdperson/*/*/*/Models/*/XBot/XBot.mdl", "Materials/VertexColor.xml", False),
    ],
)
def test_models_of_rbfx_projects(
    corpus: Path, tmp_path: Path, model: str, material: str, found: bool
) -> None:
    (stored,) = (corpus / "projects").glob(f"rbfx+{model}")
    name = stored.relative_to(corpus / "projects").parts[0]
    copy_project(corpus, name, tmp_path)
    document = open_document(tmp_path / stored.relative_to(corpus / "projects"))
    assert isinstance(document.content, Model)
    (drawn,) = document.content.materials
    assert (drawn.name, drawn.found is not None, drawn.vertex_color) == (material, found, not found)
    assert (drawn.diffuse, drawn.unlit) == ((1.0, 1.0, 1.0, 1.0), found)


def test_a_prefab_in_the_folder_beside_the_folder_of_meshes(project: Project) -> None:
    name = "Pack/Meshes/Hero/Hero.L.mdl"
    project.put(f"Data/{name}", "")
    text = RBFX_XML.format(type="StaticModel", model=name, materials="Materials/VertexColor.xml")
    project.put("Data/Pack/Prefabs/Hero.prefab", text)
    project.put("Data/Materials/VertexColor.xml", RED)
    assert project.found(f"Data/{name}") == [("Data/Materials/VertexColor.xml", "near")]


def test_a_document_has_what_its_project_holds(project: Project) -> None:
    project.put(HERO, model_bytes())
    project.put("Assets/Models/Hero.txt", "Materials/Red.xml")
    project.put("bin/Data/Materials/Red.xml", PICTURED.format("red.png"))
    project.put("bin/Data/Textures/red.png", png())
    content = open_document(project.folder / HERO).content
    assert isinstance(content, Model)
    assert [each.by for each in (*content.materials, *content.textures)] == ["project", "project"]
