"""The files of a package in the place of the picture: searched, sorted, clipped, opened."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from imgui_bundle import imgui

import tests.wow  # noqa: F401
from tests.families.wow.mpq.test_client import client
from tests.packages import POST, post_files, write_package
from tests.ui.conftest import Desk
from viewer.scene.files import ANIMATION, MODEL
from viewer.scene.items import ByteItem
from viewer.scene.package import BROKEN, GOOD, Package
from viewer.scene.text_filter import TextFilter
from viewer.session.requests import Open
from viewer.storage.documents import open_document
from viewer.ui.files import package_page
from viewer.ui.files.package_files import package_columns, summary
from viewer.ui.files.package_page import PackageList, PackageTable
from viewer.ui.kit import tree_table

TREE = ("Materials", "Post.xml", "Models", "Post.mdl", "Post_Bend.ani", "Textures", "P.png")
"""The rows of the package of `post_files`, all folders open."""


def at(row: int, x: float = 150.0) -> tuple[float, float]:
    """A point of a row."""
    return x, 72.0 + row * (imgui.get_text_line_height() + 2 * imgui.get_style().cell_padding.y)


def file(name: str) -> tuple[float, float]:
    """A point of the row with that name."""
    return at(TREE.index(name))


@pytest.fixture
def package(desk: Desk, tmp_path: Path) -> Package:
    desk.state.documents.opened.clear()
    desk.state.put(open_document(write_package(tmp_path, "ULZ4")))
    desk.state.pending_files.kinds = lambda: {".mdl": MODEL, ".ani": ANIMATION}
    content = desk.state.document.content if desk.state.document else None
    assert isinstance(content, Package)
    return content


def shown_rows(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The rows that are drawn from now on, without icons."""
    drawn: list[str] = []
    plain = tree_table.tree_row

    def note(row: Any, label: str, *more: Any) -> bool:
        drawn.append(label.partition("  ")[2].removesuffix("###row"))
        return plain(row, label, *more)

    monkeypatch.setattr(tree_table, "tree_row", note)
    return drawn


def names(package: Package, numbers: np.ndarray) -> list[str]:
    return [package.names[number].rpartition("/")[2] for number in numbers.tolist()]


def rows(package: Package, wanted: str = "", order: tuple[str, bool] | None = None) -> np.ndarray:
    """The indices of the files that the page lists."""
    page = PackageTable("a.pak", package)
    page.table.filter, page.table.order = TextFilter(wanted), order
    return page.found()[0]


def test_rows_are_filtered_without_regard_to_case(package: Package) -> None:
    assert names(package, rows(package, "POST")) == ["Post.mdl", "Post_Bend.ani", "Post.xml"]
    assert names(package, rows(package, "models/")) == ["Post.mdl", "Post_Bend.ani"]
    assert names(package, rows(package, "bend model")) == ["Post_Bend.ani"], "all words, in any order"
    assert len(rows(package, "nothing", ("size", True))) == 0


@pytest.mark.parametrize("column", ["name", "size", "packed", "ratio", "checksum", "state"])
@pytest.mark.parametrize("down", [False, True])
def test_rows_are_sorted_by_any_column(package: Package, column: str, down: bool) -> None:
    package.verdicts[:] = (GOOD, BROKEN, 0, GOOD)
    values = {
        "name": [name.casefold() for name in package.names],
        "size": package.sizes.tolist(),
        "packed": package.packed.tolist(),
        "ratio": (package.packed / package.sizes).tolist(),
        "checksum": package.checksums.tolist(),
        "state": package.verdicts.tolist(),
    }[column]
    shown = [values[number] for number in rows(package, "", (column, down)).tolist()]
    assert shown == sorted(values, reverse=down)


def test_the_order_by_state_follows_the_checks(
    desk: Desk, package: Package, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = shown_rows(monkeypatch)
    made = PackageList()
    desk.show(made)
    made._table.value.table.order = ("state", True)
    desk.frames()
    package.verdicts[2] = BROKEN
    drawn.clear()
    desk.frames()
    assert drawn == [package.names[number] for number in (2, 0, 1, 3)]


def test_a_double_click_opens_the_file_inside(desk: Desk, package: Package) -> None:
    desk.show(PackageList())
    desk.click(*file("Post.mdl"))
    assert desk.posted == []
    desk.click(*file("Post.mdl"))
    assert desk.posted == [Open((f"{desk.state.documents.opened[0].path}::{POST}",))]


def test_a_click_selects_the_bytes_of_the_file(desk: Desk, package: Package) -> None:
    desk.show(PackageList())
    desk.click(*file("Post.mdl"))
    assert desk.state.view.selection.picked == ByteItem(int(package.offsets[0]))


def test_enter_opens_the_line_of_the_keyboard(desk: Desk, package: Package) -> None:
    desk.show(PackageList())
    desk.click(*file("Post.mdl"))
    desk.frames(2)
    desk.key("DOWN")
    desk.key("ENTER")
    assert desk.posted == [Open((f"{desk.state.documents.opened[0].path}::{post_files()[1][0]}",))]


def test_a_click_on_a_header_sorts(desk: Desk, package: Package) -> None:
    made = PackageList()
    desk.show(made)
    desk.click(250.0, 50.0)
    desk.frames(2)
    desk.click(*at(0))
    smallest, largest = int(package.sizes.argmin()), int(package.sizes.argmax())
    picked = desk.state.view.selection.picked
    assert picked in (ByteItem(int(package.offsets[smallest])), ByteItem(int(package.offsets[largest])))


def test_of_many_files_only_those_in_sight_are_drawn(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [(f"file{number:05}.mdl", b"") for number in range(20_000)]
    desk.state.documents.opened.clear()
    desk.state.put(open_document(write_package(tmp_path, files=files)))
    drawn = shown_rows(monkeypatch)
    desk.show(PackageList())
    drawn.clear()
    desk.frames(1)
    assert 0 < len(drawn) < 40 and all(name.startswith("file") for name in drawn)


def written(monkeypatch: pytest.MonkeyPatch, function: str) -> list[str]:
    """The texts that the page hands to one of its functions from now on."""
    texts: list[str] = []
    draw = getattr(package_page, function)
    monkeypatch.setattr(package_page, function, lambda text, *more: (texts.append(text), draw(text, *more)))
    return texts


def test_an_empty_package_says_so(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.state.documents.opened.clear()
    desk.state.put(open_document(write_package(tmp_path, files=[])))
    texts = written(monkeypatch, "nothing")
    desk.show(PackageList())
    assert set(texts) == {"The package has no files."}


def test_names_that_do_not_print_are_written_out(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.state.documents.opened.clear()
    desk.state.put(open_document(write_package(tmp_path, files=[("a\x1b\n", b"x"), ("%s%n", b"y")])))
    drawn = shown_rows(monkeypatch)
    desk.show(PackageList())
    assert {"a\\x1b\\n", "%s%n"} <= set(drawn)


def test_folders_hold_counts_and_sums(desk: Desk, package: Package, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = shown_rows(monkeypatch)
    desk.show(PackageList())
    assert drawn[-7:] == ["Materials   1", "Post.xml", "Models   2", *TREE[3:5], "Textures   1", "P.png"]


def test_a_folder_folds_by_its_arrow_double_click_and_keys(
    desk: Desk, package: Package, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = shown_rows(monkeypatch)
    desk.show(PackageList())

    def folded() -> bool:
        drawn.clear()
        desk.frames()
        return "Post.mdl" not in drawn

    desk.click(8, file("Models")[1])
    assert folded()
    desk.click(*file("Models"))
    desk.frames(40)
    desk.key("RIGHT")
    assert not folded()
    desk.key("LEFT")
    assert folded()
    desk.key("ENTER")
    assert not folded() and desk.posted == []
    desk.key("DOWN")
    desk.key("LEFT")
    desk.key("LEFT")
    assert folded(), "Left goes to the folder, and closes it"


def test_the_filter_finds_files_in_folded_folders(
    desk: Desk, package: Package, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = shown_rows(monkeypatch)
    made = PackageList()
    desk.show(made)
    desk.click(8, file("Models")[1])
    made._table.value.table.filter = TextFilter("bend")
    drawn.clear()
    desk.frames()
    assert drawn == ["Models   1", "Post_Bend.ani"]
    made._table.value.table.filter = TextFilter()
    drawn.clear()
    desk.frames()
    assert "Post_Bend.ani" not in drawn, "the folder is folded as before"


def test_sorted_by_size_the_files_are_one_list_with_whole_names(
    desk: Desk, package: Package, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = shown_rows(monkeypatch)
    made = PackageList()
    desk.show(made)
    made._table.value.table.order = ("size", True)
    drawn.clear()
    desk.frames()
    assert drawn == [package.names[number] for number in np.argsort(-package.sizes).tolist()]


def test_a_long_name_is_cut_in_the_middle_and_whole_in_the_tooltip(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "Textures/" + "a very long name of a picture that has no room " * 3 + "end.png"
    desk.state.documents.opened.clear()
    desk.state.put(open_document(write_package(tmp_path, files=[(name, b"x")])))
    drawn = shown_rows(monkeypatch)
    told: list[str] = []
    monkeypatch.setattr(package_page, "hint", lambda text: told.append(text()))
    desk.show(PackageList())
    assert "…" in drawn[-1] and drawn[-1].startswith("a ") and drawn[-1].endswith(".png")
    assert name in told[-1]


def test_the_menu_copies_names_and_opens(
    desk: Desk, package: Package, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries: list[str] = []
    copied: list[str] = []
    desk.host.clipboard(lambda: "", copied.append)
    desk.show(PackageList())
    drawn = imgui.menu_item_simple
    monkeypatch.setattr(imgui, "menu_item_simple", lambda title: (entries.append(title), drawn(title))[1])
    desk.click(*file("Post.mdl"), "right")
    desk.frames(2)
    assert entries[:3] == ["Open", "Copy name", "Copy path"]
    x, y = file("Post.mdl")
    desk.click(
        x + 30, y + imgui.get_style().window_padding.y + 1.5 * imgui.get_text_line_height_with_spacing()
    )
    assert copied == [POST]


def test_the_page_of_a_game_has_the_archive_of_each_file(desk: Desk, tmp_path: Path) -> None:
    both, lone = ("a.txt", b"one"), ("b.txt", b"four")
    game = client(tmp_path, {"model": [both, lone], "patch": [both]})
    desk.state.documents.opened.clear()
    desk.state.put(open_document(game))
    desk.show(PackageList())
    assert desk.state.document is not None and isinstance(desk.state.document.content, Package)
    package = desk.state.document.content
    archive = next(column for column in package_columns(package) if column.name == "archive")
    assert [archive.text(row) for row in (0, 1)] == ["patch.MPQ, hides 1", "model.MPQ"]
    assert rows(package, "", ("archive", True)).tolist() == [1, 0]
    assert summary(package, 2) == "2 files, 7 B"
    desk.click(*at(0))
    desk.click(*at(0))
    assert desk.posted == [Open((f"{game}::a.txt",))]
