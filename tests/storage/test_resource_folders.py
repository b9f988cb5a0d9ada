"""The resource folders of the user."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest

from viewer.budget import BUDGET
from viewer.storage.resource_folders import (
    SourceIndex,
    choose_file,
    forget_resources,
    give_resources,
    give_search,
    locations_of,
    prefer_resources,
)
from viewer.storage.search import FoundResource, Missing, SearchPath
from viewer.storage.source import FolderSource


@pytest.fixture(autouse=True)
def nothing_stays() -> Iterator[None]:
    """Search no projects, and take the folders back after each test."""
    give_search("near")
    yield
    give_search(None)
    give_resources(())
    prefer_resources(())


@pytest.fixture
def media(tmp_path: Path) -> Path:
    """A folder of game data."""
    for name in ("units/cat/skin.png", "units/dog/skin.png", "Data/Textures/wood.png"):
        path = tmp_path / "media" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(name.encode())
    return tmp_path / "media"


@pytest.fixture
def search(tmp_path: Path) -> SearchPath:
    """The search path of a model elsewhere."""
    (tmp_path / "far/away").mkdir(parents=True)
    return SearchPath.around(tmp_path / "far/away/Cat.m2")


def read(search: SearchPath, name: str) -> str:
    found = search.find(name)
    assert isinstance(found, FoundResource), found
    return found.read().decode()


def test_without_resource_folders_a_file_is_missing(search: SearchPath, media: Path) -> None:
    assert isinstance(search.find("units/cat/skin.png"), Missing)


@pytest.mark.parametrize("give", [give_resources, prefer_resources])
def test_a_whole_name_counts_from_the_resource_folder(search: SearchPath, media: Path, give: object) -> None:
    assert callable(give)
    give([str(media)])
    assert read(search, "Units\\Cat\\Skin.png") == "units/cat/skin.png"


@pytest.mark.parametrize("name", ["cat/skin.png", "art/CAT/skin.png"])
def test_of_several_files_of_a_name_the_folders_that_fit_decide(
    search: SearchPath, media: Path, name: str
) -> None:
    give_resources([str(media)])
    assert read(search, name) == "units/cat/skin.png"


def test_what_lies_near_comes_first(tmp_path: Path, search: SearchPath, media: Path) -> None:
    (tmp_path / "far/away/skin.png").write_bytes(b"near")
    give_resources([str(media)])
    assert read(search, "units/dog/skin.png") == "near"


def test_urho3d_roots_in_the_folder_are_roots(search: SearchPath, media: Path) -> None:
    give_resources([str(media)])
    found = search.find("Textures/wood.png", near_model=False)
    assert isinstance(found, FoundResource) and found.exact


def test_archives_in_the_folder_and_lone_archives_are_searched(search: SearchPath, tmp_path: Path) -> None:
    with ZipFile(tmp_path / "pack.zip", "w") as archive:
        archive.writestr("deep/inside.png", "packed")
    for given in (tmp_path / "pack.zip", tmp_path):
        give_resources([str(given)])
        assert read(search, "inside.png") == "packed"


def test_a_broken_archive_is_passed_over(search: SearchPath, tmp_path: Path, media: Path) -> None:
    (tmp_path / "broken.zip").write_bytes(b"no archive")
    give_resources([str(tmp_path / "broken.zip"), str(media)])
    assert read(search, "dog/skin.png") == "units/dog/skin.png"


@pytest.mark.parametrize("given", ["program/resources.cfg", "program"])
def test_the_lines_of_a_resources_cfg_are_locations(
    search: SearchPath, tmp_path: Path, media: Path, given: str
) -> None:
    (tmp_path / "program").mkdir()
    (tmp_path / "program/resources.cfg").write_text(
        "# comment\n[General]\nFileSystem=../media/units/dog\nZip = ../pack.zip\nFileSystem=../gone\n"
    )
    with ZipFile(tmp_path / "pack.zip", "w") as archive:
        archive.writestr("inside.png", "packed")
    give_resources([str(tmp_path / given)])
    assert read(search, "skin.png") == "units/dog/skin.png"
    assert read(search, "inside.png") == "packed"


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
    search: SearchPath, tmp_path: Path, media: Path, file: str, line: str
) -> None:
    (media / "my dog").mkdir()
    (media / "my dog/skin.png").write_bytes(b"units/dog/skin.png")
    (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / file).write_text(f"[General]\n{line}\n")
    give_resources([str(tmp_path / file)])
    assert read(search, "skin.png") == "units/dog/skin.png"


def test_a_configuration_in_the_programs_folder_belongs_to_the_folder(
    search: SearchPath, tmp_path: Path, media: Path
) -> None:
    (tmp_path / "game/Bin").mkdir(parents=True)
    (tmp_path / "game/Bin/Resources.cfg").write_text("FileSystem=../../media/units/dog\n")
    give_resources([str(tmp_path / "game")])
    assert read(search, "skin.png") == "units/dog/skin.png"


def test_a_filesystem_line_does_not_include_subfolders(tmp_path: Path, media: Path) -> None:
    configuration = tmp_path / "resources.cfg"
    configuration.write_text("FileSystem=media/units\n")
    assert [deep for _, deep in locations_of(str(configuration))] == [False]


def test_missing_names_tell_the_searched_folders(search: SearchPath, media: Path) -> None:
    give_resources([str(media), str(media / "gone")])
    found = search.find("units/cow/hide.png")
    assert isinstance(found, Missing)
    assert str(media / "units/cow/hide.png") in found.searched


def test_folders_are_listed_once_until_they_are_forgotten(
    search: SearchPath, media: Path, listed: list[str]
) -> None:
    give_resources([str(media)])
    assert read(search, "cat/skin.png")
    listed.clear()
    assert read(search, "dog/skin.png")
    assert not [folder for folder in listed if folder.startswith(str(media))]
    (media / "new.png").write_bytes(b"new")
    forget_resources()
    assert read(search, "x/new.png") == "new"


def test_a_chosen_file_comes_before_everything(search: SearchPath, tmp_path: Path, media: Path) -> None:
    give_resources([str(media)])
    (tmp_path / "mine.png").write_bytes(b"mine")
    choose_file("units\\cat\\skin.png", str(tmp_path / "mine.png"))
    assert read(search, "units/cat/SKIN.png") == "mine"
    choose_file("units/cat/skin.png", None)
    assert read(search, "units/cat/skin.png") == "units/cat/skin.png"


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
