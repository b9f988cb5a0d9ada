"""The entries of folders, the walk below one, and the order of names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.old_files import write_old_tree
from viewer.budget import BUDGET
from viewer.storage import listing
from viewer.storage.listing import (
    files_below,
    list_folder,
    natural_key,
    present,
    walk,
)
from viewer.storage.source import FolderSource


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return write_old_tree(tmp_path)


def test_hidden_and_linked_folders_are_not_entered(tree: Path) -> None:
    (tree / "deep").rename(tree / ".deep")
    os.symlink(tree, tree / "again")
    (tree / "._mac.mdl").write_bytes(b"")
    assert len(list(files_below(str(tree), (".mdl",)))) == 3


def test_attributes_that_a_mac_keeps_of_files_are_not_listed(tmp_path: Path) -> None:
    for name in ("a.mdl", "._a.mdl", "._b.zip", ".hidden"):
        (tmp_path / name).write_bytes(b"")
    assert [each.name for each in list_folder(tmp_path)] == [".hidden", "a.mdl"]
    assert list(FolderSource(tmp_path).names()) == [".hidden", "a.mdl"]


def test_a_walk_ends_after_so_many_entries(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "BUDGET", replace(BUDGET, listed_files=5))
    assert len(list(files_below(str(tree), (".mdl",)))) == 3
    monkeypatch.setattr(listing, "BUDGET", replace(BUDGET, listed_folders=1))
    assert len(list(files_below(str(tree), (".mdl",)))) == 3


def test_files_come_before_subfolders() -> None:
    names = ["b/a", "z", "b/c/a", "a10/x", "a9/x"]
    assert sorted(names, key=natural_key) == ["z", "a9/x", "a10/x", "b/a", "b/c/a"]


def test_numbers_count_by_value_and_case_does_not() -> None:
    names = ["Cat.m2", "cat2.skin", "Cat00.skin", "cat010.skin", "Cats.m2", "dog"]
    assert sorted([*set(names)], key=natural_key) == [
        "Cat.m2",
        "Cat00.skin",
        "cat2.skin",
        "cat010.skin",
        "Cats.m2",
        "dog",
    ]


@pytest.mark.parametrize("natural", [False, True])
def test_a_walk_reports_the_folders_that_it_cannot_read(tree: Path, natural: bool) -> None:
    failed: list[str] = []
    gone = walk(str(tree / "gone"), lambda folder, error: failed.append(folder), natural)
    assert list(gone) == [] and failed == [str(tree / "gone")]
    found = [os.path.basename(folder) for folder, _ in walk(str(tree), lambda *_: None, natural)]
    assert found == [tree.name, "deep", "er"]


def test_a_walk_in_natural_order_lists_as_its_names_are_sorted(tmp_path: Path) -> None:
    names = ["b10/a", "b2/z", "b2.x/a", "b2/a/c", "a.b", "a1", "A0/x", "a/b/c", "a/b.c"]
    for name in names:
        path = tmp_path / f"{name}.mdl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")
    found = [os.path.relpath(path, tmp_path) for path in files_below(str(tmp_path), (".mdl",))]
    assert found == sorted(found, key=natural_key) and len(found) == len(names)


def test_a_name_is_present_in_a_small_and_in_a_large_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "Data").mkdir()
    (tmp_path / "Data.pak").touch()
    (tmp_path / "link").symlink_to(tmp_path / "Data")
    names = ("link", "x", "Data.pak", "Data")
    assert present(str(tmp_path), names) == {"link": True, "Data.pak": False, "Data": True}
    monkeypatch.setattr(listing, "BUDGET", replace(BUDGET, upper_entries=2))
    assert present(str(tmp_path), names) == {"link": True, "Data.pak": False, "Data": True}
