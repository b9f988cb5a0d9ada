"""The animations that findings count."""

from __future__ import annotations

from weakref import ref

from viewer.scene.animation import Animation
from viewer.scene.items import AnimationItem
from viewer.session.check_result import CheckResult


def test_a_clip_is_found_as_long_as_it_is_open() -> None:
    clip = Animation("Walk", 1.0, ())
    result = CheckResult((), (ref(clip),))
    assert result.clip(AnimationItem(0)) is clip and result.clip(AnimationItem(1)) is None
    del clip
    assert result.clip(AnimationItem(0)) is None
