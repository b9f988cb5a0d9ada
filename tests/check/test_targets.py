"""Rules for the bones that clips move fire on clips made to break them, and on no sound one."""

from __future__ import annotations

import pytest

from tests.checked import chain, clip, findings, nod, texts, told
from viewer.check.targets import RULES
from viewer.errors import MissingFile
from viewer.scene.animation import Animation
from viewer.scene.finding import Severity
from viewer.scene.items import AnimationItem

BONES = chain("hip", "spine", "head")


@pytest.mark.parametrize("rule", [rule.id for rule in RULES])
def test_a_sound_clip_has_no_findings(rule: str) -> None:
    assert texts(rule, BONES, clip(nod("hip"), nod("spine"), nod("head"))) == []


def test_a_track_without_a_bone_is_told_with_the_nearest_name() -> None:
    (found,) = findings("animation/unmatched-track", BONES, clip(nod("head"), nod("spin")))
    assert found.text == "clip 'Walk': 1 of 2 tracks matched; no bone for 'spin' (nearest 'spine')"
    assert found.items == (AnimationItem(0),)


def test_a_clip_beside_the_model_that_is_for_another_is_not_told() -> None:
    foreign = [nod(name) for name in ("head", "wing.L", "wing.R")]
    assert told("animation/unmatched-track", *foreign, source="Bird.ani") == []
    assert len(told("animation/unmatched-track", nod("head"), nod("wing.L"), source="Post.ani")) == 1


def test_a_clip_without_tracks_is_told() -> None:
    assert told("animation/no-tracks") == ["clip 'Walk': no tracks in 1 s"]


def test_a_clip_of_a_file_beside_it_is_checked_with_that_file() -> None:
    assert told("animation/no-tracks", source="Other.ani") == []


def test_an_empty_sequence_of_wow_holds_the_rest_pose() -> None:
    assert texts("animation/no-tracks", BONES, clip(), format="WoW M2 model") == []


def test_a_clip_whose_keys_are_missing_is_told_elsewhere() -> None:
    waiting = Animation("Walk", 1.0, (), missing_file=MissingFile("animation", "Walk.anim"))
    assert texts("animation/no-tracks", BONES, waiting) == []


def test_a_clip_of_which_no_track_finds_a_bone_is_an_error() -> None:
    (found,) = findings("animation/no-match", BONES, clip(nod("Head_1"), nod("Tail")))
    assert found.text.startswith("clip 'Walk': none of 2 tracks finds a bone; no bone for 'Head_1'")
    assert found.severity is Severity.ERROR and told("animation/unmatched-track", nod("Tail")) == []
    assert told("animation/no-match", nod("head"), nod("Tail")) == []
