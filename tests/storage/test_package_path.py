"""`PACKAGE::name` as a path: what it leads to, and what is around it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzzing.axp_sample_files import small_axp
from tests.packages import POST, png, post_files, write_package
from tests.synthetic import animation_bytes
from viewer.errors import FormatError, ResourceError
from viewer.scene.reading_context import DEFAULT
from viewer.storage.package_path import (
    as_path,
    folder_of,
    game_sources,
    inside,
    is_file,
    on_disk,
    open_package,
    read_path,
    split,
)
from viewer.storage.search import FoundResource, Missing, SearchPath


@pytest.fixture(params=["UPAK", "RLZ4"])
def package(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    return write_package(tmp_path, request.param)


def test_a_path_is_parted_at_the_package(package: Path) -> None:
    assert split(f"{package}::{POST}") == (str(package), POST)
    assert split(f"{package}::a::b") == (str(package), "a::b")
    assert split(package) is None
    assert split(f"{package.parent}/none.pak::a") is None
    assert on_disk(f"{package}::{POST}") == str(package)


@pytest.mark.skipif(sys.platform == "win32", reason="names of files have no colons there")
def test_a_package_may_have_colons_in_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "::old::x.pak").touch()
    assert split("::old::x.pak::a::b") == ("::old::x.pak", "a::b")


@pytest.mark.skipif(os.name == "nt", reason="no such names on Windows")
def test_a_file_that_is_really_called_so_comes_first(tmp_path: Path) -> None:
    write_package(tmp_path)
    (tmp_path / "Data.pak::Models").write_bytes(b"a file")
    assert read_path(tmp_path / "Data.pak::Models", DEFAULT)[1] == b"a file"


def test_the_parts_of_a_path_inside() -> None:
    path = inside("/d/x.pak", "Models/Jack.mdl")
    assert (str(path), path.name, path.stem, path.suffix) == (
        "/d/x.pak::Models/Jack.mdl",
        "Jack.mdl",
        "Jack",
        ".mdl",
    )
    assert str(path.with_name("Jack.txt")) == "/d/x.pak::Models/Jack.txt"
    assert inside("/d/x.pak", "Box.mdl").name == "Box.mdl"
    assert os.fspath(inside("/d/x.pak", "Box.mdl")) == "/d/x.pak::Box.mdl"


SPELLINGS = (POST, "models/post.MDL", "/Models/Post.mdl", "Models\\Post.mdl", "x/../Models/Post.mdl")


@pytest.mark.parametrize("name", SPELLINGS)
def test_names_are_found_as_they_are_written(package: Path, name: str) -> None:
    path, data = read_path(f"{package}::{name}", DEFAULT)
    assert str(path) == f"{package}::{POST}"
    assert data == post_files()[0][1]


def test_a_name_that_is_not_there_lists_the_near_ones(package: Path) -> None:
    assert not is_file(f"{package}::Models/Pots.mdl", DEFAULT)
    with pytest.raises(ResourceError, match=r"near: Models/Post\.mdl"):
        read_path(f"{package}::Models/Pots.mdl", DEFAULT)
    with pytest.raises(ResourceError):
        read_path(f"{package}::../{POST}", DEFAULT)


def test_what_is_no_package_has_no_inside(tmp_path: Path) -> None:
    (tmp_path / "text.pak").write_bytes(b"no package")
    assert open_package(str(tmp_path / "text.pak"), DEFAULT) is None
    with pytest.raises(FormatError, match="cannot be read"):
        read_path(f"{tmp_path / 'text.pak'}::a", DEFAULT)


def test_the_folder_of_a_file(package: Path) -> None:
    folder = folder_of(f"{package}::{POST}", DEFAULT)
    assert list(folder.names()) == ["Post.mdl", "Post_Bend.ani"]
    assert folder.find("POST_bend.ANI") == "Post_Bend.ani"
    assert folder.find("../Textures/P.png") is None
    assert folder.read("Post_Bend.ani") == animation_bytes()
    assert folder.where("Post.mdl") == f"{package}::{POST}"


@pytest.mark.parametrize("magic", ["UPAK", "RPAK"])
def test_a_directory_of_many_names_is_read_to_its_end(tmp_path: Path, magic: str) -> None:
    files = [
        (f"Folder{number % 7}/some file with a rather long name {number}", b"x") for number in range(6000)
    ]
    path = write_package(tmp_path, magic, files)
    source = open_package(str(path), DEFAULT)
    assert source is not None
    assert sorted(source.names(deep=True)) == sorted(name for name, _ in files)
    assert len(list(source.names("folder3"))) == len(list(source.names("Folder3", deep=True))) == 857
    assert source.read(files[-1][0]) == b"x"


def test_a_package_that_changed_is_read_again(package: Path) -> None:
    assert is_file(f"{package}::{POST}", DEFAULT)
    write_package(package.parent, files=[("other", b"")])
    assert not is_file(f"{package}::{POST}", DEFAULT) and is_file(f"{package}::other", DEFAULT)


def test_the_package_comes_before_what_is_around_it(tmp_path: Path) -> None:
    package = write_package(tmp_path)
    (tmp_path / "Textures").mkdir()
    (tmp_path / "Textures/P.png").write_bytes(png((0, 0, 0)))
    (tmp_path / "Textures/Q.png").write_bytes(png())
    search = SearchPath.around(f"{package}::{POST}", DEFAULT)
    first, second = search.find("Textures/P.png"), search.find("Textures/Q.png")
    assert isinstance(first, FoundResource) and first.path == f"{package}::Textures/P.png"
    assert isinstance(second, FoundResource) and second.path == str(tmp_path / "Textures/Q.png")
    missing = search.find("Textures/none.png")
    assert isinstance(missing, Missing) and missing.searched[0] == f"{package}::Models/Textures/none.png"


def test_a_package_with_roots_in_it_is_like_a_folder_with_them(tmp_path: Path) -> None:
    files = [(f"Data/{name}", data) for name, data in post_files()]
    files.append(("CoreData/Techniques/X.xml", b"<technique/>"))
    search = SearchPath.around(f"{write_package(tmp_path, files=files)}::Data/{POST}", DEFAULT)
    assert isinstance(search.find("Textures/P.png"), FoundResource)
    assert isinstance(search.find("Techniques/X.xml"), FoundResource)


@pytest.mark.parametrize("name", ["CoreData.pak", "Autoload/Extra.pak"])
def test_packages_beside_a_model_are_roots_too(tmp_path: Path, name: str) -> None:
    write_package(tmp_path, files=[("Textures/P.png", png())])
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / "Data.pak").rename(tmp_path / name)
    found = SearchPath.around(tmp_path / "Models" / "x.mdl", DEFAULT).find("Textures/P.png")
    assert isinstance(found, FoundResource) and found.path == f"{tmp_path / name}::Textures/P.png"


def test_a_broken_package_beside_a_model_costs_nothing(tmp_path: Path) -> None:
    (tmp_path / "Data.pak").write_bytes(b"UPAK\xff\xff")
    assert isinstance(SearchPath.around(tmp_path / "x.mdl", DEFAULT).find("no such picture.png"), Missing)


def test_a_fresh_program_opens_what_is_in_a_package(tmp_path: Path) -> None:
    code = "import sys; from viewer import open_document; print(open_document(sys.argv[1]).format)"
    command = [sys.executable, "-c", code, f"{write_package(tmp_path)}::{POST}"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "Urho3D model\n"


def test_a_plain_path_is_itself(tmp_path: Path) -> None:
    assert as_path(tmp_path / "x.mdl") == tmp_path / "x.mdl"
    assert list(folder_of(tmp_path / "x.mdl", DEFAULT).names()) == []


def test_the_archives_of_a_file_of_a_game_are_known(tmp_path: Path) -> None:
    (tmp_path / "Data").mkdir()
    for name in ("Model", "Model1"):
        (tmp_path / "Data" / f"{name}.axp").write_bytes(small_axp({"a.mesh": name.encode()}))
    assert game_sources(f"{tmp_path}::A.mesh", DEFAULT) == ("Model1.axp", "Model.axp")
    assert (
        game_sources(f"{tmp_path}/Data/Model.axp::a.mesh", DEFAULT)
        == ()
        == game_sources(f"{tmp_path}/x.mdl", DEFAULT)
    )
