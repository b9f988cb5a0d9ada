"""The rule for keys that pop reports one turned key, and no sharp motion."""

from __future__ import annotations

import numpy as np

from tests.animation.motion.turned_keys import clip_of, spun, swing
from tests.checked import chain, findings
from viewer.check.limits import NO_LIMITS, Limits
from viewer.scene.finding import Finding
from viewer.scene.items import AnimationItem

BONES = chain("hip", "spine", "head")


def told(head: np.ndarray, limits: Limits = NO_LIMITS) -> list[Finding]:
    clip = clip_of(hip=spun(swing()), spine=spun(swing(phase=1)), head=spun(head))
    return findings("animation/spike", BONES, clip, limits=limits)


def turned(key: int, by: float) -> np.ndarray:
    angles = swing(phase=2)
    angles[key] += by
    return angles


def test_a_turned_key_is_told_with_its_bone_angle_and_time() -> None:
    (found,) = told(turned(18, 40))
    assert found.text == "clip 'Walk': 1 key leaves its neighbours, head by 40° at 0.45 s"
    assert found.items == (AnimationItem(0),)


def test_sound_and_sharp_motion_is_not_told() -> None:
    assert told(swing()) == []
    assert told(np.where(np.arange(41) < 20, 0, 90.0)) == []
    assert told(turned(18, 20)) == []


def test_a_bone_that_the_settings_leave_out_is_not_told() -> None:
    assert told(turned(18, 40), Limits(unjudged_bones=("head",))) == []
    assert len(told(turned(18, 40), Limits(unjudged_bones=("hip",)))) == 1
