"""Each rule for clips fires on a clip made to break it, and on no sound one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.checked import chain, clip, findings, texts, track
from viewer.check.animation import RULES
from viewer.errors import MissingFile
from viewer.scene.animation import Animation
from viewer.scene.finding import Severity
from viewer.scene.items import AnimationItem
from viewer.scene.skeleton import Skeleton

BONES = chain("hip", "spine", "head")
TURNED = (0, 0, np.sin(0.5), np.cos(0.5))
STRAIGHT = (0, 0, 0, 1)


def nod(target: str = "head", times: Any = (0, 0.5, 1), last: Any = STRAIGHT) -> Any:
    """A rotation there and back."""
    return track(target, "rotation", times, (STRAIGHT, TURNED, last))


def told(rule: str, *tracks: Any, skeleton: Skeleton = BONES, **more: Any) -> list[str]:
    return texts(f"animation/{rule}", skeleton, clip(*tracks, **more))


@pytest.mark.parametrize("rule", [rule.id for rule in RULES])
def test_a_sound_clip_has_no_findings(rule: str) -> None:
    assert texts(rule, BONES, clip(nod("hip"), nod("spine"), nod("head"))) == []


def test_a_track_without_a_bone_is_told_with_the_nearest_name() -> None:
    (found,) = findings("animation/unmatched-track", BONES, clip(nod("head"), nod("spin")))
    assert found.text == "clip 'Walk': 1 of 2 tracks matched; no bone for 'spin' (nearest 'spine')"
    assert found.items == (AnimationItem(0),)


def test_a_clip_beside_the_model_that_is_for_another_is_not_told() -> None:
    foreign = [nod(name) for name in ("head", "wing.L", "wing.R")]
    assert told("unmatched-track", *foreign, source="Bird.ani") == []
    assert len(told("unmatched-track", nod("head"), nod("wing.L"), source="Post.ani")) == 1


def test_a_clip_without_tracks_is_told() -> None:
    assert told("no-tracks") == ["clip 'Walk' of 1 s has no tracks"]


def test_a_clip_of_a_file_beside_it_is_checked_with_that_file() -> None:
    assert told("no-tracks", source="Other.ani") == []


def test_an_empty_sequence_of_wow_holds_the_rest_pose() -> None:
    assert texts("animation/no-tracks", BONES, clip(), format="WoW M2 model") == []


def test_keys_out_of_order_are_told() -> None:
    text = "clip 'Walk': 1 of 2 channels have keys that are not in the order of time (head rotation)"
    assert told("key-order", nod("hip"), nod(times=(0, 0.8, 0.4))) == [text]


def test_doubled_keys_are_told() -> None:
    text = "clip 'Walk': 1 of 1 channel has several keys at one time (head rotation)"
    assert told("doubled-key", nod(times=(0, 1, 1))) == [text]


@pytest.mark.parametrize(("times", "at"), [((0, 0.5, 1.5), "1.5"), ((-0.5, 0.5, 1), "-0.5")])
def test_keys_outside_the_clip_are_told(times: Any, at: str) -> None:
    text = f"clip 'Walk': 1 of 1 channel has keys outside the clip: at {at} s of 1 s (head rotation)"
    assert told("late-key", nod(times=times)) == [text]


def test_old_sequences_of_wow_share_a_time_line() -> None:
    assert texts("animation/late-key", BONES, clip(nod(times=(0, 0.5, 1.5))), format="WoW M2 model") == []


def test_a_clip_whose_keys_end_early_is_told() -> None:
    assert told("early-end", nod(times=(0, 0.4, 0.8))) == ["clip 'Walk': the last key is at 0.8 s of 1 s"]
    assert told("early-end", nod(times=(0, 0.4, 0.8)), nod("hip")) == []
    assert told("early-end", nod(times=(0, 0.4, 0.97))) == []


def loop(*off: Any) -> list[str]:
    names = [f"bone {number}" for number in range(20)]
    return told("loop-jump", *map(nod, names), *off, skeleton=chain(*names, "head"))


def test_one_bone_that_jumps_in_a_loop_is_told() -> None:
    text = "clip 'Walk': 1 of 21 channels have an end that is not their start, head by 57.3° (head rotation)"
    assert loop(nod(last=TURNED)) == [text]
    opposite = tuple(-each for each in STRAIGHT)
    assert loop(nod(last=opposite)) == []
    assert len(loop(track("head", "position", (0, 1), ((0, 1, 0), (0, 1, 0.5))))) == 1
    assert loop(track("head", "position", (0, 1), ((0, 1, 0), (0, 1, 0.001)))) == []


def test_a_jump_too_small_to_see_is_no_jump() -> None:
    still = nod("bone 1")
    small = track("head", "position", (0, 0.5, 1), ((0, 0, 0), (0, 0.02, 0), (0, 0.01, 0)))
    assert len(told("loop-jump", *(still,) * 20, small, skeleton=chain("bone 1", "head"))) == 1
    assert len(told("loop-jump", *(still,) * 20, small, skeleton=chain("bone 1", *"abcdef", "head"))) == 0


def test_a_clip_that_ends_elsewhere_is_no_loop() -> None:
    falling = [nod(name, last=TURNED) for name in ("hip", "spine", "head")]
    assert told("loop-jump", *falling) == []


def test_constant_tracks_are_told() -> None:
    still = track("hip", "scale", (0, 0.5, 1), ((1, 1, 1),) * 3)
    text = "clip 'Walk': 1 of 2 channels have one value, so that 2 keys could be left out (hip scale)"
    assert told("constant-track", nod(), still) == [text]
    assert told("constant-track", nod(), track("hip", "scale", (0,), ((1, 1, 1),))) == []


def test_a_clip_whose_keys_are_missing_is_told_elsewhere() -> None:
    waiting = Animation("Walk", 1.0, (), missing_file=MissingFile("animation", "Walk.anim"))
    assert texts("animation/no-tracks", BONES, waiting) == []


def test_a_clip_of_which_no_track_finds_a_bone_is_an_error() -> None:
    (found,) = findings("animation/no-match", BONES, clip(nod("Head_1"), nod("Tail")))
    assert found.text.startswith("clip 'Walk': none of 2 tracks finds a bone; no bone for 'Head_1'")
    assert found.severity is Severity.ERROR and told("unmatched-track", nod("Tail")) == []
    assert told("no-match", nod("head"), nod("Tail")) == []
