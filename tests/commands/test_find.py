"""`rigscope find` as a shell sees it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.packages import write_package
from tests.synthetic import animation_bytes, model_bytes
from viewer.commands.cli import main
from viewer.commands.find import follow, shown, width
from viewer.library.index.facts import index_file
from viewer.library.index.ratings import Ratings
from viewer.library.index.update import IndexProgress
from viewer.scene.files import Mark
from viewer.storage.cache_folder import FOLDER_VARIABLE

Captured = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two models, a package, and a file that is cut; the cache lies beside `files`."""
    files = tmp_path_factory.mktemp("library") / "files"
    (files / "deep").mkdir(parents=True)
    (files / "Post.mdl").write_bytes(model_bytes())
    (files / "deep" / "Other.mdl").write_bytes(model_bytes("UMD3"))
    (files / "deep" / "Bend.ani").write_bytes(animation_bytes())
    (files / "Cut.mdl").write_bytes(model_bytes()[:300])
    write_package(files)
    return files


@pytest.fixture(autouse=True)
def here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv(FOLDER_VARIABLE, str(folder.parent / "cache"))


def test_the_paths_are_as_the_place_was_written(capsys: Captured, folder: Path) -> None:
    assert main(["find", "deep", "kind:model"]) == 0
    assert capsys.readouterr().out.splitlines() == ["deep/Other.mdl"]
    assert main(["find", f"{folder}/deep/", "kind:animation"]) == 0
    assert capsys.readouterr().out.splitlines() == [f"{folder}/deep/Bend.ani"]
    assert main(["find", ".", "*.ani"]) == 0
    assert capsys.readouterr().out.splitlines() == ["./deep/Bend.ani"]


@pytest.mark.usefixtures("worker_processes")
def test_patterns_files_and_packages_are_places(capsys: Captured) -> None:
    assert main(["find", "*.mdl", "deep/Bend.ani", "Data.pak", "not error not kind:picture"]) == 0
    found = capsys.readouterr().out.splitlines()
    assert {"Post.mdl", "deep/Bend.ani", "Data.pak::Models/Post.mdl"} <= set(found)
    assert "Cut.mdl" not in found


@pytest.mark.parametrize(
    "place", ["Data.pak", "Data.pak::Models", "Data.pak::*.mdl", "Data.pak::Models/Post.mdl"]
)
def test_a_part_of_a_package_is_a_place(place: str, capsys: Captured) -> None:
    for _ in range(2):
        assert main(["find", place, "post bones:2"]) == 0
        assert capsys.readouterr().out == "Data.pak::Models/Post.mdl\n"


def test_nothing_found_is_status_1(capsys: Captured) -> None:
    assert main(["find", ".", "bones>1000"]) == 1
    assert capsys.readouterr().out == ""


def test_a_file_that_cannot_be_read_is_found_by_its_error(capsys: Captured) -> None:
    assert main(["find", ".", "error name:cut"]) == 0
    assert capsys.readouterr() == ("./Cut.mdl\n", "")


def test_a_place_that_is_not_there_is_named(capsys: Captured) -> None:
    assert main(["find", "gone", "deep", "kind:model"]) == 1
    said = capsys.readouterr()
    assert said.out == "deep/Other.mdl\n" and "gone: cannot be read: no such file" in said.err


def test_json_has_the_facts(capsys: Captured) -> None:
    assert main(["find", ".", "name=Post.mdl", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    (file,) = found["files"]
    assert found["query"] == "name=Post.mdl"
    assert (file["path"], file["name"], file["bones"]) == ("./Post.mdl", "Post.mdl", 2)
    assert file["bounds"]["max"][1] == 1 and file["bone_names"] == ["base", "tip"]
    assert file["missing"] == [] and file["kind"] == "model"


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("post", ["./Post.mdl"]),
        ("not post size<1M *.mdl", ["./Cut.mdl", "./deep/Other.mdl"]),
        ("path:deep or name=Cut.mdl", ["./Cut.mdl", "./deep/Bend.ani", "./deep/Other.mdl"]),
        ("modified<99y rating<1 bend", ["./deep/Bend.ani"]),
    ],
)
def test_a_query_of_names_sizes_and_dates_reads_no_file(
    query: str, found: list[str], capsys: Captured, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    read: list[str] = []
    monkeypatch.setattr(
        "viewer.library.index.update.index_file",
        lambda path, context: read.append(path) or index_file(path, context),
    )
    assert main(["find", ".", query]) == 0
    assert sorted(capsys.readouterr().out.splitlines()) == found and not read
    assert main(["find", ".", query, "--json"]) == 0
    files = json.loads(capsys.readouterr().out)["files"]
    assert all("bones" in each for each in files) and len(read) == len(found)
    assert main(["find", ".", f"({query}) not bones>9"]) == 0
    assert len(read) > len(found)


def test_an_error_points_at_the_character(capsys: Captured) -> None:
    assert main(["find", ".", "狼 bones>many"]) == 2
    assert capsys.readouterr().err.splitlines() == [
        "rigscope: bones takes numbers, such as bones>60 or bones:60..100; bone:many looks for names",
        "  狼 bones>many",
        f"  {' ' * width('狼 bones>')}^",
    ]


@pytest.mark.parametrize("words", [[], ["."], ["bones>60"]])
def test_a_place_and_a_query_are_needed(words: list[str], capsys: Captured) -> None:
    assert main(["find", *words]) == 2
    assert "needs a PLACE" in capsys.readouterr().err


def test_a_path_is_shown_below_its_own_place_only() -> None:
    named = {"/a/b": "b", "/a/bc": "../a/bc/", "/": "/", "/c.pak": "c.pak"}
    paths = ["/a/b/x", "/a/bc/x", "/c.pak::x", "/d/x", "/a/b"]
    assert [shown(path, named) for path in paths] == ["b/x", "../a/bc/x", "c.pak::x", "/d/x", "b"]


def test_an_interruption_is_told_in_one_line(capsys: Captured) -> None:
    def steps() -> object:
        yield IndexProgress(0, 3)
        yield IndexProgress(1, 3)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        follow(steps())  # type: ignore[arg-type]
    assert capsys.readouterr().err == (
        "rigscope: interrupted: 1 of 3 files are indexed; "
        "the same command continues with the remaining files\n"
    )


def test_a_cache_that_cannot_be_made_is_done_without(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(folder / "Post.mdl" / "cache"))
    assert main(["find", "deep", "kind:model", "--jobs", "1"]) == 0
    said = capsys.readouterr()
    assert said.out == "deep/Other.mdl\n"
    lines = [line for line in said.err.splitlines() if not line.startswith("rigscope: file ")]
    assert len(lines) == 1 and "kept in memory" in lines[0]


def test_ratings_are_found_and_printed(capsys: Captured, folder: Path) -> None:
    Ratings().put({str(folder / "Post.mdl"): Mark(4, True), str(folder / "Cut.mdl"): Mark(2)})
    assert main(["find", ".", "rating>3"]) == 0
    assert capsys.readouterr().out.splitlines() == ["./Post.mdl"]
    assert main(["find", ".", "favourite or rating:1..2", "--json"]) == 0
    files = json.loads(capsys.readouterr().out)["files"]
    assert [(each["path"], each["rating"], each["favourite"]) for each in files] == [
        ("./Cut.mdl", 2, False),
        ("./Post.mdl", 4, True),
    ]


def test_damaged_ratings_are_a_line_and_the_search_goes_on(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("RIGSCOPE_DATA", str(tmp_path))
    (tmp_path / "ratings.sqlite").write_bytes(b"no database, and longer than a header " * 50)
    assert main(["find", ".", "*.ani"]) == 0
    told = capsys.readouterr()
    assert told.out == "./deep/Bend.ani\n" and told.err.count("ratings were damaged") == 1
