"""The rule about feet that slide fires on made walks whose speed does not fit their steps, and on no
other.
"""

from __future__ import annotations

import re

from msgspec.structs import replace

from tests.animation.motion.walker import NAMES, SPEED, walk, walker
from tests.checked import texts
from viewer.scene.animation import Animation

RULE = "animation/foot-slide"


def told(clip: Animation, names: tuple[str, ...] = NAMES) -> list[str]:
    return texts(RULE, walker(names), replace(clip, source="made.mdl"))


def test_a_walk_whose_root_fits_its_steps_has_no_finding() -> None:
    assert told(walk(SPEED)) == []


def test_a_root_that_is_too_fast_is_told() -> None:
    (text,) = told(walk(SPEED, pace=0.5))
    assert re.fullmatch(r"clip 'Walk': 2 of 2 feet seem to slide: [LR]_Foot by 0.84, 0.7 a second", text)


def test_a_walk_on_the_spot_is_judged_only_with_a_speed_in_the_file() -> None:
    assert told(walk()) == []
    assert told(replace(walk(), facts={"speed": 0.0})) == []
    assert told(replace(walk(), facts={"speed": SPEED})) == []
    assert len(told(replace(walk(), facts={"speed": 2 * SPEED}))) == 1


def test_a_model_without_feet_has_no_finding() -> None:
    unnamed = tuple(f"b{number}" for number in range(7))
    assert told(replace(walk(SPEED, pace=0.5), tracks=()), unnamed) == []
    positions = walker(unnamed).positions.copy()
    positions[5] *= 0.5  # the legs are unlike, so that the rest pose shows no feet
    skating = walk(SPEED, pace=0.5)
    renamed = replace(
        skating,
        tracks=tuple(replace(each, target=unnamed[NAMES.index(each.target)]) for each in skating.tracks),
        targets=tuple(unnamed[NAMES.index(each)] for each in skating.targets),
        source="made.mdl",
    )
    assert texts(RULE, replace(walker(unnamed), positions=positions), renamed) == []
