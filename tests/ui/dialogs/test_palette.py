"""Every action can be reached: from the menus, from the palette, and by its keys; and it runs once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import force_setattr

from tests.desktop import MASKS, NAMES
from tests.labels import drawn_labels
from tests.synthetic import write_pair
from viewer.actions import ACTIONS, Action
from viewer.actions.action import REASONS, always
from viewer.scene.items import GeometryItem
from viewer.scene.text_filter import TextFilter
from viewer.session.requests import Open
from viewer.session.state import State
from viewer.storage.documents import open_document
from viewer.ui import menu
from viewer.ui.dialogs.key_sheet import KeySheet, blocks
from viewer.ui.dialogs.palette import CommandPalette, ranked
from viewer.ui.kit.shortcuts import chords, run_shortcuts
from viewer.ui.menu import MenuBar
from viewer.window.window import SETTLE_FRAMES

BOUND = [action for action in ACTIONS if action.keys]


@contextmanager
def watched(ran: list[str]) -> Iterator[None]:
    """While this lasts every action is enabled, and says that it ran instead of doing anything."""
    before = {action.name: (action.run, action.enabled) for action in ACTIONS}

    def note(name: str) -> Callable[[State, Any], None]:
        return lambda state, post: ran.append(name)

    for action in ACTIONS:
        force_setattr(action, "run", note(action.name))
        force_setattr(action, "enabled", lambda state: True)
    try:
        yield
    finally:
        for action in ACTIONS:
            force_setattr(action, "run", before[action.name][0])
            force_setattr(action, "enabled", before[action.name][1])


def test_each_key_runs_its_action_once(desk: Any) -> None:
    ran: list[str] = []
    with watched(ran):
        desk.show(run_shortcuts)
        for text in (text for action in BOUND for text in action.keys):
            chord = chords(text)[0]
            held = frozenset(word for mask, word in MASKS.items() if chord & mask)
            name = NAMES[chord & ~sum(MASKS)]
            desk.host.input.key(name, True, held)
            desk.frames(2)
            desk.host.input.key(name, False)
            desk.frames()
    assert ran == [action.name for action in BOUND for _ in action.keys]


def test_each_action_has_one_entry_in_the_menus(desk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """All menus are taken for open, and every entry is clicked."""
    ran: list[str] = []
    shown: list[tuple[str, str]] = []
    titles = {action.title for action in ACTIONS}

    def click(title: str, key: str = "", checked: bool = False, enabled: bool = True) -> bool:
        if title in titles:
            shown.append((title, key))
        return enabled and title in titles

    monkeypatch.setattr(menu.imgui, "begin_menu", lambda title, *_: True)
    monkeypatch.setattr(menu.imgui, "end_menu", lambda: None)
    monkeypatch.setattr(menu.imgui, "menu_item_simple", click)
    with watched(ran):
        desk.draw = MenuBar()
        desk.frames()
    assert sorted(ran) == sorted(action.name for action in ACTIONS)
    keys = {action.title: action.keys[0] for action in BOUND}
    assert all(key == keys.get(title, "") for title, key in shown if title in keys)


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.name)
def test_the_palette_finds_each_action_by_its_name(action: Action) -> None:
    assert action in [found for found in ranked(action.title) if found.title == action.title]
    assert ranked(f"{' '.join(action.menu)} {action.title}")[0] is action


def test_the_palette_runs_each_action(desk: Any) -> None:
    with watched(ran := []):
        for action in ACTIONS:
            palette(desk, f"{' '.join(action.menu)} {action.title}")
            desk.key("ENTER")
            assert not desk.state.interface.palette
    assert ran == [action.name for action in ACTIONS]


def palette(desk: Any, text: str) -> None:
    desk.draw = desk.draw if isinstance(desk.draw, CommandPalette) else CommandPalette()
    desk.state.interface.palette = True
    desk.frames(2)
    desk.host.input.text(text)
    desk.frames(2)


def test_the_palette_takes_capitals_that_come_faster_than_frames(desk: Any) -> None:
    with watched(ran := []):
        palette(desk, "")
        shift, key = frozenset({"Shift"}), desk.host.input.key
        for letter in "Record loop as GIF":
            if letter.isupper():
                key("LSHIFT", True)
            held = shift if letter.isupper() else frozenset()
            name = letter.upper().replace(" ", "SPACE")
            key(name, True, held)
            desk.host.input.text(letter)
            key(name, False, held)
            if letter.isupper():
                key("LSHIFT", False, shift)
        key("ENTER", True)
        key("ENTER", False)
        desk.frames(SETTLE_FRAMES)
    assert ran == ["record_gif"]


def test_the_palette_goes_down_its_list(desk: Any) -> None:
    with watched(ran := []):
        palette(desk, "panel")
        desk.key("DOWN")
        desk.key("DOWN")
        desk.key("UP")
        desk.key("ENTER")
    assert ran == [ranked("panel")[1].name]


def test_the_palette_does_not_run_what_is_not_enabled(desk: Any) -> None:
    palette(desk, "view skeleton")
    desk.key("ENTER")
    assert not desk.state.options.skeleton and desk.state.interface.palette


def test_the_user_types_on_after_enter_on_what_is_not_enabled(desk: Any) -> None:
    palette = CommandPalette()
    desk.show(palette)
    desk.state.interface.palette = True
    desk.frames(3)
    desk.host.input.text("fit to view")
    desk.frames(3)
    desk.key("ENTER")
    desk.frames(3)
    desk.host.input.text("s")
    desk.frames(3)
    assert palette._text == "fit to views"


def test_keys_rest_while_the_palette_is_open(post: Any) -> None:
    post.show(run_shortcuts)
    post.state.interface.palette = True
    post.key("W")
    assert not post.state.options.wireframe
    post.key("P", "Ctrl")
    assert not post.state.interface.palette


def test_letters_between_are_found_last() -> None:
    assert "wireframe" in [action.name for action in ranked("wrfrm")]
    assert ranked("wire")[0].name == "wireframe"
    assert ranked("zzzz") == ()


def test_the_list_of_keys_has_every_key() -> None:
    keys = {action.name: action.keys for action in ACTIONS}
    told = "  ".join(text for _, rows in blocks(keys, TextFilter("")) for text, _ in rows)
    assert all(key in told for action in BOUND for key in action.keys)


def test_the_list_of_keys_is_searched_by_key_and_name() -> None:
    keys = {action.name: action.keys for action in ACTIONS}
    assert ("W", "Wireframe") in [row for _, rows in blocks(keys, TextFilter("wirefr")) for row in rows]
    assert ("Ctrl+Q", "Quit") in [row for _, rows in blocks(keys, TextFilter("ctrl+q")) for row in rows]
    assert blocks(keys, TextFilter("nothing of the kind")) == []


def test_the_palette_opens_files_that_were_open_lately(desk: Any) -> None:
    desk.state.interface.preferences.recent = ["/models/Fox.mdl", "C:\\new\\Fox.mesh"]
    palette(desk, "fox mesh")
    desk.key("ENTER")
    assert desk.posted == [Open(("C:\\new\\Fox.mesh",))]


@pytest.mark.parametrize(
    ("text", "name"), [("wheel invert", "wheel_reversed"), ("interface scale", "scale"), ("hotkeys", "keys")]
)
def test_the_palette_finds_a_setting_by_its_words_and_opens_its_row(desk: Any, text: str, name: str) -> None:
    palette(desk, text)
    desk.key("ENTER")
    assert desk.state.interface.settings == name and not desk.state.interface.palette


def test_the_list_of_keys_leads_to_the_settings_of_keys(desk: Any) -> None:
    desk.state.interface.help = True
    desk.show(KeySheet())
    desk.frames(2)
    desk.click(*drawn_labels(desk)["Change keys…"])
    desk.frames(2)
    assert desk.state.interface.settings == "keys" and not desk.state.interface.help


def test_an_action_comes_before_a_page_of_the_same_name() -> None:
    assert ranked("export")[0].name == "export"


def test_compare_starts_a_comparison_and_reads_no_page(desk: Any, tmp_path: Path) -> None:
    for folder in (tmp_path / "old", tmp_path / "new"):
        folder.mkdir()
        desk.state.put(open_document(write_pair(folder)))
    found = [action for action in ranked("compare") if action.enabled(desk.state)]
    assert found[0].name == "compare_slider" and found[-1].menu == ("Manual",)
    assert "compare_off" not in [action.name for action in found]
    palette(desk, "compare")
    desk.key("ENTER")
    desk.frames(2)
    assert desk.state.documents.compared is not None and not desk.state.interface.manual


def test_clips_are_found_and_played(post: Any) -> None:
    found = ranked("bend", (), ("Walk", "Bend"))
    assert found[0].title == "Bend" and found[0].menu == ("Play",)
    post.state.playback.choose(None)
    (clip,) = (each for each in ranked("bend", (), ("Bend",)) if each.name == "clip_0")
    clip.run(post.state, post.posted.append)
    assert [each.animation.name for each in post.state.view.playlist] == ["Bend"]


def test_files_do_not_match_by_scattered_letters() -> None:
    assert not any(each.name.startswith("recent") for each in ranked("death", ("/d/e/a/t/h/robot.mesh",)))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("screenshot", "view_screenshot"),
        ("gltf", "export"),
        ("video", "record"),
        ("wireframe", "wireframe"),
        ("hide", "hide"),
        ("speed", "slower"),
    ],
)
def test_the_palette_finds_what_is_meant(text: str, name: str, post: Any) -> None:
    post.state.view.selection.pick(GeometryItem(0))
    found = [action for action in ranked(text) if action.enabled(post.state)]
    assert name in [action.name for action in found[:4]]


def test_the_palette_shows_what_can_run_first(desk: Any) -> None:
    """Without a file, nothing can be exported, but the manual's page about it can be read."""
    assert ranked("export")[0].name == "export"
    palette(desk, "export")
    desk.key("ENTER")
    assert desk.state.interface.manual == "export" and not desk.state.interface.palette


def test_the_palette_finds_settings_by_another_word(desk: Any) -> None:
    with watched(ran := []):
        palette(desk, "preferences")
        desk.key("ENTER")
    assert ran == ["settings"]


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.name)
def test_each_grey_entry_says_why(action: Action, desk: Any) -> None:
    assert action.enabled(desk.state) or action.refusal(desk.state)
    assert action.enabled is always or action.enabled in REASONS


def test_hide_offers_what_hides_and_no_setting_of_games() -> None:
    assert [each.title for each in ranked("hide")] == ["Hide panels", "Hide selected", "Show all"]
