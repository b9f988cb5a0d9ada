"""Animations that were added, removed, renamed, or move bones in another way."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest
from msgspec.structs import replace

from tests import m2_files
from tests.compared_files import compared, lines, opened
from tests.ogre_skeletons import clip, keys, skeleton_bytes, two_bones
from tests.ogre_skeletons import track as ogre_track
from tests.synthetic import animation_bytes, model_bytes, track
from viewer.compare.diff.comparing import compare
from viewer.errors import FormatError
from viewer.scene.animation import LazyTracks
from viewer.scene.items import AnimationItem
from viewer.storage.documents import open_document

HALF = np.sqrt(0.5)
STRAIGHT, TURNED = (1, 0, 0, 0), (HALF, 0, 0, HALF)


def told(folder: Path, one: list[Any], other: list[Any], **options: Any) -> list[str]:
    """The lines about two animations of these tracks."""
    return lines(compared(folder, bend(*one), bend(*other), "Bend.ani", **options))


def bend(*tracks: Any) -> bytes:
    """The animation `Bend` of one second."""
    return animation_bytes("Bend", 1.0, list(tracks))


def turn(*rotations: Any, times: list[float] | None = None) -> Any:
    """A track of the bone `tip` with these rotations."""
    made = times or np.linspace(0, 1, len(rotations)).tolist()
    return track("tip", made, rotation=list(rotations))


def test_a_bone_turns_in_another_way(tmp_path: Path) -> None:
    assert told(tmp_path, [turn(STRAIGHT, TURNED, STRAIGHT)], [turn(STRAIGHT, STRAIGHT, STRAIGHT)]) == [
        "animations changed Bend: tip: turned by up to 90° at 0.5 s, differs at 0.5 s, 1 of 3 keys"
    ]


def test_a_bone_moves_in_another_way(tmp_path: Path) -> None:
    one, other = (track("tip", [0, 1], position=[(0, 0, 0), (0, end, 0)]) for end in (1, 1.5))
    found = compared(tmp_path, bend(one), bend(other), "Bend.ani")
    assert lines(found) == [
        "animations changed Bend: tip: moved by up to 0.5 at 1 s, differs at 1 s, 1 of 2 keys"
    ]
    assert found.found[0].unit == "units" and found.found[0].times == (1.0,)
    assert found.found[0].items == (AnimationItem(0),)


def test_other_keys_with_the_same_motion_are_told_as_such(tmp_path: Path) -> None:
    one = track("tip", [0, 0.25, 1], position=[(0, 0, 0), (0, 0.25, 0), (0, 1, 0)])
    other = track("tip", [0, 1], position=[(0, 0, 0), (0, 1, 0)])
    found = compared(tmp_path, bend(one), bend(other), "Bend.ani")
    assert lines(found) == ["animations changed Bend: 3 → 2 keys with the same motion"]
    assert found.minor


def test_quaternions_of_the_other_sign_turn_the_same(tmp_path: Path) -> None:
    opposite = tuple(-np.array(TURNED))
    assert told(tmp_path, [turn(STRAIGHT, TURNED)], [turn(STRAIGHT, opposite)]) == []


def test_a_bone_has_no_more_keys(tmp_path: Path) -> None:
    assert told(tmp_path, [turn(STRAIGHT, TURNED)], []) == [
        "animations changed Bend: tip: no more rotation keys"
    ]


def test_the_length_comes_first(tmp_path: Path) -> None:
    one, other = bend(turn(STRAIGHT, TURNED)), animation_bytes("Bend", 2.0, [turn(STRAIGHT, STRAIGHT)])
    first = lines(compared(tmp_path, one, other, "Bend.ani"))[0]
    assert first == "animations changed Bend: length 1 → 2 s"


def test_lone_animations_of_other_names_are_compared(tmp_path: Path) -> None:
    one, other = bend(turn(STRAIGHT, TURNED)), animation_bytes("Bow", 1.0, [turn(STRAIGHT, TURNED)])
    assert lines(compared(tmp_path, one, other, "Bend.ani")) == ["animations renamed Bend: now Bow"]


def test_keys_without_order_or_finite_numbers_are_no_error(tmp_path: Path) -> None:
    strange = turn(STRAIGHT, (np.nan, 0, np.inf, 0), TURNED, times=[0.9, np.nan, 0.1])
    assert told(tmp_path, [turn(STRAIGHT, TURNED)], [strange])


def test_events_are_compared_by_name_and_time(tmp_path: Path) -> None:
    def stepping(*times: int) -> bytes:
        fired = m2_files.keys(m2_files.CLASSIC, [(list(times), []), ([], [])])
        return m2_files.model(events=[{"id": b"$CSD", "data": 7, "bone": 0, "fired": fired}])

    found = compared(tmp_path, stepping(250), stepping(300, 400), "Made.m2")
    assert [each for each in lines(found) if "event" in each] == [
        "animations changed Stand: 1 event removed: $CSD 7 at 0.25 s",
        "animations changed Stand: 2 events added: $CSD 7 at 0.3 s, $CSD 7 at 0.4 s",
    ]
    for count, end in ((6, "$CSD 7 at 0.6 s"), (7, "$CSD 7 at 0.6 s …")):
        found = compared(tmp_path, stepping(), stepping(*range(100, 100 * count + 1, 100)), "Made.m2")
        (told,) = (each for each in lines(found) if "event" in each)
        assert told.startswith(f"animations changed Stand: {count} events added: ") and told.endswith(end)


def skeleton(*clips: tuple[str, float, float]) -> bytes:
    """An OGRE skeleton with clips in which `upper` moves up: their names, lengths and heights."""
    made = [
        clip(
            name,
            length,
            ogre_track(1, keys((0, (0, 0, 0, 1), (0, 0, 0)), (length, (0, 0, 0, 1), (0, high, 0)))),
        )
        for name, length, high in clips
    ]
    return skeleton_bytes(*two_bones(), *made)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ([("Walk", 1, 1)], [("Walk", 1, 1), ("Run", 2, 1)], ["animations added Run: 2 s"]),
        ([("Walk", 1, 1), ("Run", 2, 1)], [("Run", 2, 1)], ["animations removed Walk: 1 s"]),
        ([("Walk", 1, 1)], [("Stroll", 1, 1)], ["animations renamed Walk: now Stroll"]),
        ([("Walk", 1, 1), ("Run", 2, 1)], [("Run", 2, 1), ("Walk", 1, 1)], []),
    ],
)
def test_clips_are_matched_by_name_then_by_what_they_move(
    one: list[Any], other: list[Any], expected: list[str], tmp_path: Path
) -> None:
    assert lines(compared(tmp_path, skeleton(*one), skeleton(*other), "rig.skeleton")) == expected


def test_keys_at_rest_are_as_good_as_none(tmp_path: Path) -> None:
    one, other = skeleton(("Walk", 1, 0)), skeleton_bytes(*two_bones(), clip("Walk", 1))
    found = compared(tmp_path, one, other, "rig.skeleton")
    assert lines(found) == ["animations changed Walk: 2 → 0 keys with the same motion"]


def test_clips_beside_a_model_are_files_of_their_own(tmp_path: Path) -> None:
    one, other = (opened(tmp_path, model_bytes(), "Post.mdl") for _ in range(2))
    Path(one.path).with_name("Post_Bend.ani").write_bytes(animation_bytes())
    assert compare(one, other).same


def test_clips_beside_models_are_compared_if_they_are_wanted(tmp_path: Path) -> None:
    """Clips that only one of the models has beside it are no difference of the models."""
    one, other = (opened(tmp_path, model_bytes(), "Post.mdl") for _ in range(2))
    for document, end in ((one, STRAIGHT), (other, TURNED)):
        Path(document.path).with_name("Post_Bend.ani").write_bytes(bend(turn(STRAIGHT, end)))
    Path(one.path).with_name("Post_Wave.ani").write_bytes(animation_bytes("Wave"))
    one, other = (open_document(each.path) for each in (one, other))
    assert lines(compare(one, other)) == []
    found = compare(one, other, beside=True)
    assert lines(found) == [
        "animations changed Bend: tip: turned by up to 90° at 1 s, differs at 1 s, 1 of 2 keys"
    ]
    assert one.animations[found.found[0].items[0].number].name == "Bend"


def test_a_clip_whose_keys_cannot_be_read_costs_no_other(tmp_path: Path) -> None:
    def unreadable() -> NoReturn:
        raise FormatError("cut off", "keys")

    clips = [("Walk", 1, 1), ("Run", 2, 1)], [("Walk", 1, 1), ("Run", 3, 1)]
    one, other = (opened(tmp_path, skeleton(*each), "rig.skeleton") for each in clips)
    walk, run = other.animations
    other.animations = (replace(walk, tracks=LazyTracks(unreadable)), run)
    found = compare(one, other)
    assert {each.name for each in found.found} == {"Run"}
    assert found.notes == ("animation Walk is not compared: cut off (keys at 0x0)",)
