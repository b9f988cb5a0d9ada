"""Rules for the times of keys fire on clips made to break them, and on no sound one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.checked import chain, clip, findings, nod, texts, told, track
from viewer.check.clips.keys import RULES
from viewer.scene.document import Origin
from viewer.scene.items import KeyItem, TrackItem

BONES = chain("hip", "spine", "head")


@pytest.mark.parametrize("rule", [rule.id for rule in RULES])
def test_a_sound_clip_has_no_findings(rule: str) -> None:
    assert texts(rule, BONES, clip(nod("hip"), nod("spine"), nod("head"))) == []


def test_keys_out_of_order_are_told() -> None:
    text = "clip 'Walk': 1 of 2 channels have keys that are not in the order of time (head rotation)"
    assert told("animation/key-order", nod("hip"), nod(times=(0, 0.8, 0.4))) == [text]


def test_doubled_keys_are_told() -> None:
    text = "clip 'Walk': 1 of 1 channel has several keys at one time (head rotation)"
    assert told("animation/doubled-key", nod(times=(0, 1, 1))) == [text]


@pytest.mark.parametrize(("times", "at"), [((0, 0.5, 1.5), "1.5"), ((-0.5, 0.5, 1), "-0.5")])
def test_keys_outside_the_clip_are_told(times: Any, at: str) -> None:
    text = (
        f"clip 'Walk': 1 of 1 channel has keys outside the clip of 1 s, the farthest at {at} s (head "
        "rotation)"
    )
    assert told("animation/late-key", nod(times=times)) == [text]


def test_old_sequences_of_wow_share_a_time_line() -> None:
    assert texts("animation/late-key", BONES, clip(nod(times=(0, 0.5, 1.5))), format="WoW M2 model") == []


def test_a_clip_whose_keys_end_early_is_told() -> None:
    assert told("animation/early-end", nod(times=(0, 0.4, 0.8))) == [
        "clip 'Walk': the last key is at 0.8 s, but the clip ends at 1 s"
    ]
    assert told("animation/early-end", nod(times=(0, 0.4, 0.8)), nod("hip")) == []
    assert told("animation/early-end", nod(times=(0, 0.4, 0.97))) == []
    assert told("animation/early-end", nod(times=(0, 1 / 3, 2 / 3))) == []  # a key for each frame of a loop
    assert len(told("animation/early-end", track("head", "position", (0, 0.8), ((0, 0, 0), (1, 0, 0))))) == 1


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_keys_that_are_not_finite_are_told(wrong: float) -> None:
    text = "clip 'Walk': 1 of 2 channels have keys that are not finite (head rotation)"
    assert told("animation/not-finite", nod("hip"), nod(last=(0, 0, 0, wrong))) == [text]
    assert told("animation/not-finite", nod("hip"), nod(times=(0, 0.5, wrong))) == [text]
    huge = track("hip", "position", (0, 1), ((3e38, 0, 0), (3e38, 0, 0)))
    assert told("animation/not-finite", huge) == []


@pytest.mark.parametrize(
    ("rule", "times", "key"),
    [
        ("animation/late-key", (-0.5, 0.5, 1), 0),
        ("animation/late-key", (0, 0.5, 1.5), 2),
        ("animation/doubled-key", (0, 0, 1), 1),
        ("animation/early-end", (0, 0.4, 0.8), 2),
    ],
)
def test_a_finding_leads_to_the_key(rule: str, times: Any, key: int) -> None:
    track = TrackItem(None, 0)
    origin = Origin(tracks=lambda: {"Walk": {"head": track}})
    (found,) = findings(rule, BONES, clip(nod(times=times)), origin=origin)
    assert found.items[0] == KeyItem(track, key)
