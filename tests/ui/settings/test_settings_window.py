"""The settings window: search, controls of each kind, reset, and the keys of actions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from imgui_bundle import imgui

from tests.desktop import Desktop
from tests.labels import drawn_labels
from viewer.session.preferences import Group, Preferences
from viewer.session.requests import AddResourceFolder, RemoveResourceFolder
from viewer.session.setting_rows import setting_rows

CONTROL, ARROW = 840, 1010
"""Where the controls and the arrows of rows are, in points from the left."""


@pytest.fixture
def desktop(ctx: Any) -> Iterator[Desktop]:
    """The whole window without a file, with the settings open."""
    made = Desktop(ctx)
    made.press("Ctrl+,")
    made.frames(2)
    yield made
    made.close()


def preferences(desktop: Desktop) -> Preferences:
    return desktop.state.interface.preferences


def go_to(desktop: Desktop, name: str) -> dict[str, tuple[float, float]]:
    """Show the row of a setting; the labels then."""
    desktop.state.interface.settings = name
    desktop.frames(4)
    return drawn_labels(desktop)


def click_arrow(desktop: Desktop, title: str) -> None:
    """Click the arrow of a row that is in view."""
    _, y = drawn_labels(desktop)[title]
    desktop.click(ARROW, y)
    desktop.frames(2)


def test_the_key_opens_and_closes_it_and_the_search_has_the_focus(desktop: Desktop) -> None:
    assert desktop.state.interface.settings is not None and imgui.get_io().want_text_input
    desktop.press("Ctrl+,")
    assert desktop.state.interface.settings is None


def test_escape_closes_it(desktop: Desktop) -> None:
    desktop.press("Escape")
    assert desktop.state.interface.settings is None


def test_the_search_lists_rows_of_all_groups(desktop: Desktop) -> None:
    desktop.type("speed")
    labels = drawn_labels(desktop)
    assert {"Turning speed", "Zoom speed"} <= labels.keys() and "Theme" not in labels
    desktop.type(" zoom")
    labels = drawn_labels(desktop)
    assert "Zoom speed" in labels and "Turning speed" not in labels


def test_the_search_finds_keys_by_action_and_by_chord(desktop: Desktop) -> None:
    desktop.type("ctrl+shift+t")
    labels = drawn_labels(desktop)
    assert "Reopen closed tab" in labels and "Wireframe" not in labels


def test_a_search_without_results_says_so(desktop: Desktop) -> None:
    desktop.type("xyzzy")
    assert "No setting and no action has these words." in drawn_labels(desktop)


@pytest.mark.parametrize("group", Group)
def test_every_group_shows_its_rows(desktop: Desktop, group: Group) -> None:
    rows = [row for row in setting_rows() if row.group is group and row.control != "keys"]
    labels = go_to(desktop, rows[0].name)
    assert {row.title for row in rows} <= labels.keys()


def test_tab_goes_through_all_widgets(desktop: Desktop) -> None:
    seen = set()
    for _ in range(40):
        desktop.press("Tab")
        seen.add(imgui.get_current_context().nav_id)
    assert len(seen) > len(Group) + sum(row.group is Group.LOOK for row in setting_rows())
    assert not desktop.state.interface.hidden, "Tab hides the panels elsewhere"


def test_a_switch_is_clicked_and_applies_to_the_picture(desktop: Desktop) -> None:
    _, y = go_to(desktop, "grid")["Grid"]
    desktop.click(CONTROL - 30, y)
    desktop.frames(1)
    assert not preferences(desktop).grid and not desktop.state.options.grid


def test_a_choice_is_made_from_a_list(desktop: Desktop) -> None:
    _, y = go_to(desktop, "theme")["Theme"]
    desktop.click(CONTROL, y)
    desktop.frames(2)
    desktop.click(*drawn_labels(desktop)["Light"])
    desktop.frames(2)
    assert preferences(desktop).theme == "light"


def test_a_slider_counts_when_it_is_released(desktop: Desktop) -> None:
    _, y = go_to(desktop, "scale")["Interface scale"]
    desktop.move(876, y)
    desktop.button(True)
    desktop.move(960, y)
    desktop.frames(2)
    assert preferences(desktop).scale == 1.0
    desktop.button(False)
    desktop.frames(2)
    assert 1.5 < preferences(desktop).scale <= 3.0


def test_a_path_is_typed(desktop: Desktop, tmp_path: Path) -> None:
    _, y = go_to(desktop, "pictures")["Saved pictures"]
    desktop.click(500, y + 40)
    desktop.type(f"{tmp_path}/{{name}}.png")
    desktop.press("Enter")
    assert preferences(desktop).pictures == f"{tmp_path}/{{name}}.png"


def test_a_size_in_mebibytes_is_stored_in_bytes(desktop: Desktop) -> None:
    _, y = go_to(desktop, "max_size")["Largest file"]
    desktop.click(CONTROL, y)
    desktop.press("Ctrl+A")
    desktop.type("64")
    desktop.press("Enter")
    assert preferences(desktop).max_size == 64 << 20
    click_arrow(desktop, "Largest file")
    assert preferences(desktop).max_size is None


def test_folders_are_added_by_a_dialog_and_removed_one_by_one(desktop: Desktop) -> None:
    posted: list[object] = []
    desktop.app._take = posted.append  # type: ignore[method-assign, assignment]
    preferences(desktop).resources = ["/a", "/b"]
    labels = go_to(desktop, "resources")
    x, y = labels["/b"]
    desktop.click(x - 22, y)
    desktop.click(*labels["Add a folder…"])
    desktop.frames(2)
    assert posted == [RemoveResourceFolder("/b"), AddResourceFolder()]


def test_only_changed_rows_have_an_arrow_that_resets_them(desktop: Desktop) -> None:
    preferences(desktop).turn_speed = 2.0
    go_to(desktop, "turn_speed")
    click_arrow(desktop, "Zoom speed")
    assert preferences(desktop).turn_speed == 2.0
    click_arrow(desktop, "Turning speed")
    assert preferences(desktop).turn_speed == 1.0


def test_the_switch_changed_lists_only_what_differs(desktop: Desktop) -> None:
    preferences(desktop).turn_speed = 2.0
    preferences(desktop).keys = {"quit": []}
    desktop.click(*drawn_labels(desktop)["Changed"])
    desktop.frames(2)
    labels = drawn_labels(desktop)
    assert {"Turning speed", "Quit"} <= labels.keys() and not {"Zoom speed", "Wireframe"} & labels.keys()


def test_what_applies_later_says_so(desktop: Desktop) -> None:
    assert "Applies at the next start" in go_to(desktop, "thumbnail_bytes")


def capture(desktop: Desktop, search: str, label: str) -> None:
    """Search an action, and click one of its keys."""
    desktop.type(search)
    desktop.click(*drawn_labels(desktop)[label])
    desktop.frames(3)
    assert desktop.state.interface.capturing


def test_a_pressed_key_replaces_a_key_and_works(desktop: Desktop) -> None:
    capture(desktop, "wireframe", "W")
    desktop.press("Ctrl+Alt+W")
    assert preferences(desktop).keys == {"wireframe": ["Ctrl+Alt+W"]}
    assert not desktop.state.interface.capturing
    desktop.press("Escape")
    desktop.press("W")
    assert not desktop.state.options.wireframe
    desktop.press("Ctrl+Alt+W")
    assert desktop.state.options.wireframe


def test_the_key_of_another_action_is_named_and_taken_with_enter(desktop: Desktop) -> None:
    capture(desktop, "wireframe", "W")
    desktop.press("Ctrl+Q")
    assert desktop.app.running and preferences(desktop).keys == {}
    assert "Ctrl+Q is a key of “Quit”." in drawn_labels(desktop)
    desktop.press("Enter")
    assert preferences(desktop).keys == {"wireframe": ["Ctrl+Q"]}
    assert "no longer of “Quit”" in desktop.state.interface.status


def test_escape_leaves_the_keys_as_they_are(desktop: Desktop) -> None:
    capture(desktop, "wireframe", "W")
    desktop.press("Ctrl+Q")
    desktop.press("Escape")
    assert preferences(desktop).keys == {} and not desktop.state.interface.capturing
    assert desktop.state.interface.settings is not None


def test_a_key_is_removed(desktop: Desktop) -> None:
    capture(desktop, "wireframe", "W")
    desktop.click(*drawn_labels(desktop)["Remove W"])
    desktop.frames(2)
    assert preferences(desktop).keys == {"wireframe": []}


def test_the_arrow_resets_one_action(desktop: Desktop) -> None:
    preferences(desktop).keys = {"wireframe": ["F9"], "quit": []}
    desktop.type("wireframe")
    click_arrow(desktop, "Wireframe")
    assert preferences(desktop).keys == {"quit": []}


def test_all_keys_are_reset_after_a_question(desktop: Desktop) -> None:
    preferences(desktop).keys = {"wireframe": ["F9"], "quit": []}
    labels = go_to(desktop, "keys")
    desktop.click(*labels["Reset all keys…"])
    desktop.frames(2)
    assert preferences(desktop).keys and "Reset the keys of 2 actions?" in drawn_labels(desktop)
    desktop.press("Enter")
    assert preferences(desktop).keys == {}


def test_keys_of_the_file_that_cannot_work_say_why(desktop: Desktop) -> None:
    preferences(desktop).keys = {"grid": ["Ctrl+Q", "bogus"], "quit": ["Ctrl+Q"]}
    desktop.type("grid view")
    assert {"Ctrl+Q: Quit", "bogus?"} <= drawn_labels(desktop).keys()


def test_keys_rest_while_it_has_the_focus(desktop: Desktop) -> None:
    desktop.press("Tab")
    desktop.press("W")
    assert not desktop.state.options.wireframe and desktop.state.interface.settings is not None
