"""A batch that was ended goes on where it was."""

from __future__ import annotations

import io
import os
import time
from pathlib import Path

import pytest

from viewer.library.batch.journal import KEPT, SUFFIX, Journal, journal_key
from viewer.storage.versions import Version, path_version

ODD = os.fsdecode(b"\xff\n.mdl")


def test_what_is_done_is_known_to_the_next_batch(tmp_path: Path) -> None:
    first = Journal(tmp_path / "batches", "key")
    first.finish("a.mdl", (1, 2), ["out.png"], {})
    first.finish(ODD, (3, 4), "x", {})
    second = Journal(tmp_path / "batches", "key")  # the first one was not even closed
    assert second.result("a.mdl", (1, 2)) == ["out.png"] and second.result(ODD, (3, 4)) == "x"
    assert second.error == ""
    first.close(whole=False)
    second.close(whole=False)


def test_what_was_begun_is_known_and_not_done(tmp_path: Path) -> None:
    first = Journal(tmp_path, "key")
    first.begin("a.mdl", (1, 2))
    second = Journal(tmp_path, "key")
    assert second.has_begun("a.mdl") and second.result("a.mdl", (1, 2)) is None
    assert not second.has_begun("b.mdl")
    first.close(whole=False)
    second.close(whole=False)


def test_a_changed_file_is_not_done(tmp_path: Path) -> None:
    journal = Journal(tmp_path, "key")
    journal.finish("a.mdl", (1, 2), "x", {})
    assert journal.result("a.mdl", (1, 3)) is None and journal.result("b.mdl", (1, 2)) is None
    journal.close(whole=False)


@pytest.mark.parametrize("changed", ["skin.png", "missing.png"])
def test_a_file_whose_dependencies_changed_is_not_done(tmp_path: Path, changed: str) -> None:
    (tmp_path / "skin.png").write_bytes(b"1")
    depends = {str(tmp_path / name): path_version(tmp_path / name) for name in ("skin.png", "missing.png")}
    first = Journal(tmp_path, "key")
    first.finish("a.mdl", Version(1, 2), "x", depends)
    for result in ("x", None):
        known = Journal(tmp_path, "key")
        assert known.result("a.mdl", Version(1, 2)) == result
        known.close(whole=False)
        (tmp_path / changed).write_bytes(b"22")
    first.close(whole=False)


def test_another_batch_knows_nothing_and_a_whole_one_leaves_nothing(tmp_path: Path) -> None:
    for key in ("key", "other"):
        journal = Journal(tmp_path, key)
        assert not journal.has_begun("a.mdl")
        journal.finish("a.mdl", (1, 2), "x", {})
        journal.close(whole=True)
    assert list(tmp_path.iterdir()) == []


def test_a_torn_journal_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    journal = Journal(tmp_path, "key")
    journal.finish("a.mdl", (1, 2), "x", {})
    journal.finish("b.mdl", (1, 2), "x", {})
    journal.close(whole=False)
    path = tmp_path / f"key{SUFFIX}"
    path.write_bytes(b"\xff[]\n{}\n" + path.read_bytes()[:-9])
    torn = Journal(tmp_path, "key")
    assert torn.result("a.mdl", (1, 2)) == "x" and torn.result("b.mdl", (1, 2)) is None
    torn.finish("c.mdl", (1, 2), "x", {})
    torn.close(whole=False)
    again = Journal(tmp_path, "key")
    assert again.result("c.mdl", (1, 2)) == "x"
    again.close(whole=True)


def test_a_folder_that_cannot_be_written_is_told_and_no_hindrance(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    journal = Journal(tmp_path / "file" / "batches", "key")
    assert "Not a directory" in journal.error
    journal.finish("a.mdl", (1, 2), "x", {})
    assert journal.result("a.mdl", (1, 2)) == "x"
    journal.close(whole=True)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is full")
def test_a_full_disk_is_told_once_and_no_hindrance(tmp_path: Path) -> None:
    journal = Journal(tmp_path, "key")
    assert journal._file is not None
    journal._file.close()
    journal._file = io.FileIO("/dev/full", "wb")
    journal.finish("a.mdl", (1, 2), "x", {})
    assert journal.error.endswith("No space left on device")
    journal.finish("b.mdl", (1, 2), "x", {})
    journal.close(whole=True)


def test_old_journals_are_removed(tmp_path: Path) -> None:
    before = time.time() - KEPT
    for name, age in ((f"old{SUFFIX}", 60), ("old.txt", 60), (f"new{SUFFIX}", -60)):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (before - age, before - age))
    Journal(tmp_path, "key").close(whole=True)
    assert sorted(each.name for each in tmp_path.iterdir()) == [f"new{SUFFIX}", "old.txt"]


def test_the_key_is_of_all_parts() -> None:
    assert journal_key("render", {"a": 1, "b": (1, 2)}) == journal_key("render", {"b": (1, 2), "a": 1})
    assert journal_key("render", {"a": 1}) != journal_key("render", {"a": 2})
    assert journal_key(ODD) != journal_key("x")
