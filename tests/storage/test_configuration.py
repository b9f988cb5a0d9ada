"""The `resources.cfg` of an OGRE program: its locations, and what they decide in a project."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.project_tree import make_tree
from viewer.scene.needs import nearest
from viewer.scene.reading_context import DEFAULT
from viewer.storage.configuration import configured, configured_folders, is_located
from viewer.storage.resource_folders import forget_resources
from viewer.storage.search import FoundResource, Missing, SearchPath


@pytest.fixture(autouse=True)
def nothing_stays() -> Iterator[None]:
    """Forget the projects after each test."""
    yield
    forget_resources()


def found(model: Path, name: str, from_: str = "", **options: object) -> str:
    """The content of the file that a search finds in the project."""
    forget_resources()
    answer = SearchPath.around(model, DEFAULT).find(name, from_=from_, **options)  # type: ignore[arg-type]
    assert isinstance(answer, FoundResource) and answer.by == "project"
    return answer.read().decode()


def test_locations_of_the_authors_system_or_without_a_folder_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "project/inner").mkdir(parents=True)
    configuration = tmp_path / "project/resources.cfg"
    lines = (os.sep, os.path.dirname(os.__file__), "../../inner", "gone", str(tmp_path / "project"))
    configuration.write_text("".join(f"FileSystem={line}\n" for line in lines) + "Zip=gone.zip\n")
    found = [source.where("x") for source, _ in configured(str(configuration), DEFAULT)]
    assert found == [str(tmp_path / "project/inner/x"), str(tmp_path / "project/x")]


@pytest.mark.parametrize("file", ["Resources.cfg", "bin/resources.cfg", "sdk/bin/release/resources_d.cfg"])
def test_a_file_that_the_program_of_the_model_lists_beats_a_nearer_one(tmp_path: Path, file: str) -> None:
    make_tree(tmp_path, "m/a/Cat.mesh", "m/x/b/skin.png", "far/away/skin.png", file)
    model = tmp_path / "m/a/Cat.mesh"
    assert found(model, "skin.png") == "m/x/b/skin.png"
    (tmp_path / file).write_text("FileSystem=../m/a\nFileSystem=../far/away\n")
    assert found(model, "skin.png") == "far/away/skin.png"
    assert found(model, "b/skin.png") == "m/x/b/skin.png", "a path as it is named beats both"
    assert found(model, "skin.tga", suffixes=(".png",)) == "far/away/skin.png"


def test_the_configuration_of_another_program_decides_nothing(tmp_path: Path) -> None:
    make_tree(tmp_path, "m/a/Cat.mesh", "m/b/skin.png", "far/away/skin.png", "far/resources.cfg")
    (tmp_path / "far/resources.cfg").write_text("FileSystem=away\n")
    assert found(tmp_path / "m/a/Cat.mesh", "skin.png") == "m/b/skin.png"
    script = str(tmp_path / "far/away/x.material")
    assert found(tmp_path / "m/a/Cat.mesh", "skin.png", script) == "far/away/skin.png"


def test_the_folder_of_a_missing_zip_has_subfolders(tmp_path: Path) -> None:
    make_tree(tmp_path, "packs/game/materials/x.material", "packs/game/textures/skin.png", "near/skin.png")
    (tmp_path / "bin").mkdir()
    configuration = tmp_path / "bin/resources.cfg"
    configuration.write_text("Zip=../packs/game.zip\nFileSystem=../near\n")
    folders = configured_folders([str(configuration)], [str(tmp_path / "packs/game/materials/x.material")])
    assert folders == {str(tmp_path / "packs/game"): True, str(tmp_path / "near"): False}
    assert is_located(str(tmp_path / "packs/game/textures"), folders)
    assert not is_located(str(tmp_path / "near/below"), folders)
    assert not is_located(str(tmp_path / "packs/game2"), folders)


def test_absent_locations_of_a_configuration_are_named_for_a_missing_file(tmp_path: Path) -> None:
    make_tree(tmp_path, "m/Cat.mesh", "media/fur.png", "bin/resources.cfg")
    lines = "FileSystem=../media\nFileSystem=../gone\nZip=lost.zip\nFileSystem=C:/Program Files/Ogre\n"
    (tmp_path / "bin/resources.cfg").write_text(lines)
    missing = SearchPath.around(tmp_path / "m/Cat.mesh", DEFAULT).find("skin.png")
    assert isinstance(missing, Missing)
    named = [each.partition("skin.png ")[2] for each in missing.searched if "resources.cfg" in each]
    file = os.path.join("bin", "resources.cfg")
    absent = "../gone, lost.zip, C:/Program Files/Ogre"
    assert named == [f"({file} lists {absent}, which are not in the project)"]
    assert all(each in nearest(missing.searched, 1) for each in named)


def test_the_first_absent_locations_are_named_and_the_others_counted(tmp_path: Path) -> None:
    make_tree(tmp_path, "m/Cat.mesh", "media/fur.png", "bin/resources.cfg")
    lines = "\n".join(["FileSystem=../media", *(f"FileSystem=../gone{number}" for number in range(5))])
    (tmp_path / "bin/resources.cfg").write_text(lines)
    missing = SearchPath.around(tmp_path / "m/Cat.mesh", DEFAULT).find("skin.png")
    assert isinstance(missing, Missing)
    assert any("../gone0, ../gone1, ../gone2 and 2 more, which are not" in each for each in missing.searched)
