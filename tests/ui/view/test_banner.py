"""The band over the picture of a file that was cut off."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from imgui_bundle import imgui

from tests.desktop import Desktop
from tests.labels import drawn_labels
from tests.synthetic import model_bytes
from viewer.app.open_files import hot_reload
from viewer.scene.items import ByteItem
from viewer.scene.names import path_key
from viewer.session.pending_files import CHANGED, GONE
from viewer.storage.documents import open_document
from viewer.ui.item_menu import CHANGE
from viewer.ui.problems.problems_panel import ProblemsPanel
from viewer.ui.view import banner


@pytest.fixture
def cut(ctx: Any, tmp_path: Path) -> Iterator[Desktop]:
    """The little post without its last third."""
    path = tmp_path / "Cut.mdl"
    data = model_bytes()
    path.write_bytes(data[: len(data) * 2 // 3])
    desktop = Desktop(ctx, path)
    yield desktop
    desktop.close()


def push(desktop: Desktop, label: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Click the button of the band that is called so, where it is."""
    places: list[tuple[float, float]] = []
    button = imgui.button

    def note(text: str, *more: Any) -> bool:
        clicked = button(text, *more)
        if text == label:
            low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
            places.append(((low.x + high.x) / 2, (low.y + high.y) / 2))
        return bool(clicked)

    monkeypatch.setattr(banner.imgui, "button", note)
    desktop.frames(1)
    monkeypatch.undo()
    desktop.click(*places[0])
    desktop.frames(4)


def test_show_bytes_leads_to_where_it_ends(cut: Desktop, monkeypatch: pytest.MonkeyPatch) -> None:
    error = open_document(cut.state.documents.opened[0].path).report.errors[0]
    push(cut, "Show bytes", monkeypatch)
    assert cut.state.view.selection.picked == ByteItem(error.offset)
    assert cut.app._workspace.panel("chunks") is not None, "the panel came to the front"


def test_put_away_it_leaves_its_room_to_the_picture(cut: Desktop, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = cut.app._workspace
    before = workspace.picture(cut.state, (1280, 800))
    push(cut, banner.CROSS, monkeypatch)
    after = workspace.picture(cut.state, (1280, 800))
    assert after.y < before.y and after.height > before.height


def test_problems_come_to_the_front(cut: Desktop, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[object] = []
    monkeypatch.setattr(ProblemsPanel, "__call__", lambda panel, state, post: drawn.append(panel))
    cut.frames(2)
    assert not drawn
    with monkeypatch.context() as hand:
        push(cut, "Problems", hand)
    assert drawn


def test_a_file_that_changed_offers_to_reload(
    ctx: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "Post.mdl"
    path.write_bytes(model_bytes())
    desktop = Desktop(ctx, path)
    shown, pending = desktop.state.document, desktop.state.pending_files
    tabs: list[str] = []
    tab = imgui.begin_tab_item
    monkeypatch.setattr(imgui, "begin_tab_item", lambda text, *more: tabs.append(text) or tab(text, *more))
    pending.changed = {path_key(str(path)): CHANGED}
    desktop.frames(2)
    assert f"Post.mdl {CHANGED}" in drawn_labels(desktop)
    assert tabs[-1] == f"{CHANGE}  Post.mdl###0"
    push(desktop, "Reload", monkeypatch)
    desktop.settle()
    assert desktop.state.document is not shown and not pending.changed
    assert f"Post.mdl {CHANGED}" not in drawn_labels(desktop)
    desktop.close()


def test_a_file_that_vanished_offers_no_reload_until_it_is_back(
    ctx: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hot_reload, "PAUSE", 0.2)
    path = tmp_path / "Post.mdl"
    path.write_bytes(model_bytes())
    desktop = Desktop(ctx, path)
    shown = desktop.state.document

    def wait(label: str) -> dict[str, tuple[float, float]]:
        end = time.monotonic() + 30
        while label not in (labels := drawn_labels(desktop)):
            assert time.monotonic() < end
            time.sleep(0.05)
        return labels

    try:
        path.rename(tmp_path / "away")
        assert "Reload" not in wait(f"Post.mdl {GONE}")
        desktop.press("F5")
        desktop.click(*drawn_labels(desktop)["File"])
        desktop.frames(3)
        desktop.click(*drawn_labels(desktop)["Reload"])
        desktop.settle()
        assert desktop.state.document is shown and desktop.state.messages == []
        desktop.press("Escape")
        path.write_bytes(model_bytes() + b" ")
        assert "Reload" in wait(f"Post.mdl {CHANGED}")
        desktop.press("F5")
        desktop.settle()
        assert desktop.state.document is not shown
    finally:
        desktop.close()
