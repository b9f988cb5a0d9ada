"""The files of a package in the place of the picture: searched, sorted, clipped, opened."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from imgui_bundle import imgui

from tests.packages import POST, post_files, write_package
from tests.ui.conftest import Desk
from viewer.formats import open_document
from viewer.scene.items import ByteItem
from viewer.scene.package import BROKEN, GOOD, Package
from viewer.session.requests import Open
from viewer.ui.panels import package_page
from viewer.ui.panels.package_page import PackageList
from viewer.ui.panels.package_rows import CHECKSUM, NAME, PACKED, RATIO, SIZE, STATE, PackageRows

FIRST = (150.0, 72.0)
"""A point of the first row."""


@pytest.fixture
def package(desk: Desk, tmp_path: Path) -> Package:
    desk.state.documents.clear()
    desk.state.put(open_document(write_package(tmp_path, "ULZ4")))
    desk.state.pending_files.suffixes = lambda: (".mdl", ".ani")
    content = desk.state.document.content if desk.state.document else None
    assert isinstance(content, Package)
    return content


def names(package: Package, numbers: np.ndarray) -> list[str]:
    return [package.names[number].rpartition("/")[2] for number in numbers.tolist()]


def test_rows_are_filtered_without_regard_to_case(package: Package) -> None:
    rows = PackageRows(package)
    assert names(package, rows.rows("POST", None, False)) == ["Post.mdl", "Post_Bend.ani", "Post.xml"]
    assert names(package, rows.rows("models/", None, False)) == ["Post.mdl", "Post_Bend.ani"]
    assert len(rows.rows("nothing", SIZE, True)) == 0


@pytest.mark.parametrize("column", [NAME, SIZE, PACKED, RATIO, CHECKSUM, STATE])
@pytest.mark.parametrize("down", [False, True])
def test_rows_are_sorted_by_any_column(package: Package, column: int, down: bool) -> None:
    package.verdicts[:] = (GOOD, BROKEN, 0, GOOD)
    values = {
        NAME: [name.casefold() for name in package.names],
        SIZE: package.sizes.tolist(),
        PACKED: package.packed.tolist(),
        RATIO: (package.packed / package.sizes).tolist(),
        CHECKSUM: package.checksums.tolist(),
        STATE: package.verdicts.tolist(),
    }[column]
    shown = [values[number] for number in PackageRows(package).rows("", column, down).tolist()]
    assert shown == sorted(values, reverse=down)


def test_the_order_by_state_follows_the_checks(package: Package) -> None:
    rows = PackageRows(package)
    assert rows.rows("", STATE, True).tolist() == [0, 1, 2, 3]
    package.verdicts[2] = BROKEN
    assert rows.rows("", STATE, True).tolist() == [2, 0, 1, 3]


def test_a_double_click_opens_the_file_inside(desk: Desk, package: Package) -> None:
    desk.show(PackageList())
    desk.click(*FIRST)
    assert desk.posted == []
    desk.click(*FIRST)
    assert desk.posted == [Open((f"{desk.state.documents[0].path}::{POST}",))]


def test_a_click_selects_the_bytes_of_the_file(desk: Desk, package: Package) -> None:
    desk.show(PackageList())
    desk.click(*FIRST)
    assert desk.state.selection.picked == ByteItem(int(package.offsets[0]))


def test_enter_opens_the_line_of_the_keyboard(desk: Desk, package: Package) -> None:
    desk.show(PackageList())
    desk.click(*FIRST)
    desk.key("DOWN")
    desk.key("ENTER")
    assert desk.posted == [Open((f"{desk.state.documents[0].path}::{post_files()[1][0]}",))]


def test_a_click_on_a_header_sorts(desk: Desk, package: Package) -> None:
    made = PackageList()
    desk.show(made)
    desk.click(250.0, 50.0)
    desk.frames(2)
    desk.click(*FIRST)
    smallest, largest = int(package.sizes.argmin()), int(package.sizes.argmax())
    picked = desk.state.selection.picked
    assert picked in (ByteItem(int(package.offsets[smallest])), ByteItem(int(package.offsets[largest])))


def test_of_many_files_only_those_in_sight_are_drawn(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [(f"file{number:05}.mdl", b"") for number in range(20_000)]
    desk.state.documents.clear()
    desk.state.put(open_document(write_package(tmp_path, files=files)))
    drawn: list[str] = []
    plain = imgui.text_unformatted
    monkeypatch.setattr(imgui, "text_unformatted", lambda text: (drawn.append(text), plain(text)))
    desk.show(PackageList())
    drawn.clear()
    desk.frames(1)
    assert 0 < sum(text.startswith("file") for text in drawn) < 40


def written(monkeypatch: pytest.MonkeyPatch, function: str) -> list[str]:
    """The texts that the page hands to one of its functions from now on."""
    texts: list[str] = []
    draw = getattr(package_page, function)
    monkeypatch.setattr(package_page, function, lambda text, *more: (texts.append(text), draw(text, *more)))
    return texts


def test_an_empty_package_says_so(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.state.documents.clear()
    desk.state.put(open_document(write_package(tmp_path, files=[])))
    texts = written(monkeypatch, "nothing")
    desk.show(PackageList())
    assert set(texts) == {"The package holds no files."}


def test_names_that_do_not_print_are_written_out(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.state.documents.clear()
    desk.state.put(open_document(write_package(tmp_path, files=[("a\x1b\n", b"x"), ("%s%n", b"y")])))
    texts = written(monkeypatch, "colored")
    desk.show(PackageList())
    assert {"a\\x1b\\n", "%s%n"} <= set(texts)
