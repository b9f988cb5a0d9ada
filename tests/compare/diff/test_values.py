"""Any values of the scene compared."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from viewer.compare.diff.deviation import EXACT, Tolerance
from viewer.compare.diff.values import changed_values
from viewer.scene.animation import Animation
from viewer.scene.emitter import Curve, Emitter
from viewer.scene.material import Appearance, ClipTime, Material

TOLERANCE = Tolerance(0.0)
METAL = Material("metal", parameters={"a": "1"})


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (1.0, 1.0 + 1e-9, []),
        (1.0, 1.5, ["x: 1 → 1.5"]),
        (float("nan"), float("nan"), []),
        (None, 2, ["x: none → 2"]),
        (True, False, ["x: yes → no"]),
        ((1, 2), (1, 3), ["x: 1 2 → 1 3"]),
        (["a"] * 9, ["a"] * 10, ["x: 9 → 10"]),
        ({"a": 1}, {"b": 1}, ["x a: 1 → none", "x b: none → 1"]),
        (np.zeros((9, 2)), np.zeros((9, 2)), []),
        (np.zeros((9, 2)), np.full((9, 2), 0.5), ["x: differs by up to 0.5"]),
        (np.zeros((9, 2)), np.zeros((8, 2)), ["x: 9 × 2 → 8 × 2"]),
        (np.full(9, np.nan), np.full(9, np.nan), []),
        (np.zeros(2), None, ["x: 0 0 → none"]),
        (np.zeros(9, "S1,f4"), np.zeros(9, "S1,f4"), []),
        (np.zeros(9, "S1,f4"), np.zeros(9, "S1,f8"), ["x: differs"]),
        ("a" * 90, "b", [f"x: {'a' * 59}… → b"]),
    ],
)
def test_values_are_compared_by_their_kind(one: Any, other: Any, expected: list[str]) -> None:
    assert list(changed_values(one, other, TOLERANCE, "x")) == expected


def test_records_are_compared_field_by_field() -> None:
    other = replace(METAL, blend="alpha", uv_set=1, parameters={"a": "2"})
    assert list(changed_values(METAL, other, TOLERANCE)) == [
        "blend: replace → alpha",
        "uv set: 0 → 1",
        "parameters a: 1 → 2",
    ]
    assert list(changed_values(METAL, other, TOLERANCE, only=("blend",))) == ["blend: replace → alpha"]
    assert len(list(changed_values(METAL, other, TOLERANCE, without=("blend", "uv_set")))) == 1


def test_exact_numbers_are_asked_for() -> None:
    assert list(changed_values(1.0, 1.0 + 1e-9, EXACT, "x"))


def test_functions_of_time_are_compared_at_a_few_times() -> None:
    def fading(speed: float) -> Any:
        def motion(at: ClipTime) -> Appearance:
            return Appearance((1.0, 1.0, 1.0, 1.0 - speed * at.time))

        return motion

    one, other = (replace(METAL, motion=fading(speed)) for speed in (0.5, 1.0))
    assert list(changed_values(one, replace(METAL, motion=fading(0.5)), TOLERANCE)) == []
    assert list(changed_values(one, other, TOLERANCE)) == ["motion[0]: 1 1 1 0.9375 → 1 1 1 0.875 at 0.125 s"]


def test_functions_of_an_animation_are_compared_for_each_clip() -> None:
    walk, run = Animation("Walk", 1.0, ()), Animation("Run", 1.0, ())

    def emitter(rate: float) -> Emitter:
        def curves(clip: Animation | None) -> dict[str, Curve]:
            value = rate if clip is run else 1.0
            return {"rate": Curve(np.zeros(1), np.full(1, value))}

        return Emitter("plane", 0, (0.0, 0.0, 0.0), 0, 0, curves=curves)

    pair = emitter(1.0), emitter(2.0)
    assert list(changed_values(*pair, TOLERANCE, clips=((walk, walk),))) == []
    assert list(changed_values(*pair, TOLERANCE, clips=((walk, walk), (run, run)))) == ["rate values: 1 → 2"]


def test_the_texts_of_one_value_are_bounded() -> None:
    one, other = {str(n): n for n in range(1000)}, {str(n): n + 1 for n in range(1000)}
    assert len(list(changed_values(one, other, TOLERANCE))) == 50
