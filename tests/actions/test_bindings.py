"""Keys by preset and by the user's own choice."""

from __future__ import annotations

from collections import Counter

import pytest

from viewer.actions import ACTIONS
from viewer.actions.bindings import (
    active,
    bind,
    changed,
    default_keys,
    reset,
    shown_key,
    unknown,
)
from viewer.actions.presets import PRESETS
from viewer.session.preferences import Preferences
from viewer.session.state import State
from viewer.ui.kit.shortcuts import chords, is_chord

NAMES = {action.name for action in ACTIONS}


def test_without_a_choice_keys_are_those_of_the_table() -> None:
    assert active(Preferences()) == {action.name: action.keys for action in ACTIONS}


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_names_actions_and_keys_that_exist(preset: str) -> None:
    assert set(PRESETS[preset].keys) <= NAMES
    assert all(is_chord(chord) for texts in PRESETS[preset].keys.values() for chord in texts)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_key_means_one_thing(preset: str) -> None:
    keys = Counter(chord for texts in active(Preferences(preset=preset)).values() for chord in texts)
    assert max(keys.values()) == 1


@pytest.mark.parametrize("preset", PRESETS)
def test_no_key_of_the_keyboard_runs_two_actions(preset: str) -> None:
    keys = active(Preferences(preset=preset))
    found = Counter(key for texts in keys.values() for text in texts for key in chords(text))
    assert max(found.values()) == 1


def test_a_preset_repeats_no_keys_of_the_table() -> None:
    table = {action.name: action.keys for action in ACTIONS}
    same = [(preset, name) for preset in PRESETS for name in PRESETS[preset].keys]
    assert [each for each in same if PRESETS[each[0]].keys[each[1]] == table[each[1]]] == []


def test_the_presets_keys_come_first() -> None:
    assert active(Preferences(preset="blender"))["palette"][0] == "F3"
    assert active(Preferences(preset="maya"))["fit"][0] == "A"


def test_the_users_keys_win_and_are_taken_from_others() -> None:
    keys = active(Preferences(preset="maya", keys={"grid": ["W", "A"]}))
    assert keys["grid"] == ("W", "A")
    assert "W" not in keys["wireframe"] and "A" not in keys["fit"]


def test_a_key_can_be_taken_away() -> None:
    assert active(Preferences(keys={"quit": []}))["quit"] == ()


def test_an_unknown_preset_is_the_table() -> None:
    assert active(Preferences(preset="emacs")) == active(Preferences())


def test_unknown_actions_are_told() -> None:
    assert unknown(Preferences(keys={"grid": ["W"], "make_coffee": ["C"]})) == ["make_coffee"]


def test_each_preset_is_an_action() -> None:
    state = State()
    for name in PRESETS:
        action = next(action for action in ACTIONS if action.name == f"preset_{name}")
        action.run(state, lambda request: None)
        assert state.interface.preferences.preset == name
        assert [each.name for each in ACTIONS if each.menu == action.menu and each.checked(state)] == [  # type: ignore[misc]
            action.name
        ]


def test_menus_and_tooltips_show_the_key_that_is_in_use() -> None:
    assert shown_key(Preferences(), "palette") == "Ctrl+P"
    assert shown_key(Preferences(preset="blender"), "palette") == "F3"
    assert shown_key(Preferences(keys={"palette": []}), "palette") == ""


def test_a_binding_is_taken_from_the_others() -> None:
    preferences = Preferences(keys={"grid": ["W", "F9"]})
    bind(preferences, "fit", ["W"])
    assert preferences.keys == {"grid": ["F9"], "fit": ["W"]}
    assert "W" not in active(preferences)["wireframe"]


def test_a_binding_that_is_the_default_is_not_stored() -> None:
    preferences = Preferences(keys={"wireframe": ["F9"]})
    bind(preferences, "wireframe", ["W"])
    assert preferences.keys == {} and changed(preferences) == []


def test_changed_are_the_actions_that_lost_a_key_too() -> None:
    assert changed(Preferences(keys={"grid": ["W"]})) == ["wireframe", "grid"]
    assert changed(Preferences(preset="maya")) == []


def test_a_reset_gives_the_keys_of_the_preset_back() -> None:
    preferences = Preferences(preset="blender", keys={"grid": ["W", "F9"], "wireframe": []})
    reset(preferences, "wireframe")
    assert active(preferences)["wireframe"] == ("Shift+Z", "W") == default_keys(preferences)["wireframe"]
    assert preferences.keys == {"grid": ["F9"]}
