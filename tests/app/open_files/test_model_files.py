"""From a folder to its models."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.app.conftest import m2_bytes
from tests.old_files import LONG_AGO, write_old_tree
from tests.packages import write_package
from tests.synthetic import animation_bytes, model_bytes
from viewer.app.open_files import model_files
from viewer.app.open_files.model_files import (
    list_order,
    models_of,
    names_below,
    names_in,
    neighbour,
    open_path,
)
from viewer.errors import FormatError
from viewer.scene.reading_context import DEFAULT
from viewer.session.pending_files import FolderPosition
from viewer.session.preferences import Preferences
from viewer.storage import listing
from viewer.storage.package_path import open_package

MODEL = "Urho3D model"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Five models in three folders, with other files between them."""
    for name in ("b.mdl", "a2.mdl", "a10.mdl", "deep/c.mdl", "deep/er/d.mdl"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(model_bytes())
        path.with_suffix(".ani").write_bytes(animation_bytes())
        path.with_suffix(".txt").write_bytes(b"text")
    return tmp_path


def walked(top: Path, start: str, by: int = 1) -> list[str]:
    """The files from a file on, as the steps of a user find them."""
    names, path = [start], str(top / start)
    while not (found := neighbour(path, MODEL, by, DEFAULT, str(top))).end:
        names.append(Path(found.path).relative_to(top).as_posix())
        path = found.path
    return names


def test_steps_go_through_subfolders_in_the_order_of_numbers(tree: Path) -> None:
    expected = ["a2.mdl", "a10.mdl", "b.mdl", "deep/c.mdl", "deep/er/d.mdl"]
    assert walked(tree, "a2.mdl") == expected
    assert walked(tree, "deep/er/d.mdl", -1) == expected[::-1]


def test_a_folder_opens_the_file_from_which_the_steps_begin(tree: Path) -> None:
    assert open_path(str(tree), DEFAULT).path == str(tree / "a2.mdl")


@pytest.mark.parametrize(
    ("sort", "down", "folded", "first"),
    [
        ("name", False, True, "b.mdl"),
        ("name", False, False, "deep/a1.mdl"),
        ("name", True, False, "deep/er/d.mdl"),
        ("size", True, False, "b.mdl"),
    ],
)
def test_a_folder_opens_the_file_that_its_list_shows_first(
    tmp_path: Path, sort: str, down: bool, folded: bool, first: str
) -> None:
    for name in ("b.mdl", "deep/a1.mdl", "deep/er/d.mdl"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(model_bytes() + b" " * (name == "b.mdl"))
    order = list_order(Preferences(files_sort=sort, files_descending=down, files_folded=folded))
    assert open_path(str(tmp_path), DEFAULT, order).path == str(tmp_path / first)


def test_the_first_model_of_a_large_folder_does_not_wait_for_the_order(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = list_order(Preferences(files_sort="name", files_descending=True))
    assert open_path(str(tree), DEFAULT, order).path != str(tree / "a2.mdl")
    monkeypatch.setattr(model_files, "LISTED_SECONDS", -1.0)
    assert open_path(str(tree), DEFAULT, order).path == str(tree / "a2.mdl")


def test_the_ends_are_named(tree: Path) -> None:
    last, first = str(tree / "deep/er/d.mdl"), str(tree / "a2.mdl")
    assert neighbour(last, MODEL, 1, DEFAULT, str(tree)) == FolderPosition(
        last, 5, 5, "model", "the last model in the folder"
    )
    assert neighbour(first, MODEL, -1, DEFAULT, str(tree)).end == "the first model in the folder"


def test_without_an_opened_folder_the_walk_begins_in_the_folder_of_the_file(tree: Path) -> None:
    found = neighbour(str(tree / "deep/c.mdl"), MODEL, 1, DEFAULT)
    assert (found.path, found.number, found.count) == (str(tree / "deep/er/d.mdl"), 2, 2)


@pytest.mark.usefixtures("wow")
def test_a_part_steps_to_the_models_around_it(tmp_path: Path) -> None:
    for name in ("Cat.m2", "Cat00.skin", "Dog.m2"):
        (tmp_path / name).write_bytes(b"")
    part = str(tmp_path / "Cat00.skin")
    assert neighbour(part, "WoW M2 view", 1, DEFAULT).path == str(tmp_path / "Dog.m2")
    assert neighbour(part, "WoW M2 view", -1, DEFAULT).path == str(tmp_path / "Cat.m2")


@pytest.mark.usefixtures("wow")
@pytest.mark.parametrize(
    ("name", "format"), [("x.blp", "BLP picture"), ("x.ani", "Urho3D animation"), ("x.skin", "WoW M2 view")]
)
def test_without_models_the_files_of_the_same_kind_are_walked(tmp_path: Path, name: str, format: str) -> None:
    for each in (name, f"y{name[1:]}"):
        (tmp_path / each).write_bytes(b"")
    assert neighbour(str(tmp_path / name), format, 1, DEFAULT) == FolderPosition(
        str(tmp_path / f"y{name[1:]}"), 2, 2
    )


def test_steps_inside_a_package_take_its_models(tmp_path: Path) -> None:
    files = [("Models/A.mdl", model_bytes()), ("A.txt", b"a"), ("B.mdl", model_bytes())]
    path = f"{write_package(tmp_path, files=files)}::"
    assert neighbour(f"{path}B.mdl", MODEL, 1, DEFAULT) == FolderPosition(
        f"{path}Models/A.mdl", 2, 2, "model"
    )


def test_a_model_comes_before_its_parts_and_pictures(tmp_path: Path) -> None:
    (tmp_path / "Rabbit00.skin").write_bytes(b"SKIN" + bytes(60))
    (tmp_path / "Rabbit.m2").write_bytes(m2_bytes())
    assert open_path(str(tmp_path), DEFAULT).path == str(tmp_path / "Rabbit.m2")


def test_a_folder_without_models_opens_what_can_be_played(tmp_path: Path) -> None:
    (tmp_path / "a.asc").write_bytes(b"")
    (tmp_path / "walk.ani").write_bytes(animation_bytes())
    assert open_path(str(tmp_path), DEFAULT).path == str(tmp_path / "walk.ani")


def test_a_folder_that_cannot_be_read_is_the_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = tmp_path / "closed"
    closed.mkdir()
    scandir = os.scandir

    def refused(path: Any) -> Any:
        if os.fspath(path) == str(closed):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refused)
    for top in (tmp_path, closed):
        with pytest.raises(FormatError, match="closed: the folder cannot be read: Permission denied"):
            open_path(str(top), DEFAULT)


def test_a_folder_without_files_that_open_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "broken.mdl").write_bytes(b"nothing of ours")
    with pytest.raises(FormatError, match="no file that Rigscope can open"):
        open_path(str(tmp_path), DEFAULT)


@pytest.mark.usefixtures("wow")
@pytest.mark.parametrize(
    ("part", "models"),
    [
        ("CatLord00.skin", ["CatLord.m2", "Cat.m2"]),
        ("Cat0060-00.anim", ["Cat.m2"]),
        ("cat_skin.blp", ["Cat.m2"]),
        ("other.blp", []),
    ],
)
def test_parts_belong_to_models_whose_name_begins_theirs(
    tmp_path: Path, part: str, models: list[str]
) -> None:
    for name in ("Cat.m2", "CatLord.m2", part):
        (tmp_path / name).write_bytes(b"")
    assert [Path(each).name for each in models_of(str(tmp_path / part), DEFAULT)] == models


@pytest.mark.usefixtures("wow")
def test_a_picture_belongs_to_the_only_model_of_its_folder(tmp_path: Path) -> None:
    for name in ("Cat.m2", "other.blp"):
        (tmp_path / name).write_bytes(b"")
    assert models_of(str(tmp_path / "other.blp"), DEFAULT) == (str(tmp_path / "Cat.m2"),)


@pytest.fixture
def old_tree(tmp_path: Path) -> Path:
    return write_old_tree(tmp_path)


@pytest.fixture
def listed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The folders that are listed."""
    found: list[str] = []
    list_folder = listing.list_folder

    def noting(path: str) -> Any:
        found.append(os.path.basename(path.rstrip("/")))
        return list_folder(path)

    monkeypatch.setattr(listing, "list_folder", noting)
    return found


def test_a_folder_that_did_not_change_is_listed_once(old_tree: Path, listed: list[str]) -> None:
    expected = ("a2.mdl", "a10.mdl", "b.mdl", "deep/c.mdl", "deep/er/d.mdl")
    assert names_below(str(old_tree)) == names_below(str(old_tree)) == expected
    assert listed == [old_tree.name, "deep", "er"]


@pytest.mark.parametrize("changed", ["", "deep/er"])
def test_a_folder_that_changed_is_listed_again(old_tree: Path, listed: list[str], changed: str) -> None:
    names_below(str(old_tree))
    (old_tree / changed / "new.mdl").write_bytes(b"")
    assert len(names_below(str(old_tree))) == 6
    assert listed == [old_tree.name, "deep", "er"] * 2


def test_the_list_of_a_folder_that_just_changed_is_not_kept(old_tree: Path, listed: list[str]) -> None:
    os.utime(old_tree / "deep")
    names_below(str(old_tree))
    names_below(str(old_tree))
    assert listed == [old_tree.name, "deep", "er"] * 2


def test_a_package_is_listed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("B.mdl", "Models/A.mdl", "C.mdl", "note.txt")
    package = write_package(tmp_path, files=[(name, b"") for name in names])
    os.utime(package, (LONG_AGO, LONG_AGO))
    assert names_in(str(package), DEFAULT) == ("B.mdl", "C.mdl", "Models/A.mdl")
    monkeypatch.setattr(open_package(str(package), DEFAULT), "names", None)
    assert names_in(str(package), DEFAULT) == ("B.mdl", "C.mdl", "Models/A.mdl")


def test_an_empty_file_opens_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "a.mdl").write_bytes(b"")
    document = open_path(str(tmp_path / "a.mdl"), DEFAULT)
    assert document.unread and [each.why for each in document.report.errors] == ["the file is empty"]
