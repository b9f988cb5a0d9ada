"""Names to bytes: spelling, case, limits, and no way out of the root."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from viewer.errors import FormatError, ResourceError
from viewer.storage import source as source_module
from viewer.storage.listing import entries_of
from viewer.storage.source import FolderSource, resource_name, resource_names

folded_disk = pytest.mark.skipif(os.path.exists(__file__.upper()), reason="this disk ignores case by itself")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    (root / "Textures" / "deep").mkdir(parents=True)
    (root / "Textures" / "Jack.png").write_bytes(b"jack")
    (root / "Textures" / "deep" / "a.png").write_bytes(b"a")
    (tmp_path / "secret.txt").write_bytes(b"secret")
    return root


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("Textures/Jack.png", "Textures/Jack.png"),
        (" Textures\\Jack.png\r", "Textures/Jack.png"),
        ("./a//b/./c", "a/b/c"),
        ("a/../b", "b"),
        ("..", None),
        ("a/../../b", None),
        ("/etc/passwd", None),
        ("C:/secret", None),
        ("c:/secret", None),
        ("c:", None),
        ("a\0b", None),
        ("", None),
        (".", None),
        ("\ud800", None),
        ("x" * 5000, None),
    ],
)
def test_resource_name(name: str, plain: str | None) -> None:
    assert resource_name(name) == plain


@pytest.mark.parametrize("name", ["Textures/Jack.png", "textures/JACK.PNG", "Textures\\jack.png"])
def test_reads_in_any_case(folder: Path, name: str) -> None:
    assert FolderSource(folder).read(name) == b"jack"


@folded_disk
def test_find_tells_the_stored_name(folder: Path) -> None:
    source = FolderSource(folder)
    assert source.find("textures/jack.PNG") == "Textures/Jack.png"
    assert source.find("textures/jack.PNG", fold=False) is None


@folded_disk
def test_exact_name_wins_over_another_case(folder: Path) -> None:
    (folder / "Textures" / "jack.PNG").write_bytes(b"other")
    assert FolderSource(folder).read("Textures/jack.PNG") == b"other"
    assert FolderSource(folder).read("Textures/Jack.png") == b"jack"


@pytest.mark.parametrize("name", ["../secret.txt", "Textures/../../secret.txt", "..\\secret.txt"])
def test_no_name_leaves_the_root(folder: Path, name: str) -> None:
    source = FolderSource(folder)
    assert not source.exists(name)
    with pytest.raises(ResourceError):
        source.read(name)


def test_absolute_names_are_refused(folder: Path) -> None:
    assert not FolderSource(folder).exists(str(folder / "Textures" / "Jack.png"))


def test_a_folder_is_no_resource(folder: Path) -> None:
    assert not FolderSource(folder).exists("Textures")


def test_limit_is_checked_before_reading(folder: Path) -> None:
    with pytest.raises(FormatError, match="4 bytes are more than the limit of 3") as caught:
        FolderSource(folder).read("Textures/Jack.png", 3)
    assert caught.value.file.endswith("Jack.png")


def test_names_of_one_folder_and_deep(folder: Path) -> None:
    source = FolderSource(folder)
    assert list(source.names("Textures")) == ["Textures/Jack.png"]
    assert list(source.names("", deep=True)) == ["Textures/Jack.png", "Textures/deep/a.png"]
    assert list(source.names("nowhere")) == []


def test_a_loop_of_links_ends(folder: Path) -> None:
    try:
        (folder / "Textures" / "again").symlink_to(folder, target_is_directory=True)
    except OSError:
        pytest.skip("links cannot be made here")
    assert len(list(FolderSource(folder).names("", deep=True))) == 2


def test_of_a_large_upper_folder_usual_spellings_are_tried(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source_module, "BUDGET", replace(source_module.BUDGET, upper_entries=1))
    (folder / "another").mkdir()
    upper = FolderSource(folder, list_top=False)
    assert upper.find("textures/JACK.png") == "Textures/Jack.png"
    assert upper.find("Nothing/JACK.png") is None
    assert not [*upper.names()] and [*upper.names("textures")], "the large folder itself is not listed"


def test_too_long_a_file_name_is_just_not_there(folder: Path) -> None:
    assert FolderSource(folder).find("x" * 1000) is None


PLAIN = ("a", "a/b.c", "Models/Jack 2.mdl", "a b", "x~/y-z_0(1).dds")
ODD = {"a//b": "a/b", "a/./b": "a/b", "a/../b": "b", " a ": "a", "a/": "a", ".a/.b": ".a/.b", "a\\b": "a/b"}
NOWHERE = ("", "/a", "../a", "a/../../b", "C:/a", "c:", "\\a", "a\0b", ".", "x" * 1025)


@pytest.mark.parametrize("name", PLAIN)
def test_a_plain_name_is_itself(name: str) -> None:
    assert resource_name(name) == name


@pytest.mark.parametrize("name", ODD)
def test_an_odd_name_is_made_plain(name: str) -> None:
    assert resource_name(name) == ODD[name]


@pytest.mark.parametrize("name", NOWHERE)
def test_a_name_that_leads_nowhere_is_none(name: str) -> None:
    assert resource_name(name) is None


@pytest.mark.parametrize(("system", "made"), [("posix", "c:a"), ("nt", None)])
def test_a_letter_with_a_colon_is_a_drive_where_there_are_drives(
    monkeypatch: pytest.MonkeyPatch, system: str, made: str | None
) -> None:
    monkeypatch.setattr("viewer.scene.names.os.name", system)
    assert resource_name("c:a") == made


@pytest.mark.parametrize("name", [*PLAIN, *ODD, *NOWHERE, "a\nb", "a\n", "a\t", "\x1fa", "é/b ", "a.", "..."])
def test_many_names_are_made_plain_as_one_name_is(name: str) -> None:
    names = [*PLAIN, name]
    assert [*resource_names(names)] == [resource_name(each) for each in names]


def test_no_names_stay_no_names() -> None:
    assert [*resource_names([])] == []


def aged(folder: Path, seconds: float = 100.0) -> None:
    """Change the time of a folder's last change to so many seconds ago."""
    os.utime(folder, (time.time() - seconds,) * 2)


def test_a_folder_is_listed_once_while_it_does_not_change(folder: Path, listed: list[str]) -> None:
    aged(folder)
    assert [entry.name for entry in entries_of(str(folder))] == ["Textures"]
    assert [entry.name for entry in entries_of(str(folder))] == ["Textures"]
    assert listed == [str(folder)]
    (folder / "new.txt").write_bytes(b"")
    assert [entry.name for entry in entries_of(str(folder))] == ["Textures", "new.txt"]
    aged(folder, 50)
    (folder / "new.txt").rename(folder / "later.txt")
    aged(folder, 40)
    assert [entry.name for entry in entries_of(str(folder))] == ["Textures", "later.txt"]


def test_a_folder_that_changed_just_now_is_listed_every_time(folder: Path, listed: list[str]) -> None:
    for _ in range(2):
        entries_of(str(folder))
    assert listed == [str(folder)] * 2


def test_a_folder_that_is_gone_has_no_entries(folder: Path) -> None:
    aged(folder / "Textures" / "deep")
    assert len(entries_of(str(folder / "Textures" / "deep"))) == 1
    shutil.rmtree(folder / "Textures")
    assert len(entries_of(str(folder / "Textures" / "deep"))) == 0


def test_a_file_has_no_entries(folder: Path) -> None:
    assert list(entries_of(str(folder / "Textures" / "Jack.png"))) == []
