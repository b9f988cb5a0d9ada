"""Extraction never leaves its folder, replaces nothing unasked, and writes whole files only."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.packages import HOSTILE_NAMES
from viewer.errors import FormatError, ResourceError
from viewer.library.extraction import TargetFolder, plan, refusal


@pytest.mark.parametrize("name", HOSTILE_NAMES, ids=range(len(HOSTILE_NAMES)))
def test_a_hostile_name_is_refused(name: str) -> None:
    assert HOSTILE_NAMES[name] in refusal(name)


@pytest.mark.parametrize(
    "name",
    ["a", "Models/Jack.mdl", "a b/c.d.e", ".hidden", "骆驼/模型.mdl", "console.txt", "com10", "a/./b", "x~1"],
)
def test_an_honest_name_is_not(name: str) -> None:
    assert refusal(name) == ""


def laid(*names: str) -> tuple[list[str], list[int]]:
    made = plan(enumerate(names))
    return list(made.targets.values()), sorted(made.refused)


def test_names_that_are_one_for_some_systems_are_refused_but_the_first() -> None:
    assert laid("A.txt", "b", "a.TXT") == (["A.txt", "b"], [2])
    assert laid("caf\u00e9", "cafe\u0301") == (["caf\u00e9"], [1])
    assert laid("stra\u00dfe", "STRASSE") == (["stra\u00dfe"], [1])


def test_a_file_in_the_place_of_a_folder_is_refused() -> None:
    assert laid("a", "a/b") == (["a"], [1])
    assert laid("a/b", "A") == (["a/b"], [1])


def test_of_one_name_the_later_file_counts() -> None:
    made = plan([(0, "a"), (1, "b"), (2, "a")])
    assert (dict(made.targets), made.outdone) == ({2: "a", 1: "b"}, (0,))


def test_odd_spellings_of_one_place_are_one() -> None:
    assert laid("a//b", "./a/b", "a\\b") == (["a/b"], [1, 2])


def test_files_and_their_folders_are_made(tmp_path: Path) -> None:
    target = TargetFolder(str(tmp_path / "out"))
    target.write("a/b/c.txt", iter([b"one ", b"two"]))
    target.write("d.txt", iter([]))
    assert (tmp_path / "out/a/b/c.txt").read_bytes() == b"one two"
    assert (tmp_path / "out/d.txt").read_bytes() == b""


def everything(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def test_nothing_is_replaced_without_force(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"mine")
    with pytest.raises(ResourceError, match="exists already"):
        TargetFolder(str(tmp_path)).write("a", iter([b"theirs"]))
    assert (tmp_path / "a").read_bytes() == b"mine"
    TargetFolder(str(tmp_path), force=True).write("a", iter([b"theirs"]))
    assert (tmp_path / "a").read_bytes() == b"theirs"
    assert everything(tmp_path) == ["a"]


@pytest.mark.parametrize("force", [False, True])
def test_a_link_to_a_folder_is_not_entered(tmp_path: Path, force: bool) -> None:
    outside, inside = tmp_path / "outside", tmp_path / "in"
    outside.mkdir()
    inside.mkdir()
    (inside / "Models").symlink_to(outside)
    with pytest.raises(ResourceError, match="link"):
        TargetFolder(str(inside), force).write("Models/a.mdl", iter([b"x"]))
    assert everything(outside) == []


def test_a_link_to_a_file_is_replaced_and_not_followed(tmp_path: Path) -> None:
    victim, inside = tmp_path / "victim", tmp_path / "in"
    victim.write_bytes(b"precious")
    inside.mkdir()
    (inside / "a").symlink_to(victim)
    with pytest.raises(ResourceError, match="exists"):
        TargetFolder(str(inside)).write("a", iter([b"x"]))
    TargetFolder(str(inside), force=True).write("a", iter([b"x"]))
    assert victim.read_bytes() == b"precious"
    assert not (inside / "a").is_symlink() and (inside / "a").read_bytes() == b"x"


def test_a_broken_link_is_no_free_place(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "nowhere")
    with pytest.raises(ResourceError, match="exists"):
        TargetFolder(str(tmp_path)).write("a", iter([b"x"]))
    assert not (tmp_path / "nowhere").exists()


def test_the_folder_itself_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    TargetFolder(str(tmp_path / "link")).write("a/b", iter([b"x"]))
    assert (tmp_path / "real/a/b").read_bytes() == b"x"


@pytest.mark.parametrize("force", [False, True])
def test_a_folder_is_never_replaced(tmp_path: Path, force: bool) -> None:
    (tmp_path / "a").mkdir()
    with pytest.raises(ResourceError, match="folder has that name"):
        TargetFolder(str(tmp_path), force).write("a", iter([b"x"]))


def test_a_file_in_the_way_of_a_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"")
    with pytest.raises(ResourceError, match="a is not a folder"):
        TargetFolder(str(tmp_path)).write("a/b", iter([b"x"]))


def test_of_a_file_that_breaks_nothing_is_left(tmp_path: Path) -> None:
    def pieces() -> Iterator[bytes]:
        yield b"half"
        raise FormatError("cut")

    (tmp_path / "a").write_bytes(b"before")
    with pytest.raises(FormatError):
        TargetFolder(str(tmp_path), force=True).write("a", pieces())
    assert everything(tmp_path) == ["a"] and (tmp_path / "a").read_bytes() == b"before"


def test_files_are_made_as_others_are(tmp_path: Path) -> None:
    TargetFolder(str(tmp_path)).write("a", iter([b"x"]))
    (tmp_path / "plain").write_bytes(b"")
    assert os.stat(tmp_path / "a").st_mode == os.stat(tmp_path / "plain").st_mode
