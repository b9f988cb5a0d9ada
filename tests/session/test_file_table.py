"""The table of listed files: its order, its paths, and what is learnt of files."""

from __future__ import annotations

import pytest

from viewer.scene.files import ANIMATION, UNMARKED, Mark
from viewer.session.file_table import UNKNOWN, FactColumns, FileTable


def table(*names: str, place: str = "/files", package: bool = False) -> FileTable:
    """Files of 0, 1 … bytes in the order in which they are given."""
    count = len(names)
    return FileTable(place, package, names, range(count), range(count), [0] * count)


def test_names_are_in_natural_order_with_the_files_of_a_folder_first() -> None:
    names = ("b/a.mdl", "walk10.mdl", "Walk2.mdl", "a/z.mdl", "Cat00.skin", "Cat.m2", "a/b/c.mdl")
    made = table(*names)
    assert made.names == [
        *("Cat.m2", "Cat00.skin", "Walk2.mdl", "walk10.mdl"),
        *("a/z.mdl", "a/b/c.mdl", "b/a.mdl"),
    ]
    assert [names[size] for size in made.sizes] == made.names


def test_names_without_a_suffix_are_sorted_like_others() -> None:
    assert table("readme", "b.mdl", "LICENSE", ".hidden").names == [".hidden", "b.mdl", "LICENSE", "readme"]


def test_numbers_of_any_length_are_sorted() -> None:
    assert table("2" * 5000, "1" * 5000).names == ["1" * 5000, "2" * 5000]


@pytest.mark.parametrize(("package", "path"), [(False, "/files/a/b.mdl"), (True, "/files::a/b.mdl")])
def test_a_row_has_a_path_and_a_path_a_row(package: bool, path: str) -> None:
    made = table("z.mdl", "a/b.mdl", package=package)
    assert made.path(1) == path and made.row(path) == 1
    assert made.row("/other/a/b.mdl") is None and made.row(path + "x") is None
    assert made.rows_of([path, "gone"]).tolist() == [1]


def test_facts_give_counts_kind_and_errors() -> None:
    made = table("a.mdl", "b.mdl", "c.mdl")
    known = (
        ("/files/a.mdl", "model", {"bones": 3, "triangles": None}, "", "Wolf Howl", b"1"),
        ("/files/b.mdl", "animation", {"bones": 0, "triangles": 0}, "cut", "", b"1"),
    )
    made.learn(
        FactColumns.of(
            made, (*known, ("/elsewhere/c.mdl", "animation", {"bones": 9, "triangles": 9}, "cut", "", b"1"))
        )
    )
    assert made.counts["bones"].tolist() == [3, UNKNOWN, UNKNOWN]
    assert made.counts["triangles"].tolist() == [0, UNKNOWN, UNKNOWN]
    assert made.kind(1) == ANIMATION and made.errors == {1: "cut"} and made.version == 1
    assert made.called == {0: "Wolf Howl"} and made.copies == {0: [0, 1], 1: [0, 1]}
    made.learn(FactColumns.of(made, [("/files/b.mdl", "", {"bones": None, "triangles": None}, "", "", None)]))
    assert made.errors == {} and made.kind(1) == ANIMATION


def test_marks_are_those_of_files_in_the_table() -> None:
    made = table("a.mdl", "b.mdl")
    made.mark({"/files/b.mdl": Mark(3), "/elsewhere/c.mdl": Mark(5)})
    assert made.marks == {1: Mark(3)} and made.version == 1
    assert made.mark_of("/files/b.mdl") == Mark(3) and made.mark_of("/files/a.mdl") == UNMARKED


def test_a_newer_table_remembers_what_is_known_of_unchanged_files() -> None:
    before = table("a.mdl", "b.mdl", "c.mdl")
    rows = [
        (f"/files/{name}.mdl", "animation", {"bones": number}, name, name * 2, None)
        for number, name in enumerate("abc", 1)
    ]
    before.learn(FactColumns.of(before, rows))
    now = table("b.mdl", "new.mdl", "c.mdl")  # b has another size, c the same
    now.remember(before)
    assert now.counts["bones"].tolist() == [UNKNOWN, 3, UNKNOWN] and now.errors == {1: "c"}
    assert now.called == {1: "cc"}
    assert now.kind(1) == ANIMATION
    now.remember(table())
