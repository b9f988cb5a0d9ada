"""Rules for the bones that clips move fire on clips made to break them, and on no sound one."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from tests import ogre_skeletons as ogre
from tests import synthetic as made
from tests.checked import chain, clip, findings, nod, texts, told, track
from viewer.check.checking import check_file
from viewer.check.clips.targets import RULES
from viewer.errors import NeededFile
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
    waiting = Animation("Walk", 1.0, (), missing_file=NeededFile("animation", "Walk.anim"))
    assert texts("animation/no-tracks", BONES, waiting) == []


def test_a_clip_of_which_no_track_finds_a_bone_is_an_error() -> None:
    (found,) = findings("animation/no-match", BONES, clip(nod("Head_1"), nod("Tail")))
    assert found.text.startswith("clip 'Walk': none of 2 tracks finds a bone; no bone for 'Head_1'")
    assert found.severity is Severity.ERROR and told("animation/unmatched-track", nod("Tail")) == []
    assert told("animation/no-match", nod("head"), nod("Tail")) == []


def test_a_name_in_another_case_is_told_for_urho3d() -> None:
    text = "clip 'Walk': 1 of 2 tracks match only without regard to case: 'HIP' for 'hip'"
    assert told("animation/name-case", nod("HIP"), nod("head")) == [text]
    assert texts("animation/name-case", BONES, clip(nod("HIP")), format="OGRE mesh") == []


def test_two_clips_of_one_name_are_told() -> None:
    twice = clip(nod(), name="Run"), clip(nod()), clip(nod(), duration=2.0)
    (found,) = findings("animation/duplicate-name", BONES, *twice)
    assert found.text == "clip 'Walk': 2 clips of the file have this name: #1, #2"
    assert found.items == (AnimationItem(2),)


def test_a_clip_of_another_file_may_have_the_name_too() -> None:
    assert texts("animation/duplicate-name", BONES, clip(nod()), clip(nod(), source="Other.ani")) == []


@pytest.mark.parametrize(("variation", "count"), [(0, 1), (1, 0)])
def test_sequences_of_wow_have_an_id_and_a_variation(variation: int, count: int) -> None:
    first, second = (
        replace(clip(nod(), name=name), facts={"id": 4, "variation": number})
        for name, number in (("Walk", 0), ("Walk 1", variation))
    )
    found = texts("animation/duplicate-name", BONES, first, second, format="WoW M2 model")
    assert len(found) == count


def test_two_tracks_of_one_bone_are_told_with_their_bytes(tmp_path: Path) -> None:
    path = tmp_path / "Walk.ani"
    tracks = [made.track("hip", [0], position=[[0, 0, 0]])] * 2
    path.write_bytes(made.animation_bytes("Walk", tracks=tracks))
    (found,) = check_file(str(path), select=["animation/odd-track"])
    assert found.text == "two tracks have the name 'hip'; the later track is used" and found.offset


def test_two_tracks_of_one_bone_of_ogre_are_told(tmp_path: Path) -> None:
    keys = ogre.keys((0, ogre.NO_TURN, (0, 0, 0)))
    twice = ogre.clip("Walk", 1.0, ogre.track(0, keys), ogre.track(0, keys), ogre.track(1, keys))
    path = tmp_path / "Rig.skeleton"
    path.write_bytes(ogre.skeleton_bytes(*ogre.two_bones(), twice))
    (found,) = check_file(str(path), select=["animation/odd-track"])
    assert found.text == "animation 'Walk' has several tracks for bone 0; the last track is used"


def test_a_clip_whose_tracks_all_differ_in_case_does_nothing_in_urho3d() -> None:
    (found,) = findings("animation/no-match", BONES, clip(nod("HIP"), nod("Head")))
    start = "clip 'Walk': none of 2 tracks finds a bone, because upper and lower case differ: 'HIP' for 'hip'"
    assert found.text.startswith(start) and found.severity is Severity.ERROR
    assert texts("animation/name-case", BONES, clip(nod("HIP"))) == []
    assert texts("animation/no-match", BONES, clip(nod("HIP")), format="OGRE skeleton") == []


def test_a_clip_in_which_nothing_moves_is_told() -> None:
    still = track("hip", "position", (0, 1), ((0, 1, 0),) * 2)
    text = "clip 'Walk': nothing moves: all keys of each of 1 channel are equal"
    assert told("animation/still-clip", still) == [text]
    assert told("animation/still-clip", still, nod("head")) == []
    assert told("animation/still-clip", track("hip", "position", (0,), ((0, 1, 0),))) == []
    assert texts("animation/still-clip", BONES, clip(still), format="WoW M2 model") == []
