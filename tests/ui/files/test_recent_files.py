"""The rows of recent files, folders and packages."""

from __future__ import annotations

import os
from typing import Any

import pytest
from imgui_bundle import ImVec2, imgui

from viewer.scene.files import PACKAGE
from viewer.session.pending_files import RecentEntry
from viewer.session.requests import Open
from viewer.ui.files import recent_files as page
from viewer.ui.files.recent_files import folder_and_name, recent_row, shares
from viewer.view.view_info import PanelPicture

PATH = "/there/Beacon.mdl"


@pytest.mark.parametrize(
    ("rows", "files", "folders", "fit"),
    [
        (9, 6, 3, (6, 3)),
        (7, 6, 3, (5, 2)),
        (3, 6, 3, (2, 1)),
        (1, 6, 3, (1, 0)),
        (2, 0, 3, (0, 2)),
        (-1, 1, 1, (0, 0)),
    ],
)
def test_files_and_folders_share_the_rows(rows: int, files: int, folders: int, fit: tuple[int, int]) -> None:
    assert shares(rows, files, folders) == fit


@pytest.mark.skipif(os.name == "nt", reason="other separators")
def test_the_folder_of_a_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    assert folder_and_name("/a/b.mdl") == ("/a", "b.mdl")
    assert folder_and_name("/home/me/a/b.mdl") == ("~/a", "b.mdl")
    assert folder_and_name("/home/menu/b.mdl") == ("/home/menu", "b.mdl")
    assert folder_and_name("/a/Data.pak::Models/Fox.mdl") == ("/a/Data.pak::Models", "Fox.mdl")
    assert folder_and_name("/a/Data.pak::Fox.mdl") == ("/a/Data.pak", "Fox.mdl")
    assert folder_and_name("/") == ("/", "/")


@pytest.fixture
def row(desk: Any) -> Any:
    """A desk with a row of the welcome page."""
    desk.state.interface.preferences.recent = [PATH]
    desk.show(lambda state, post: recent_row(state, post, PATH, ImVec2(300, 40)))
    return desk


def test_a_click_opens_the_file_and_the_row_asks_for_its_facts(row: Any) -> None:
    assert row.state.pending_files.recent_shown
    row.click(150, 20)
    row.frames(2)
    assert row.posted == [Open((PATH,))]


def test_a_missing_file_does_not_open(row: Any) -> None:
    row.state.pending_files.recent[PATH] = RecentEntry(missing=True)
    row.click(150, 20)
    row.frames(2)
    assert row.posted == []


def test_a_picture_takes_the_place_of_the_icon(row: Any, ctx: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = []
    monkeypatch.setattr(page, "_icon", lambda *_: shown.append("icon"))
    row.frames()
    assert shown == ["icon"]
    texture, reference = ctx.texture((4, 4), 4), imgui.ImTextureRef
    monkeypatch.setattr(page.imgui, "ImTextureRef", lambda glo: shown.append(glo) or reference(glo))
    row.state.pending_files.recent[PATH] = RecentEntry(picture=PanelPicture(texture.glo, (4, 4)))
    row.frames()
    assert shown == ["icon", texture.glo]
    texture.release()


@pytest.mark.parametrize(("missing", "color"), [(True, {page.FADED}), (False, {1.0})])
def test_a_missing_file_is_grey(
    row: Any, monkeypatch: pytest.MonkeyPatch, missing: bool, color: set[float]
) -> None:
    used: set[float] = set()
    monkeypatch.setattr(page, "color32", lambda value, opacity=1.0: used.add(opacity) or 0xFFFFFFFF)
    row.state.pending_files.recent[PATH] = RecentEntry(missing=missing)
    row.frames()
    assert used == color


def test_packages_and_folders_have_their_icons(row: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    row.state.pending_files.recent["/a.pak"] = RecentEntry(icon=PACKAGE.icon)
    row.state.interface.preferences.recent_folders = ["/a", "/a.pak"]
    found = []

    def draw(state: Any, post: Any) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(page.imgui, "calc_text_size", lambda text: found.append(text) or ImVec2(8, 8))
            for path in ("/a", "/a.pak", "/a.mdl"):
                page._icon(state, path, ImVec2(0, 0), 20, 1.0)

    row.draw = draw
    row.frames()
    assert found == [page.FOLDER, PACKAGE.icon, page.FILE]
