"""Which files a place of the index holds, and their names in it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.packages import write_package
from viewer.library.index.ranges import path_range
from viewer.storage.package_path import JOINT


def test_a_folder_holds_the_files_below_it(tmp_path: Path) -> None:
    found = path_range(str(tmp_path))
    assert found.name(os.path.join(tmp_path, "a", "b.mdl")) == "a/b.mdl"
    assert found.name(f"{tmp_path}.mdl") is None


@pytest.mark.parametrize("inside", ["", "Models"])
def test_a_package_and_its_folders_hold_their_files(tmp_path: Path, inside: str) -> None:
    package = str(write_package(tmp_path))
    found = path_range(f"{package}{JOINT}{inside}" if inside else package)
    assert found.name(f"{package}{JOINT}Models/a.mdl") == "Models/a.mdl"
    assert found.name(os.path.join(tmp_path, "Models", "a.mdl")) is None
    assert (found.name(f"{package}{JOINT}other.mdl") is None) == bool(inside)


def test_a_file_is_alone_in_its_place(tmp_path: Path) -> None:
    path = tmp_path / "a.mdl"
    path.touch()
    assert path_range(str(path)).name(str(path)) == "a.mdl"
    assert path_range(str(path)).name(f"{path}x") is None
