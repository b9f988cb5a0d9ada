"""Animation records to the scene."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.synthetic import animation_bytes, track
from viewer.binary import Cursor, Struct
from viewer.errors import Report
from viewer.families.urho3d.animation import build_animation
from viewer.families.urho3d.animation_layout import ANIMATION
from viewer.scene.animation import Animation


def build(report: Report | None = None, **changed: Any) -> Animation:
    record = ANIMATION.read(Cursor(animation_bytes(**changed)))
    return build_animation(record, (), "x.ani", report if report is not None else Report())


def test_channels_share_their_times() -> None:
    animation = build()
    assert [(t.target, t.path) for t in animation.tracks] == [("tip", "position"), ("tip", "rotation")]
    assert animation.tracks[0].times is animation.tracks[1].times
    assert animation.keyframes == 3


def test_rotations_come_out_as_xyzw() -> None:
    assert build().tracks[1].values[0].tolist() == [0, 0, 0, 1]


def test_a_track_without_channels_is_still_a_target() -> None:
    animation = build(tracks=[track("still", [0.0, 1.0])])
    assert (animation.targets, animation.tracks) == (("still",), ())


def test_the_later_of_two_tracks_of_one_name_counts() -> None:
    report = Report()
    animation = build(
        report, tracks=[track("a", [0.0], position=[[1, 0, 0]]), track("a", [0.0], scale=[[2, 2, 2]])]
    )
    assert [(t.path, t.values.tolist()) for t in animation.tracks] == [("scale", [[2, 2, 2]])]
    assert animation.targets == ("a",)
    assert "two tracks have the name 'a'" in report.warnings[0]


@pytest.mark.parametrize("length", [np.nan, np.inf, -1.0])
def test_a_length_that_makes_no_sense_counts_as_zero(length: float) -> None:
    report = Report()
    assert build(report, length=length).duration == 0
    assert "length" in report.warnings[0]


def test_keys_out_of_order_are_reported() -> None:
    report = Report()
    build(report, tracks=[track("a", [1.0, 0.0], position=[[0, 0, 0]] * 2)])
    assert "not sorted" in report.warnings[0]


def test_keys_that_are_not_numbers_are_reported() -> None:
    report = Report()
    build(report, tracks=[track("a", [0.0], position=[[np.nan, 0, 0]])])
    assert "not every position" in report.warnings[0]


def test_variant_tracks_are_shown() -> None:
    values = np.zeros(2, np.dtype([("time", "<f4"), ("value", "<f4")]))
    variant = Struct(name="@/Light/Range", variant=3, interpolation=1, tension=0.0, key_count=2, keys=values)
    animation = build(magic="UAN2", version=2, variant_tracks=[variant])
    (note,) = animation.notes
    assert (note.target, note.type, note.interpolation, note.keys) == ("@/Light/Range", "float", "linear", 2)
