"""Every clip of a list can be told from the others."""

from __future__ import annotations

import pytest

from viewer.scene.animation import Animation
from viewer.ui.panels.animations import clip_titles


def clip(name: str, source: str = "", **facts: float) -> Animation:
    return Animation(name, 1.0, (), source=source, facts=facts)


@pytest.mark.parametrize("name", ["Take 001", "mixamo.com", "", "Default Take", "take_2"])
def test_a_name_that_says_nothing_gives_way_to_the_file(name: str) -> None:
    assert clip_titles([clip(name, "clips/Hero_Run.ani")]) == ("Hero_Run",)


def test_a_name_that_says_something_stays() -> None:
    assert clip_titles([clip("Run", "clips/Hero_Run.ani"), clip("Takeoff")]) == ("Run", "Takeoff")


def test_names_that_repeat_give_way_to_files_that_do_not() -> None:
    assert clip_titles([clip("Walk", "Fast.ani"), clip("Walk", "Slow.ani")]) == ("Fast", "Slow")


def test_variations_of_a_sequence_are_numbered() -> None:
    stands = [clip("Stand", "Bear.m2", id=0, variation=number) for number in (0, 2, 1)]
    assert clip_titles([*stands, clip("Walk", "Bear.m2")]) == ("Stand 1", "Stand 3", "Stand 2", "Walk")


def test_what_nothing_tells_apart_is_counted() -> None:
    assert clip_titles([clip(""), clip("")]) == ("unnamed 1", "unnamed 2")
