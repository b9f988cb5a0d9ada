"""The walk through a folder or package."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.packages import write_package
from viewer.app import folder_walk
from viewer.app.folder_walk import FolderWalk, files_below, order
from viewer.storage.package_path import open_package

LONG_AGO = 1_000_000_000


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Three files of models in three folders that changed long ago, with a text between them."""
    for name in ("b.mdl", "note.txt", "a10.mdl", "a2.mdl", "deep/c.mdl", "deep/er/d.mdl"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")
    for folder in ("deep/er", "deep", "."):
        os.utime(tmp_path / folder, (LONG_AGO, LONG_AGO))
    return tmp_path


@pytest.fixture
def listed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The folders that are listed."""
    found: list[str] = []
    list_folder = folder_walk.entries_of

    def noting(path: str) -> Any:
        found.append(os.path.basename(path))
        return list_folder(path)

    monkeypatch.setattr(folder_walk, "entries_of", noting)
    return found


def test_a_folder_that_did_not_change_is_listed_once(tree: Path, listed: list[str]) -> None:
    walk = FolderWalk()
    expected = ("a2.mdl", "a10.mdl", "b.mdl", "deep/c.mdl", "deep/er/d.mdl")
    assert walk.below(str(tree)) == walk.below(str(tree)) == expected
    assert listed == [tree.name, "deep", "er"]


@pytest.mark.parametrize("changed", ["", "deep/er"])
def test_a_folder_that_changed_is_listed_again(tree: Path, listed: list[str], changed: str) -> None:
    walk = FolderWalk()
    walk.below(str(tree))
    (tree / changed / "new.mdl").write_bytes(b"")
    assert len(walk.below(str(tree))) == 6
    assert listed == [tree.name, "deep", "er"] * 2


def test_the_list_of_a_folder_that_just_changed_is_not_kept(tree: Path, listed: list[str]) -> None:
    os.utime(tree / "deep")
    walk = FolderWalk()
    walk.below(str(tree))
    walk.below(str(tree))
    assert listed == [tree.name, "deep", "er"] * 2


def test_a_package_is_listed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("B.mdl", "Models/A.mdl", "C.mdl", "note.txt")
    source = open_package(str(write_package(tmp_path, files=[(name, b"") for name in names])))
    assert source is not None
    walk = FolderWalk()
    assert walk.within(source) == ("B.mdl", "C.mdl", "Models/A.mdl")
    monkeypatch.setattr(source, "names", None)
    assert walk.within(source) == ("B.mdl", "C.mdl", "Models/A.mdl")


def test_hidden_and_linked_folders_are_not_entered(tree: Path) -> None:
    (tree / "deep").rename(tree / ".deep")
    os.symlink(tree, tree / "again")
    assert len(list(files_below(str(tree), (".mdl",)))) == 3


def test_a_walk_ends_after_so_many_entries(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder_walk, "MOST_ENTRIES", 5)
    assert len(list(files_below(str(tree), (".mdl",)))) == 3
    monkeypatch.setattr(folder_walk, "MOST_FOLDERS", 0)
    assert list(files_below(str(tree), (".mdl",))) == []


def test_files_come_before_subfolders() -> None:
    names = ["b/a", "z", "b/c/a", "a10/x", "a9/x"]
    assert sorted(names, key=order) == ["z", "a9/x", "a10/x", "b/a", "b/c/a"]
