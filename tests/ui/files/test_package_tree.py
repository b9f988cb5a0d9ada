"""The tree of a package's files."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
import pytest
from msgspec.structs import replace

from viewer.scene.package import BROKEN, GOOD, UNCHECKED, GameSource, Package
from viewer.ui.files.folder_tree import LEVELS, MANY
from viewer.ui.files.package_files import (
    PackageFolder,
    PackageNode,
    details,
    label,
    package_columns,
    package_tree,
)
from viewer.ui.kit.tree_rows import Branch, flat


def package(*names: str) -> Package:
    """A package of files of 10, 20 … bytes."""
    count = len(names)
    sizes = 10 * np.arange(1, count + 1)
    return Package(
        names,
        np.arange(count),
        sizes,
        sizes // 2,
        np.zeros(count, np.uint32),
        True,
        0,
        lambda: True,
        0,
        lambda number: iter(()),
        lambda data, start: 0,
        lambda number: (GOOD, None),
        np.zeros(count, np.uint8),
    )


def rows(made: Package, tree: Branch[PackageNode]) -> list[tuple[int, str]]:
    """The visible rows with their depths."""
    return [(row.depth, label(made, row.node, row.depth)) for row in tree.rows(0, len(tree))]


def everything(made: Package) -> Sequence[int]:
    return range(len(made))


def test_folders_come_first_by_name_and_files_in_their_order() -> None:
    made = package("b.txt", "Z/b.mdl", "a.txt", "m/x/1.ani", "Z/a.mdl")
    assert rows(made, package_tree(made, everything(made))) == [
        (0, "m   1"),
        (1, "x   1"),
        (2, "1.ani"),
        (0, "Z   2"),
        (1, "b.mdl"),
        (1, "a.mdl"),
        (0, "b.txt"),
        (0, "a.txt"),
    ]


def test_folders_can_be_listed_from_z_to_a() -> None:
    made = package("a/1", "b/2")
    assert [name for _, name in rows(made, package_tree(made, (1, 0), reverse=True))][::2] == [
        "b   1",
        "a   1",
    ]


def test_a_folder_sums_its_files_and_shows_the_worst_verdict() -> None:
    made = package("a/1", "a/b/2", "c")
    folder = package_tree(made, everything(made)).nodes[0]
    assert isinstance(folder, PackageFolder)
    assert folder.totals == (30, 15) and len(folder) == 2
    assert folder.verdict == UNCHECKED
    made.verdicts[:] = (GOOD, UNCHECKED, BROKEN)
    assert folder.verdict == UNCHECKED, "one of them is not checked yet"
    made.verdicts[1] = GOOD
    assert folder.verdict == GOOD
    made.verdicts[0] = BROKEN
    assert folder.verdict == BROKEN
    told = [column.text(folder) for column in package_columns(made)[1:]]
    assert told == ["30 B", "15 B", "50%", "", "broken", ""]
    assert details(made, folder) == "a/\n2 files, 30 bytes; 15 bytes in the package"


def test_the_details_of_a_file_of_a_game_name_its_archives() -> None:
    sources = GameSource("/b.mpq", "b.mpq"), GameSource("/a.mpq", "a.mpq")
    made = replace(package("c"), sources=sources[::-1], providers=lambda number: sources)
    assert details(made, 0) == "c\n10 bytes\nFrom b.mpq; hides the file in a.mpq"


def test_many_files_begin_with_closed_folders_unless_asked() -> None:
    names = [f"Data/{number % 3}/{number}" for number in range(MANY + 1)]
    made = package(*names)
    assert rows(made, package_tree(made, everything(made))) == [
        (0, "Data   201"),
        *((1, f"{number}   67") for number in range(3)),
    ], "only the one folder is open"
    assert len(package_tree(made, everything(made), opened=True)) == MANY + 5


@pytest.mark.parametrize("name", ["/", "//a", "a//b", "a/", "", "\x1b/\n"])
def test_odd_names_have_rows(name: str) -> None:
    made = package(name)
    found = rows(made, package_tree(made, everything(made)))
    assert len(found) == name.count("/") + 1
    assert all(text.isprintable() for _, text in found)


def test_deep_names_keep_the_rest_of_their_path() -> None:
    made = package("a/" * 20_000 + "end")
    found = rows(made, package_tree(made, everything(made)))
    assert len(found) == LEVELS + 1
    assert found[-1][1].endswith("a/a/end")


def test_folders_are_divided_when_they_are_opened() -> None:
    made = package(*(f"top/{number}/x" for number in range(100_000)))
    started = time.thread_time()
    tree = package_tree(made, range(100))
    assert time.thread_time() - started < 1.0 and len(tree) == 201
    closed = package_tree(made, everything(made))
    assert isinstance(closed.nodes[0], PackageFolder)
    assert len(closed) == 1 + 100_000


def test_a_list_is_flat() -> None:
    made = package("a/1", "b/2")
    assert [label(made, row.node, 0) for row in flat((1, 0)).rows(0, 2)] == ["b/2", "a/1"]
