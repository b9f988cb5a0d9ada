"""The resource folders of the user."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

import pytest
from msgspec.structs import replace

from viewer.budget import BUDGET
from viewer.scene.reading_context import DEFAULT, name_key, reading_context
from viewer.storage.resource_folders import SourceIndex, forget_resources, locations_of
from viewer.storage.search import FoundResource, Missing, SearchPath
from viewer.storage.source import FolderSource


@pytest.fixture
def media(tmp_path: Path) -> Path:
    """A folder of game data."""
    for name in ("units/cat/skin.png", "units/dog/skin.png", "Data/Textures/wood.png"):
        path = tmp_path / "media" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(name.encode())
    return tmp_path / "media"


class Search:
    """Searches around a model elsewhere, without projects."""

    def __init__(self, folder: Path) -> None:
        self.model = folder / "far/away/Cat.m2"
        self.model.parent.mkdir(parents=True)

    def find(self, name: str, *resources: Path, near_model: bool = True) -> FoundResource | Missing:
        """Find a file with these resource folders."""
        context = reading_context(resources=map(str, resources), search="near")
        return SearchPath.around(self.model, context).find(name, near_model=near_model)

    def read(self, name: str, *resources: Path) -> str:
        """The text of a file that is found."""
        found = self.find(name, *resources)
        assert isinstance(found, FoundResource), found
        return found.read().decode()


@pytest.fixture
def search(tmp_path: Path) -> Search:
    return Search(tmp_path)


def test_without_resource_folders_a_file_is_missing(search: Search, media: Path) -> None:
    assert isinstance(search.find("units/cat/skin.png"), Missing)


def test_a_whole_name_counts_from_the_resource_folder(search: Search, media: Path) -> None:
    assert search.read("Units\\Cat\\Skin.png", media) == "units/cat/skin.png"


@pytest.mark.parametrize("name", ["cat/skin.png", "art/CAT/skin.png"])
def test_of_several_files_of_a_name_the_folders_that_fit_decide(
    search: Search, media: Path, name: str
) -> None:
    assert search.read(name, media) == "units/cat/skin.png"


def test_a_whole_name_in_a_resource_folder_comes_before_what_lies_near(
    tmp_path: Path, search: Search, media: Path
) -> None:
    (tmp_path / "far/away/skin.png").write_bytes(b"near")
    assert search.read("units/dog/skin.png", media) == "units/dog/skin.png"
    assert search.read("art/fox/skin.png", media) == "near"


def test_urho3d_roots_in_the_folder_are_roots(search: Search, media: Path) -> None:
    found = search.find("Textures/wood.png", media, near_model=False)
    assert isinstance(found, FoundResource) and found.how == "stored"


def test_archives_in_the_folder_and_lone_archives_are_searched(search: Search, tmp_path: Path) -> None:
    with ZipFile(tmp_path / "pack.zip", "w") as archive:
        archive.writestr("deep/inside.png", "packed")
    for given in (tmp_path / "pack.zip", tmp_path):
        assert search.read("inside.png", given) == "packed"


def test_a_broken_archive_is_passed_over(search: Search, tmp_path: Path, media: Path) -> None:
    (tmp_path / "broken.zip").write_bytes(b"no archive")
    assert search.read("dog/skin.png", tmp_path / "broken.zip", media) == "units/dog/skin.png"


@pytest.mark.parametrize("given", ["program/resources.cfg", "program"])
def test_the_lines_of_a_resources_cfg_are_locations(
    search: Search, tmp_path: Path, media: Path, given: str
) -> None:
    (tmp_path / "program").mkdir()
    (tmp_path / "program/resources.cfg").write_text(
        "# comment\n[General]\nFileSystem=../media/units/dog\nZip = ../pack.zip\nFileSystem=../gone\n"
    )
    with ZipFile(tmp_path / "pack.zip", "w") as archive:
        archive.writestr("inside.png", "packed")
    assert search.read("skin.png", tmp_path / given) == "units/dog/skin.png"
    assert search.read("inside.png", tmp_path / given) == "packed"


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("RESOURCES.CFG", "FileSystem=media/units/dog"),
        ("resources_d.cfg", "filesystem = media\\units\\dog"),
        ("bin/resources.cfg", "FileSystem=../media/units/dog"),
        ("bin/resources.cfg", "FileSystem=media/units/dog"),
        ("bin/release/resources.cfg", "FileSystem=../media/units/dog"),
        ("resources.cfg", "FileSystem=../../../media/units/dog"),
        ("resources.cfg", "Zip=media/units/dog.zip"),
        ("resources.cfg", "Zip=media/my dog.zip"),
    ],
)
def test_a_configuration_is_read_as_programs_are_started(
    search: Search, tmp_path: Path, media: Path, file: str, line: str
) -> None:
    (media / "my dog").mkdir()
    (media / "my dog/skin.png").write_bytes(b"units/dog/skin.png")
    (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / file).write_text(f"[General]\n{line}\n")
    assert search.read("skin.png", tmp_path / file) == "units/dog/skin.png"


def test_a_configuration_in_the_programs_folder_belongs_to_the_folder(
    search: Search, tmp_path: Path, media: Path
) -> None:
    (tmp_path / "game/Bin").mkdir(parents=True)
    (tmp_path / "game/Bin/Resources.cfg").write_text("FileSystem=../../media/units/dog\n")
    assert search.read("skin.png", tmp_path / "game") == "units/dog/skin.png"


def test_a_filesystem_line_does_not_include_subfolders(tmp_path: Path, media: Path) -> None:
    configuration = tmp_path / "resources.cfg"
    configuration.write_text("FileSystem=media/units\n")
    assert [deep for _, deep in locations_of(str(configuration), DEFAULT)] == [False]


def test_missing_names_tell_the_searched_folders(search: Search, media: Path) -> None:
    found = search.find("units/cow/hide.png", media, media / "gone")
    assert isinstance(found, Missing)
    assert str(media / "units/cow/hide.png") in found.searched


def test_folders_are_listed_once_until_they_are_forgotten(
    search: Search, media: Path, listed: list[str]
) -> None:
    assert search.read("cat/skin.png", media)
    listed.clear()
    assert search.read("dog/skin.png", media)
    assert not [folder for folder in listed if folder.startswith(str(media))]
    (media / "new.png").write_bytes(b"new")
    forget_resources()
    assert search.read("x/new.png", media) == "new"


def test_a_chosen_file_comes_before_everything(search: Search, tmp_path: Path, media: Path) -> None:
    (tmp_path / "mine.png").write_bytes(b"mine")
    chosen = ((name_key("units\\cat\\skin.png"), str(tmp_path / "mine.png")),)
    given = replace(reading_context(resources=[str(media)], search="near"), chosen=chosen)
    found = SearchPath.around(search.model, given).find("units/cat/SKIN.png")
    assert isinstance(found, FoundResource) and found.read() == b"mine" and found.by == "given"
    assert search.read("units/cat/skin.png", media) == "units/cat/skin.png"


def test_the_listing_is_bounded(media: Path) -> None:
    assert len(SourceIndex(FolderSource(media), deep=True, most=2).names) == 2
    assert BUDGET.listed_files <= 1 << 20


def test_files_beyond_the_index_are_found_by_their_whole_names(media: Path) -> None:
    index = SourceIndex(FolderSource(media), deep=True, most=1)
    assert index.names == ["Data/Textures/wood.png"]
    assert index.find("units/dog/Skin.png") == "units/dog/skin.png" == index.whole("units/dog/skin.png")
    assert index.find("skin.png") is None
    assert SourceIndex(FolderSource(media), deep=False, most=0).find("units/dog/skin.png") is None


def test_files_are_offered_by_the_beginning_of_their_name(media: Path) -> None:
    index = SourceIndex(FolderSource(media), deep=True)
    assert sorted(index.beginning("Skin", (".png",))) == ["units/cat/skin.png", "units/dog/skin.png"]
    assert list(index.beginning("Skin", (".blp",))) == []
