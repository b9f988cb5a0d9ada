"""Limits: those of an engine, and those that are chosen in their place."""

from __future__ import annotations

import pytest

from viewer.check.limits import NO_LIMITS, Limits, limits_of


@pytest.mark.parametrize(("family", "bones"), [("Urho3D", 64), ("OGRE", 256), ("WoW", None), ("BLP", None)])
def test_without_a_choice_the_limits_are_those_of_the_engine(family: str, bones: int | None) -> None:
    assert limits_of(family, NO_LIMITS).bones == bones
    assert limits_of(family, NO_LIMITS).triangles is None


def test_a_chosen_limit_counts_and_leaves_the_others() -> None:
    found = limits_of("Urho3D", Limits(bones=32, triangles=9000))
    assert found == Limits(bones=32, influences=4, triangles=9000)
