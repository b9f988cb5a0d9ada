"""What the menus offer beside the actions."""

from __future__ import annotations

from typing import Any

import pytest
from imgui_bundle import imgui

from viewer.actions import ACTIONS, ACTIONS_BY_NAME
from viewer.actions.bindings import active
from viewer.scene.text_filter import TextFilter
from viewer.session.preferences import PRESET_NAMES, Preferences
from viewer.session.requests import Open
from viewer.ui import menu
from viewer.ui.dialogs.key_sheet import KeySheet, blocks
from viewer.ui.menu import MenuBar


def test_lines_stand_above_actions_that_exist() -> None:
    assert {action.name for action in ACTIONS} >= menu.LINES


@pytest.mark.parametrize("clicked", ["/here/Jack.mdl", "/there", "/here/Data.pak"])
def test_recent_files_are_in_the_menu(desk: Any, monkeypatch: pytest.MonkeyPatch, clicked: str) -> None:
    posted: list[Any] = []
    monkeypatch.setattr(menu.imgui, "begin_menu", lambda title: title in ("File", "Open recent"))
    monkeypatch.setattr(menu.imgui, "end_menu", lambda: None)
    monkeypatch.setattr(menu.imgui, "selectable", lambda label, *_: (label.endswith(clicked), False))
    desk.state.interface.preferences.recent = ["/there/Beacon.mdl", "/here/Jack.mdl"]
    desk.state.interface.preferences.recent_folders = ["/there", "/here/Data.pak"]
    desk.draw = lambda state, post: MenuBar()(state, posted.append)
    desk.frames()
    assert posted == [Open((clicked,))]


def test_recent_is_cleared(desk: Any) -> None:
    preferences = desk.state.interface.preferences
    preferences.recent, preferences.recent_folders = ["/a.mdl"], ["/a"]
    clear = ACTIONS_BY_NAME["clear_recent"]
    assert clear.enabled(desk.state)
    clear.run(desk.state, desk.posted.append)
    assert (preferences.recent, preferences.recent_folders) == ([], []) and not clear.enabled(desk.state)


def test_the_file_menu_fits_a_small_window_with_large_letters() -> None:
    """At 150 % a row is 29 points high and a line 7; the window has 720 points, 31 of which the bar takes."""
    inside = [action for action in ACTIONS if action.menu[0] == "File"]
    rows = {action.menu[1] if len(action.menu) > 1 else action.title for action in inside}
    lines = sum(action.name in menu.LINES for action in inside)
    assert len(rows) * 29 + lines * 7 < 720 - 31 - 60


def test_the_edit_menu_names_the_steps(post: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr(menu.imgui, "begin_menu", lambda title: title == "Edit")
    monkeypatch.setattr(menu.imgui, "end_menu", lambda: None)
    monkeypatch.setattr(menu.imgui, "menu_item_simple", lambda title, *_: shown.append(title))
    post.state.undo.watch(1.0)
    post.state.view.hidden.add(0)
    post.state.undo.watch(1.0)
    post.draw = MenuBar()
    post.frames()
    assert shown[:2] == ["Undo: hide geometry", "Redo"]
    post.state.undo.undo()
    shown.clear()
    post.frames()
    assert shown[:2] == ["Undo", "Redo: hide geometry"]
    assert {"Copy image", "Clear selection", "Find an action…"} <= set(shown)


def test_separators_stand_between_the_groups_of_entries(post: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr(menu.imgui, "begin_menu", lambda title: title == "Edit")
    monkeypatch.setattr(menu.imgui, "end_menu", lambda: None)
    monkeypatch.setattr(menu.imgui, "separator", lambda: shown.append("-"))
    monkeypatch.setattr(menu, "action_entry", lambda state, send, action: shown.append(action.name))
    post.show(MenuBar())
    assert shown[: len(shown) // 2] == [
        *("undo", "redo", "-", "copy_picture", "copy_command", "find"),
        *("-", "deselect", "palette", "settings"),
    ]


@pytest.mark.parametrize(
    ("preset", "move"), [("default", "Shift+left, middle drag"), ("blender", "Shift+left, Shift+middle drag")]
)
def test_the_list_of_keys_tells_what_the_mouse_of_the_preset_does(preset: str, move: str) -> None:
    preferences = Preferences(preset=preset)
    (_, rows), *_ = blocks(active(preferences), TextFilter("mouse"), preferences.preset)
    assert (move, "Move") in rows


@pytest.mark.parametrize("preset", PRESET_NAMES)
def test_the_words_for_the_mouse_have_sentence_case(preset: str) -> None:
    (_, rows), *_ = blocks(active(Preferences(preset=preset)), TextFilter("mouse"), preset)
    assert all(text[0].isupper() for text, _ in rows)


@pytest.mark.parametrize("preset", [*PRESET_NAMES, "emacs"])
def test_the_list_of_keys_has_the_title_of_the_preset(post: Any, preset: str) -> None:
    post.state.interface.preferences.preset, post.state.interface.help = preset, True
    post.show(KeySheet())
    window = imgui.internal.find_window_by_id(imgui.internal.im_hash_str("###keys"))
    assert window.name == f"{PRESET_NAMES.get(preset, 'Rigscope keys')}###keys"
