"""Contacts of feet with the ground, and their slide, in walks whose contacts are known."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from tests.animation.motion.walker import (
    ANKLE,
    CONTACTS,
    FRAME,
    HEIGHT,
    LEFT,
    NAMES,
    RIGHT,
    SPEED,
    UP,
    walk,
    walker,
)
from viewer.animation.motion.contacts import Footwork, footwork
from viewer.animation.motion.feet import NO_FEET, Feet, given_feet
from viewer.animation.motion.ground import AT_REST, Ground
from viewer.scene.animation import Animation, MorphTrack, Track

BONES = walker()
FEET = given_feet(BONES, ("L_Foot", "R_Foot"))


def judged(clip: Animation, ground: Ground = AT_REST, feet: Feet = FEET) -> Footwork:
    found = footwork(BONES, clip, UP, feet, ground)
    assert found is not None
    return found


def spans(found: Footwork) -> dict[int, list[tuple[float, float]]]:
    return {
        bone: [(each.start, each.end) for each in found.contacts if each.bone == bone] for bone in found.feet
    }


def near(found: Footwork) -> bool:
    """Whether the contacts are those of the made walk, within a frame."""
    return all(
        len(spans(found)[bone]) == len(expected)
        and np.allclose(spans(found)[bone], expected, atol=FRAME + 1e-9)
        for bone, expected in CONTACTS.items()
    )


@pytest.mark.parametrize("rate", [30.0, 60.0, 24.0, 10.0])
def test_a_walk_over_the_ground_has_its_contacts_and_no_slide(rate: float) -> None:
    found = judged(walk(moving=SPEED, rate=rate))
    assert found.travels and found.speed is None and near(found)
    assert max(each.length for each in found.slides) <= 0.002 * HEIGHT


def test_a_walk_on_the_spot_is_judged_with_the_speed_of_the_game() -> None:
    found = judged(walk(), Ground(speed=SPEED))
    assert not found.travels and near(found)
    assert max(each.length for each in found.slides) <= 0.002 * HEIGHT
    assert np.allclose(found.drift, (0, 0, -SPEED), atol=1e-3)


def test_the_speed_of_the_file_counts_where_none_is_typed() -> None:
    stored = replace(walk(), facts={"speed": -SPEED})
    assert judged(stored).speed == SPEED and max(each.length for each in judged(stored).slides) < 0.01
    assert judged(stored, Ground(speed=0.0)).slides[0].speed == pytest.approx(SPEED, rel=0.02)


@pytest.mark.parametrize("pace", [0.5, 1.5])
def test_a_skating_walk_gives_its_speed(pace: float) -> None:
    for found in (judged(walk(SPEED, pace)), judged(walk(pace=pace), Ground(speed=SPEED))):
        assert near(found)
        for each in found.slides:
            assert each.speed == pytest.approx(abs(pace - 1) * SPEED, rel=0.02)
            assert each.length == pytest.approx(abs(pace - 1) * SPEED * 1.2, rel=0.02)


def test_a_body_that_glides_slides_all_the_time() -> None:
    times = np.array((0.0, 2.0))
    glide = Animation(
        "Glide", 2.0, (Track("Root", "position", times, np.outer(times, (0.7, 0, 0))),), ("Root",)
    )
    found = judged(glide)
    assert spans(found) == {LEFT: [(0.0, 2.0)], RIGHT: [(0.0, 2.0)]}
    assert [(each.length, each.speed) for each in found.slides] == [pytest.approx((1.4, 0.7))] * 2


def test_the_ground_lies_at_the_feet_of_the_rest_pose_or_where_it_is_set() -> None:
    assert judged(walk(SPEED)).level == pytest.approx(ANKLE)
    assert not judged(walk(SPEED), Ground(height=-1.0)).contacts
    lifted = [each for each in walk(SPEED).tracks if each.target != "Root"]
    root = walk(SPEED).tracks[0]
    higher = replace(root, values=root.values + np.array((0, 1.0, 0)))
    clip = replace(walk(SPEED), tracks=(higher, *lifted))
    assert not judged(clip).contacts and near(judged(clip, Ground(height=1.0 + ANKLE)))


def test_a_foot_that_hangs_in_the_rest_pose_stands_where_the_other_stands() -> None:
    positions = BONES.positions.copy()
    positions[RIGHT, 1] += 0.3
    posed = replace(BONES, positions=positions)
    found = footwork(posed, walk(SPEED), UP, FEET)
    assert found is not None and near(found)


SMILE = MorphTrack(0, np.array((0.0, 1.0)), {})


@pytest.mark.parametrize(
    "clip",
    [
        Animation("Empty", 1.0, ()),
        Animation("Short", 0.0, walk().tracks, walk().targets),
        Animation("Endless", float("inf"), walk().tracks, walk().targets),
        Animation("Broken", float("nan"), walk().tracks, walk().targets),
        replace(
            walk(),
            tracks=tuple(
                replace(each, times=each.times[:1], values=each.values[:1]) for each in walk().tracks
            ),
        ),
        replace(walk(), tracks=tuple(replace(each, period=1.0) for each in walk().tracks)),
        replace(
            walk(),
            tracks=tuple(replace(each, target="x" + each.target) for each in walk().tracks),
            targets=("xRoot", "xL_Foot"),
        ),
        Animation("Smile", 1.0, (), morph_tracks=(SMILE,)),
    ],
    ids=["no tracks", "no length", "endless", "length NaN", "one key", "global", "other bones", "morphs"],
)
def test_nothing_is_said_of_a_clip_that_cannot_be_judged(clip: Animation) -> None:
    assert footwork(BONES, clip, UP, FEET) is None


def test_nothing_is_said_without_feet() -> None:
    assert footwork(BONES, walk(), UP, NO_FEET) is None


@pytest.mark.parametrize("part", ["times", "values"])
def test_numbers_that_are_not_finite_are_no_contacts(part: str) -> None:
    tracks = []
    for each in walk(SPEED).tracks:
        changed = getattr(each, part).astype(np.float64).copy()
        changed[len(changed) // 2 :] = np.nan
        tracks.append(replace(each, **{part: changed}))
    with np.errstate(invalid="ignore"):
        found = judged(replace(walk(SPEED), tracks=tuple(tracks)))
    assert all(np.isfinite((each.start, each.end)).all() for each in found.contacts)
    assert all(np.isfinite((each.length, each.speed)).all() for each in found.slides)


def test_ten_thousand_keys_are_judged_at_once() -> None:
    found = judged(walk(SPEED, rate=30, periods=333))
    assert len(found.times) > 15_000 and len(found.contacts) == 333 + 334


def test_names_do_not_matter_for_given_feet() -> None:
    assert [NAMES[bone] for bone in judged(walk(), feet=given_feet(BONES, ("l_foot",))).feet] == ["L_Foot"]


def test_a_quick_hop_parts_two_contacts_and_a_jerk_on_the_ground_does_not() -> None:
    times = np.linspace(0, 1, 61)
    for axis, count in ((1, 2), (2, 1)):
        values = np.tile(BONES.positions[LEFT].astype(np.float64), (61, 1))
        values[29:33, axis] += 0.1
        clip = Animation("Hop", 1.0, (Track("L_Foot", "position", times, values),), ("L_Foot",))
        assert len(spans(judged(clip))[LEFT]) == count
