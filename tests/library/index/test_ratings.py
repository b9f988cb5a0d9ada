"""Ratings and favourites: kept apart from cache and files, and kept by moved files."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.packages import write_package
from viewer.errors import ResourceError
from viewer.family.registry import suffixes
from viewer.library.file_sources import SourceFile, source_files
from viewer.library.index import ratings as module
from viewer.library.index.index import Index
from viewer.library.index.ratings import PART, Ratings, content_of
from viewer.library.workers.batches import LocalRunner
from viewer.scene.files import UNMARKED, Mark
from viewer.scene.reading_context import DEFAULT

FOUR = Mark(4, True)


@pytest.fixture
def ratings(tmp_path: Path) -> Ratings:
    return Ratings(tmp_path / "data" / "ratings.sqlite", pytest.fail)


def made(path: Path, data: bytes = b"UMD2 a model") -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return str(path)


def listed(folder: Path) -> list[SourceFile]:
    return list(source_files([str(folder)], suffixes(), pytest.fail, DEFAULT))


def test_without_ratings_nothing_is_marked_and_no_file_is_made(ratings: Ratings, tmp_path: Path) -> None:
    made(tmp_path / "models/a.mdl")
    assert ratings.follow(listed(tmp_path / "models")) == {}
    assert not ratings.path.parent.exists()


def test_a_mark_is_kept_and_replaced(ratings: Ratings, tmp_path: Path) -> None:
    path = made(tmp_path / "a.mdl")
    ratings.put({path: FOUR})
    assert Ratings(ratings.path).all() == {path: FOUR}
    ratings.put({path: Mark(2)})
    assert ratings.all() == {path: Mark(2)}


def test_a_rating_survives_the_loss_of_the_cache(
    ratings: Ratings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "models"
    path, cache = made(folder / "a.mdl"), tmp_path / "cache"
    monkeypatch.setenv("RIGSCOPE_CACHE", str(cache))
    ratings.put({path: FOUR})

    def found() -> list[tuple[str, Mark]]:
        index = Index(say=pytest.fail, ratings=ratings)
        list(index.update(listed(folder), [str(folder)], LocalRunner(0)))
        files = [(each.path, each.mark) for each in index.query("rating>3 favourite", [str(folder)])]
        index.close()
        return files

    assert found() == [(path, FOUR)]
    for each in cache.iterdir():
        each.unlink()
    assert found() == [(path, FOUR)]


def test_a_moved_file_keeps_its_mark(ratings: Ratings, tmp_path: Path) -> None:
    models = tmp_path / "models"
    old = Path(made(models / "a.mdl"))
    made(models / "same size.mdl", b"UMD2 b model")
    ratings.put({str(old): FOUR})
    new = models / "more" / "b.mdl"
    new.parent.mkdir()
    old.rename(new)
    marks = ratings.follow(listed(models))
    assert marks[str(new)] == FOUR and str(models / "same size.mdl") not in marks
    assert ratings.all()[str(new)] == FOUR, "the mark is stored for the new path"


def test_a_copy_has_no_mark_while_the_marked_file_is_there(ratings: Ratings, tmp_path: Path) -> None:
    models = tmp_path / "models"
    path = made(models / "a.mdl")
    ratings.put({path: FOUR})
    made(models / "copy.mdl")
    assert ratings.follow(listed(models)) == {path: FOUR}


def test_a_mark_that_was_removed_from_a_moved_file_does_not_come_back(
    ratings: Ratings, tmp_path: Path
) -> None:
    models = tmp_path / "models"
    old, new = Path(made(models / "a.mdl")), models / "b.mdl"
    ratings.put({str(old): FOUR})
    old.rename(new)
    ratings.follow(listed(models))
    ratings.put({str(new): UNMARKED})
    assert ratings.follow(listed(models))[str(new)] == UNMARKED


def test_the_latest_mark_of_a_file_moves_twice(ratings: Ratings, tmp_path: Path) -> None:
    models = tmp_path / "models"
    first, second, third = (models / f"{name}.mdl" for name in "abc")
    made(first)
    ratings.put({str(first): FOUR})
    first.rename(second)
    ratings.follow(listed(models))
    ratings.put({str(second): Mark(1)})
    second.rename(third)
    assert ratings.follow(listed(models))[str(third)] == Mark(1)


def test_a_changed_file_keeps_its_mark(ratings: Ratings, tmp_path: Path) -> None:
    path = made(tmp_path / "a.mdl")
    ratings.put({path: FOUR})
    made(tmp_path / "a.mdl", b"UMD2 exported again")
    assert ratings.follow(listed(tmp_path))[path] == FOUR


def test_files_of_a_moved_package_keep_their_marks(ratings: Ratings, tmp_path: Path) -> None:
    package = write_package(tmp_path)
    file = listed(package)[0]
    ratings.put({file.path: FOUR})
    moved = package.with_name("moved.pak")
    package.rename(moved)
    assert FOUR in [ratings.follow(listed(moved))[each.path] for each in listed(moved)[:1]]


def test_content_is_the_size_and_both_ends(tmp_path: Path) -> None:
    data = bytes(3 * PART)
    contents = [data, data + b"\0", b"\1" + data[1:], data[:-1] + b"\1"]
    found = [content_of(made(tmp_path / f"{number}", each), DEFAULT) for number, each in enumerate(contents)]
    assert len(set(found)) == len(contents)
    assert content_of(made(tmp_path / "again", data), DEFAULT) == found[0]
    assert content_of(str(tmp_path / "missing"), DEFAULT) == (None, None)


def test_damaged_ratings_are_kept_aside_with_a_line(tmp_path: Path) -> None:
    said: list[str] = []
    ratings = Ratings(tmp_path / "ratings.sqlite", said.append)
    for name in ("ratings.sqlite.broken", "ratings.sqlite.broken-1"):
        ratings.path.write_bytes(b"no database, and longer than a header " * 50)
        assert ratings.all() == {}
        assert said.pop() == f"ratings were damaged; the damaged file is now {tmp_path / name}"
        assert (tmp_path / name).exists() and not ratings.path.exists()
    ratings.path.write_bytes(b"no database, and longer than a header " * 50)
    ratings.put({"/a.mdl": FOUR})
    assert len(said) == 1 and ratings.all() == {"/a.mdl": FOUR}


def test_ratings_of_a_newer_version_stay_untouched(tmp_path: Path) -> None:
    said: list[str] = []
    ratings = Ratings(tmp_path / "ratings.sqlite", said.append)
    ratings.put({"/a.mdl": FOUR})
    with sqlite3.connect(ratings.path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    before = ratings.path.read_bytes()
    assert ratings.all() == {} and "newer version" in said[0]
    with pytest.raises(ResourceError, match="newer version"):
        ratings.put({"/a.mdl": UNMARKED})
    assert ratings.path.read_bytes() == before


def test_two_programs_write_at_once(ratings: Ratings) -> None:
    marks = [(f"/{number}.mdl", Mark(number % 5)) for number in range(20)]
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda each: Ratings(ratings.path).put(dict([each])), marks))
    assert ratings.all() == dict(marks)


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ResourceError, match="ratings cannot be written"):
        Ratings(tmp_path / "file" / "ratings.sqlite").put({"/a.mdl": FOUR})


def test_the_data_folder_is_not_the_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("RIGSCOPE_DATA")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert "cache" not in str(module.data_folder()).lower()
