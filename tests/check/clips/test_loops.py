"""Rules for loops fire on clips made to break them, and on no sound one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.animation.motion.turned_keys import spun
from tests.checked import STRAIGHT, TURNED, chain, clip, nod, texts, told, track
from viewer.check.clips.loops import RULES

BONES = chain("hip", "spine", "head")


@pytest.mark.parametrize("rule", [rule.id for rule in RULES])
def test_a_sound_clip_has_no_findings(rule: str) -> None:
    assert texts(rule, BONES, clip(nod("hip"), nod("spine"), nod("head"))) == []


def loop(*off: Any) -> list[str]:
    names = [f"bone {number}" for number in range(20)]
    return told("animation/loop-jump", *map(nod, names), *off, skeleton=chain(*names, "head"))


def test_one_bone_that_jumps_in_a_loop_is_told() -> None:
    text = (
        "clip 'Walk': 1 of 21 channels have an end that differs from their start, head by 57.3° (head "
        "rotation)"
    )
    assert loop(nod(last=TURNED)) == [text]
    opposite = tuple(-each for each in STRAIGHT)
    assert loop(nod(last=opposite)) == []
    assert len(loop(track("head", "position", (0, 1), ((0, 1, 0), (0, 1, 0.5))))) == 1
    assert loop(track("head", "position", (0, 1), ((0, 1, 0), (0, 1, 0.001)))) == []


def test_a_jump_too_small_to_see_is_no_jump() -> None:
    still = nod("bone 1")
    small = track("head", "position", (0, 0.5, 1), ((0, 0, 0), (0, 0.02, 0), (0, 0.01, 0)))
    assert len(told("animation/loop-jump", *(still,) * 20, small, skeleton=chain("bone 1", "head"))) == 1
    assert (
        len(told("animation/loop-jump", *(still,) * 20, small, skeleton=chain("bone 1", *"abcdef", "head")))
        == 0
    )


def test_a_clip_that_ends_elsewhere_is_no_loop() -> None:
    falling = [nod(name, last=TURNED) for name in ("hip", "spine", "head")]
    assert told("animation/loop-jump", *falling) == []


def ramp(last: float, target: str = "head") -> Any:
    """A bone that turns in ten equal steps to an angle in degrees."""
    return track(target, "rotation", np.linspace(0, 1, 11), spun(np.linspace(0, last, 11)))


def test_a_clip_that_is_named_as_a_loop_may_differ_by_one_usual_step() -> None:
    bones = ("hip", "spine", "head")
    turning = [ramp(60, name) for name in bones]
    for name in ("Walk", "hammerIdle", "站立"):
        (text,) = told("animation/loop-jump", *turning, name=name)
        assert "3 of 3 channels have an end that differs from their start, hip by 60°" in text
    for name in ("Slump", "WalkStart", "dieStand"):
        assert told("animation/loop-jump", *turning, name=name) == []
    swung = np.append(np.arange(10) * 6, (30, 6))
    closed = [track(name, "rotation", np.linspace(0, 1, 12), spun(swung)) for name in bones]
    assert told("animation/loop-jump", *closed) == []


def test_an_m2_sequence_loops_by_its_flags_and_not_by_its_name() -> None:
    turning = [ramp(60, name) for name in ("hip", "spine", "head")]
    for flags, count in ((0x20, 1), (0x21, 0)):
        walk = replace(clip(*turning), facts={"flags": flags})
        assert len(texts("animation/loop-jump", BONES, walk)) == count
