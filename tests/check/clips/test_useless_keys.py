"""Rules for keys that change nothing fire on clips made to break them, and on no sound one."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.checked import chain, clip, nod, texts, told, track
from viewer.check.clips.useless_keys import RULES

BONES = chain("hip", "spine", "head")


@pytest.mark.parametrize("rule", [rule.id for rule in RULES])
def test_a_sound_clip_has_no_findings(rule: str) -> None:
    assert texts(rule, BONES, clip(nod("hip"), nod("spine"), nod("head"))) == []


def test_constant_tracks_are_told() -> None:
    still = track("hip", "position", (0, 0.5, 1), ((1, 2, 3),) * 3)
    text = "clip 'Walk': 1 of 2 channels have one value, so that 2 keys could be left out (hip position)"
    assert told("animation/constant-track", nod(), still) == [text]
    assert told("animation/constant-track", nod(), track("hip", "position", (0,), ((1, 2, 3),))) == []


def test_scales_of_1_are_told_by_a_rule_of_their_own() -> None:
    whole = track("hip", "scale", (0, 0.5, 1), ((1, 1, 1),) * 3)
    text = "clip 'Walk': 1 of 2 channels have a scale of 1, so that 3 keys could be left out (hip scale)"
    assert told("animation/unit-scale", nod(), whole) == [text]
    assert told("animation/constant-track", nod(), whole) == []
    assert told("animation/unit-scale", nod(), track("hip", "scale", (0,), ((1, 1.01, 1),))) == []


def test_all_clips_of_a_file_have_one_finding() -> None:
    still = track("hip", "position", (0, 0.5, 1), ((1, 2, 3),) * 3)
    (text,) = texts("animation/constant-track", BONES, clip(still, nod()), clip(still, name="Run"))
    assert text.startswith("2 clips (Walk, Run): 2 of 3 channels have one value, so that 4 keys could")


def test_a_loop_of_its_own_is_told_once() -> None:
    loop = replace(track("hip", "position", (0, 0.5, 1), ((1, 2, 3),) * 3), period=1.0)
    clips = clip(loop, nod()), clip(loop, nod(), name="Run")
    (text,) = texts("animation/constant-track", BONES, *clips, format="WoW M2 model")
    assert text.startswith("clip 'Walk': 1 of 4 channels have one value, so that 2 keys")
    assert texts("animation/constant-track", clips[0], clips[0], format="WoW M2 keys") == []
