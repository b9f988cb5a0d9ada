"""Chords of the action table, and keys that run actions."""

from __future__ import annotations

from typing import Any

import pytest
from imgui_bundle import imgui

from viewer.actions import ACTIONS
from viewer.scene.choices import Shading
from viewer.session.requests import Open, Quit
from viewer.ui.kit.shortcuts import chords, run_shortcuts
from viewer.ui.outline.outline_panel import OutlinePanel


@pytest.mark.parametrize("keys", [keys for action in ACTIONS for keys in action.keys])
def test_every_chord_of_the_table_is_known(keys: str) -> None:
    assert chords(keys)


def test_digits_count_on_the_keypad_too() -> None:
    ctrl = int(imgui.Key.mod_ctrl)
    assert chords("Ctrl+7") == (int(imgui.Key._7) | ctrl, int(imgui.Key.keypad7) | ctrl)


def test_plus_is_a_key_of_its_own() -> None:
    assert int(imgui.Key.keypad_add) in chords("+")
    assert int(imgui.Key.equal) | int(imgui.Key.mod_shift) in chords("+")


def test_an_unknown_key_is_an_error() -> None:
    with pytest.raises(KeyError):
        chords("Ctrl+Nonsense")


def test_a_key_runs_its_action(post: Any) -> None:
    post.show(run_shortcuts)
    post.key("W")
    assert post.state.options.wireframe
    post.key("Z", "Shift")
    assert post.state.options.shading is Shading.NORMALS


def test_modifiers_count(post: Any) -> None:
    post.show(run_shortcuts)
    post.key("Q", "Ctrl")
    post.key("O", "Ctrl")
    post.key("Q")
    assert post.posted == [Quit(), Open()]


def test_what_is_not_enabled_does_not_run(desk: Any) -> None:
    desk.show(run_shortcuts)
    desk.key("K")
    assert not desk.state.options.skeleton


def test_typing_into_a_field_runs_nothing(post: Any) -> None:
    outline = OutlinePanel()

    def draw(state: Any, ask: Any) -> None:
        run_shortcuts(state, ask)
        outline(state, ask)

    post.show(draw)
    post.click(60, 8)
    post.key("W")
    assert not post.state.options.wireframe
