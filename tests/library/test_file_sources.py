"""Places become files: folders, packages, patterns and single files."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.packages import write_package
from viewer.library.file_sources import SourceFile, source_files
from viewer.library.outcome import Outcome
from viewer.scene.reading_context import DEFAULT

MODELS = (".mdl", ".mesh")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A folder with files in it and below."""
    top = tmp_path / "tree"
    for name in ("b.mdl", "a.MESH", "readme.txt", "in/c.mdl", "in/deep/d.mdl", ".hidden/e.mdl", "in/.f.mdl"):
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(name.encode())
    return top


def listed(*places: str | Path) -> tuple[list[SourceFile], list[str]]:
    """The files of places, and what was said."""
    failed: list[Outcome] = []
    files = list(source_files(map(str, places), MODELS, failed.append, DEFAULT))
    return files, [each.line for each in failed]


def names(*places: str | Path) -> list[str]:
    """The names of the files of places of which nothing was said."""
    files, said = listed(*places)
    assert said == []
    return [each.name for each in files]


def test_a_folder_has_its_files_and_those_below(tree: Path) -> None:
    assert names(tree) == ["a.MESH", "b.mdl", "in/c.mdl", "in/deep/d.mdl"]


def test_a_file_has_size_and_time(tree: Path) -> None:
    (file,) = listed(tree / "in/deep")[0]
    status = (tree / "in/deep/d.mdl").stat()
    assert file == (str(tree / "in/deep/d.mdl"), "d.mdl", str(tree / "in/deep"), 13, status.st_mtime_ns)
    assert file.version == (status.st_mtime_ns, 13)


def test_a_relative_place_stays_relative(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tree)
    assert [each.path for each in listed("in/")[0]] == ["in/c.mdl", "in/deep/d.mdl"]


def test_a_file_that_is_named_may_have_any_suffix(tree: Path) -> None:
    assert names(tree / "readme.txt") == ["readme.txt"]


def test_a_file_of_two_places_is_listed_once(tree: Path) -> None:
    assert names(tree / "in/deep/d.mdl", tree / "in") == ["d.mdl", "c.mdl"]


def test_a_pattern_stands_for_its_files_and_folders(tree: Path) -> None:
    assert names(tree / "*.mdl") == ["b.mdl"]
    assert names(tree / "**/*.mdl") == ["b.mdl", "c.mdl", "d.mdl"]
    assert names(tree / "i?") == ["c.mdl", "deep/d.mdl"]


def test_a_name_with_brackets_is_no_pattern(tmp_path: Path) -> None:
    (tmp_path / "a[1].mdl").write_bytes(b"x")
    assert names(tmp_path / "a[1].mdl") == ["a[1].mdl"]


def test_a_package_has_its_files(tmp_path: Path) -> None:
    stored = [("Models/A.mdl", b"abc"), ("Models/In/B.mdl", b""), ("Textures/C.dds", b"x")]
    path = write_package(tmp_path, files=stored)
    files, said = listed(path)
    assert [each.name for each in files] == ["Models/A.mdl", "Models/In/B.mdl"] and said == []
    first = files[0]
    assert first.path == f"{path}::Models/A.mdl" and first.size == 3 and first.root == str(path)
    assert first.modified == path.stat().st_mtime_ns
    assert names(f"{path}::Models/In") == ["Models/In/B.mdl"]
    assert names(f"{path}::textures/c.dds") == ["Textures/C.dds"]
    assert names(f"{path}::*.dds") == ["Textures/C.dds"]
    assert listed(f"{path}::None") == ([], [f"{path}::None: the package has no such file or folder"])


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    assert listed(tmp_path / "x.mdl", tmp_path / "*.mdl") == (
        [],
        [f"{tmp_path}/*.mdl: no file matches the pattern", f"{tmp_path}/x.mdl: cannot be read: no such file"],
    )


@pytest.mark.skipif(sys.platform == "win32", reason="links and FIFOs of POSIX")
def test_fifos_and_dead_links_are_said_and_links_of_folders_not_entered(tree: Path) -> None:
    os.mkfifo(tree / "in/pipe.mdl")
    (tree / "in/dead.mdl").symlink_to("nothing")
    (tree / "in/live.mdl").symlink_to(tree / "b.mdl")
    (tree / "in/round").symlink_to(tree)
    files, said = listed(tree / "in")
    assert [each.name for each in files] == ["c.mdl", "live.mdl", "deep/d.mdl"]
    assert said == [
        f"{tree}/in/dead.mdl: cannot be read: no such file",
        f"{tree}/in/pipe.mdl: cannot be read: it is a FIFO, not a regular file",
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="names of Linux may be any bytes")
def test_a_name_that_is_not_utf_8_survives(tree: Path) -> None:
    name = os.fsdecode(b"\xff.mdl")
    (tree / "in/deep" / name).write_bytes(b"12")
    assert names(tree / "in/deep") == ["d.mdl", name]


def test_a_folder_that_cannot_be_read_is_said_once(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scandir = os.scandir

    def refused(path: str) -> object:
        if path.endswith("deep"):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refused)
    files, said = listed(tree)
    assert [each.name for each in files] == ["a.MESH", "b.mdl", "in/c.mdl"]
    assert said == [f"{tree}/in/deep: the folder cannot be read: Permission denied"]


def test_a_folder_with_the_suffix_of_a_file_is_a_folder(tree: Path) -> None:
    (tree / "in/x.mdl").mkdir()
    (tree / "in/x.mdl/y.mdl").write_bytes(b"")
    assert names(tree / "in") == ["c.mdl", "deep/d.mdl", "x.mdl/y.mdl"]
