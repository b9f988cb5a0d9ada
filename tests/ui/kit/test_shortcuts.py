"""Chords of the action table, and keys that run actions."""

from __future__ import annotations

from typing import Any

import pytest
from imgui_bundle import imgui

from tests.desktop import MASKS, NAMES
from viewer.actions.bindings import active
from viewer.actions.presets import PRESETS
from viewer.scene.choices import Shading
from viewer.session.preferences import Preferences
from viewer.session.requests import Open, Quit
from viewer.ui.kit.shortcuts import chords, pressed_chord, run_shortcuts
from viewer.ui.outline.outline_panel import OutlinePanel

EVERY = {
    chord for preset in PRESETS for keys in active(Preferences(preset=preset)).values() for chord in keys
}


def test_every_pressed_chord_has_the_text_of_the_table(desk: Any) -> None:
    drawn: list[str] = []
    desk.show(lambda state, post: drawn.append(pressed_chord()))
    found = {}
    texts = sorted({*EVERY, "Ctrl+Alt+Shift+F7", "Num*", "Ctrl+'", "Ctrl+`", "Shift+\\"})
    for text in texts:
        drawn.clear()
        chord = chords(text)[0]
        held = frozenset(word for mask, word in MASKS.items() if chord & mask)
        name = NAMES[chord & ~sum(MASKS)]
        desk.host.input.key(name, True, held)
        desk.frames(1)
        desk.host.input.key(name, False)
        desk.frames(2)
        found[text] = [each for each in drawn if each]
    assert found == {text: [text] for text in texts}


def test_no_key_works_while_keys_are_captured(post: Any) -> None:
    post.show(run_shortcuts)
    post.state.interface.capturing = True
    post.key("W")
    assert not post.state.options.wireframe


def test_digits_count_on_the_keypad_too() -> None:
    ctrl = int(imgui.Key.mod_ctrl)
    assert chords("Ctrl+7") == (int(imgui.Key._7) | ctrl, int(imgui.Key.keypad7) | ctrl)


def test_plus_is_a_key_of_its_own() -> None:
    assert chords("+") == (int(imgui.Key.equal) | int(imgui.Key.mod_shift),)
    assert chords("Ctrl+Num+") == (int(imgui.Key.keypad_add) | int(imgui.Key.mod_ctrl),)
    assert chords("Num-") == (int(imgui.Key.keypad_subtract),)


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


def test_letters_over_an_open_popup_run_nothing(post: Any) -> None:
    wanted: list[bool] = []

    def draw(state: Any, ask: Any) -> None:
        run_shortcuts(state, ask)
        if wanted:
            imgui.open_popup("choices")
            wanted.clear()
        if imgui.begin_popup("choices"):
            imgui.text("A choice")
            imgui.end_popup()

    post.show(draw)
    wanted.append(True)
    post.frames(2)
    assert not imgui.get_current_context().open_popup_stack.empty()
    post.key("W")
    assert not post.state.options.wireframe
    post.key("ESCAPE")
    post.frames(2)
    post.key("W")
    assert post.state.options.wireframe
