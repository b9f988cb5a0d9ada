"""The names of keys."""

from __future__ import annotations

import pytest
from imgui_bundle import imgui

from viewer.ui.kit.key_names import ALL_KEYS, KEYS


def test_keys_have_names_of_the_window() -> None:
    assert KEYS["LCTRL"] == imgui.Key.left_ctrl
    assert KEYS["_1"] == imgui.Key._1


@pytest.mark.parametrize(
    ("shifted", "plain"), [("QUESTION", "SLASH"), ("PLUS", "EQUAL"), ("GREATER", "PERIOD"), ("AT", "_2")]
)
def test_a_key_is_the_same_with_shift(shifted: str, plain: str) -> None:
    assert ALL_KEYS[shifted] == KEYS[plain]


def test_the_keypad_moves_without_num_lock() -> None:
    assert ALL_KEYS["NUM_HOME"] == KEYS["HOME"] and ALL_KEYS["NUM_NEXT"] == KEYS["PAGEDOWN"]
