"""What the window offers before anything is open."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from imgui_bundle import ImVec2, imgui

from viewer.session.requests import Open
from viewer.ui.view import view_panel
from viewer.ui.view import welcome as page
from viewer.ui.view.view_panel import ViewPanel


@pytest.mark.parametrize(
    ("label", "opened"),
    [
        ("Open…", ""),
        ("###recent /here/Jack.mdl", "/here/Jack.mdl"),
        ("Puff", "Puff.m2"),
        ("###recent /m", "/m"),
    ],
)
def test_what_is_clicked_opens(desk: Any, monkeypatch: pytest.MonkeyPatch, label: str, opened: str) -> None:
    monkeypatch.setattr(page.imgui, "button", lambda text: text.startswith(label))
    monkeypatch.setattr(page.imgui, "selectable", lambda text, *_: (text.startswith(label), False))
    desk.state.interface.preferences.recent = ["/there/Beacon.mdl", "/here/Jack.mdl"]
    desk.state.interface.preferences.recent_folders = ["/m"]
    desk.show(ViewPanel())
    assert "".join(desk.posted[0].paths).endswith(opened)
    assert bool(desk.posted[0].paths) is bool(opened)


def test_the_samples_are_there(desk: Any) -> None:
    for sample in page.SAMPLES:
        sample.run(desk.state, desk.posted.append)
    assert len(desk.posted) == 3
    assert all(Path(request.paths[0]).is_file() for request in desk.posted)


def test_a_click_with_the_mouse_asks_for_a_file(desk: Any) -> None:
    desk.show(ViewPanel())
    width, height = imgui.get_io().display_size
    for y in range(0, int(height), 6):
        desk.click(width / 2 - 130, y)
        if desk.posted:
            break
    assert desk.posted[0] == Open()


def test_keys_are_those_in_use(desk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(page.imgui, "text_link", lambda text: said.append(text) or text.startswith("F1"))
    desk.state.interface.preferences.preset = "blender"
    desk.show(ViewPanel())
    assert said[-3:] == ["F1 read the manual", "? show all keys", "F3 find an action"]
    assert desk.state.interface.manual == "start#the-first-minute", "they are links"


def test_a_low_picture_leaves_files_out(desk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    listed: list[str] = []
    monkeypatch.setattr(page, "recent_row", lambda state, post, path, size: listed.append(path))
    desk.state.interface.preferences.recent = [f"/here/{number}.mdl" for number in range(9)]
    desk.state.interface.preferences.recent_folders = ["/here", "/there"]
    desk.show(lambda state, post: page.welcome(state, post, ImVec2(0, 0), ImVec2(400, 180)))
    few = len(set(listed))
    listed.clear()
    desk.show(lambda state, post: page.welcome(state, post, ImVec2(0, 0), ImVec2(400, 600)))
    assert few < len(set(listed)) == page.RECENT_FILES + 2


def test_all_that_could_not_be_opened_is_told(desk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(view_panel, "_notice", lambda low, high, text, *more: said.append(text))
    for number in range(6):
        desk.state.say(f"{number}.mdl: is empty", "error")
    desk.show(ViewPanel())
    assert said[-1].splitlines() == [f"{number}.mdl: is empty" for number in (2, 3, 4, 5)]


@pytest.mark.parametrize("height", [300.0, 600.0])
def test_the_card_is_in_the_middle_of_the_picture(desk: Any, height: float) -> None:
    desk.state.interface.preferences.recent = ["/here/1.mdl", "/here/2.mdl"]
    desk.state.interface.preferences.recent_folders = ["/here"]
    found: list[tuple[ImVec2, ImVec2]] = []

    def draw(state: Any, post: Any) -> None:
        page.welcome(state, post, ImVec2(0, 0), ImVec2(600, height))
        found.append((imgui.get_item_rect_min(), imgui.get_item_rect_max()))

    desk.show(draw)
    low, high = found[-1]
    assert low.x == pytest.approx(600 - high.x, abs=2)
    assert low.y == pytest.approx(height - high.y, abs=imgui.get_text_line_height() / 2)
