"""Versions of files and folders, and answers that are kept while these stay the same."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from viewer.errors import FormatError
from viewer.storage import versions
from viewer.storage.reading import read_file
from viewer.storage.versions import (
    UNSETTLED,
    KeptAnswers,
    are_current,
    file_version,
    is_regular,
    path_version,
    versions_of,
)


class Asked:
    """Asks the same question again and again, and counts how often the answer is made."""

    def __init__(self, make: Callable[[], object], size: int = 1) -> None:
        self.kept: KeptAnswers[str, object] = KeptAnswers(10)
        self.make, self.size, self.count = make, size, 0

    def made(self) -> int:
        """How many answers were made after one more question."""

        def make() -> object:
            self.count += 1
            return self.make()

        self.kept.get("key", make, lambda _: self.size)
        return self.count


def age(*paths: Path, seconds: float = 100.0) -> None:
    for path in paths:
        os.utime(path, (time.time() - seconds,) * 2)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.txt"
    path.write_bytes(b"text")
    age(path, tmp_path)
    return path


def test_the_version_of_a_folder_is_the_time_of_its_last_change(tmp_path: Path) -> None:
    os.utime(tmp_path, ns=(5, 7_000_000_000))
    found = path_version(tmp_path)
    assert found is not None and found.modified == 7_000_000_000
    assert path_version(tmp_path / "gone") is None


def test_only_a_regular_file_has_the_version_of_a_file(file: Path) -> None:
    assert file_version(file) == (file.stat().st_mtime_ns, 4) and is_regular(file)
    assert file_version(file.parent) is None and not is_regular(file.parent)
    assert file_version(file.parent / "gone") is None and path_version("zero\0byte") is None


@pytest.mark.parametrize("look", [file_version, is_regular, path_version, read_file])
def test_an_answer_is_made_again_when_what_it_looked_at_changed(
    file: Path, look: Callable[[str], object]
) -> None:
    asked = Asked(lambda: look(str(file)))
    assert [asked.made(), asked.made()] == [1, 1]
    file.write_bytes(b"another text")
    age(file, seconds=50)
    assert [asked.made(), asked.made()] == [2, 2]


def test_an_answer_is_made_again_when_a_missing_file_appears(file: Path) -> None:
    new = file.with_name("b.txt")
    asked = Asked(lambda: is_regular(new))
    assert [asked.made(), asked.made()] == [1, 1]
    new.write_bytes(b"")
    age(new)
    assert [asked.made(), asked.made()] == [2, 2]


def test_a_missing_file_in_a_folder_that_is_asked_for_is_not_asked_for_again(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new, looked = file.with_name("b.txt"), list[str]()
    asked = Asked(lambda: (path_version(file.parent), is_regular(new)))
    assert asked.made() == 1
    stat_path = versions.stat_path
    monkeypatch.setattr(versions, "stat_path", lambda path: (looked.append(str(path)), stat_path(path))[1])
    assert (asked.made(), looked) == (1, [str(file.parent)])
    new.write_bytes(b"")
    age(new, file.parent, seconds=50)
    assert asked.made() == 2


def test_an_answer_about_what_changed_just_now_is_not_kept(file: Path) -> None:
    os.utime(file)
    asked = Asked(lambda: is_regular(file))
    assert [asked.made(), asked.made()] == [1, 2]


def test_an_answer_that_is_too_large_is_not_kept(file: Path) -> None:
    asked = Asked(lambda: is_regular(file), 11)
    assert [asked.made(), asked.made()] == [1, 2]


def test_an_answer_that_depends_on_too_many_paths_is_not_kept(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(versions, "MOST_PATHS", 1)
    asked = Asked(lambda: (is_regular(file), path_version(file.parent)))
    assert [asked.made(), asked.made()] == [1, 2]
    monkeypatch.setattr(versions, "MOST_PATHS", 2)
    assert [asked.made(), asked.made()] == [3, 3]


def test_an_answer_depends_on_what_the_answers_inside_it_depend_on(file: Path) -> None:
    inner = Asked(lambda: is_regular(file))
    inner.made()
    outer = Asked(inner.made)
    assert [outer.made(), outer.made()] == [1, 1]
    file.unlink()
    age(file.parent)
    assert outer.made() == 2 and inner.count == 2


def test_an_answer_about_a_file_that_cannot_be_read_is_not_kept(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: object, flags: int) -> int:
        raise PermissionError(13, "Permission denied")

    def look() -> bytes | None:
        try:
            return read_file(file)
        except FormatError:
            return None

    asked = Asked(look)
    with monkeypatch.context() as refused:
        refused.setattr("viewer.storage.reading.os.open", refuse)
        asked.made()
    assert [asked.made(), asked.made()] == [2, 2]


def test_dependencies_are_current_until_a_path_changes(file: Path) -> None:
    gone = str(file.with_name("gone"))
    depends = versions_of([str(file), gone], begun=time.time_ns())
    assert depends == {str(file): file_version(file), gone: None} and are_current(depends)
    Path(gone).write_bytes(b"")
    assert not are_current(depends)


def test_what_changed_since_the_beginning_is_unsettled(file: Path) -> None:
    assert versions_of([str(file)], begun=0) == {str(file): UNSETTLED}
    assert versions_of([str(file)], begun=file.stat().st_mtime_ns) == {str(file): UNSETTLED}
