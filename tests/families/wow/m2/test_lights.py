"""Lights of every generation: at first, over time, and damaged."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from tests import m2_files
from tests.m2_files import CLASSIC, GENERATIONS, keys
from tests.opened import opened_file
from viewer.families.wow.m2.layout.fields import VersionTraits
from viewer.families.wow.m2.load import load_model
from viewer.scene.document import Document
from viewer.scene.material import AT_FIRST, ClipTime
from viewer.scene.model import Light

EVERY = pytest.mark.parametrize("generation", GENERATIONS, ids=lambda each: str(each.version))


def loaded(generation: VersionTraits, **tracks: Any) -> tuple[Document, Light]:
    record = {"type": 1, "bone": 2, "position": (1, 2, 3), **tracks}
    document = load_model(opened_file(Path("made.m2"), m2_files.model(generation, lights=[record])))
    assert document.model is not None
    (light,) = document.model.lights
    return document, light


def test_a_light_without_keys_is_white_and_never_changes() -> None:
    _, light = loaded(CLASSIC)
    assert (light.type, light.bone, light.position) == ("point", 2, (1.0, 2.0, 3.0))
    assert (light.diffuse, light.ambient, light.visible) == ((1.0, 1.0, 1.0), (1.0, 1.0, 1.0), True)
    assert light.motion is None and light.at(ClipTime(3.0)) is light


@EVERY
def test_its_tracks_follow_the_sequence(generation: VersionTraits) -> None:
    document, light = loaded(
        generation,
        diffuse=keys(generation, [([0, 1000], [(1, 0, 0), (0, 1, 0)]), ([0], [(0, 0, 1)])]),
        diffuse_intensity=keys(generation, [([0, 1000], [2.0, 4.0]), ([0], [0.5])]),
        attenuation_end=keys(generation, [([0, 1000], [8.0, 4.0]), ([0], [1.0])]),
        visible=keys(generation, [([0, 500], [1, 0]), ([0], [1])], interpolation=0),
    )
    stand, walk = document.animations[:2]
    early, late = (light.at(ClipTime(time, stand, time)) for time in (0.25, 0.75))
    assert early.diffuse == pytest.approx((0.75 * 2.5, 0.25 * 2.5, 0.0))
    assert late.attenuation == pytest.approx((0.0, 5.0))
    assert (early.visible, late.visible) == (True, False)
    assert light.at(ClipTime(1.0, walk, 1.0)).diffuse == pytest.approx((0.0, 0.0, 0.5))
    assert light.diffuse == light.at(AT_FIRST).diffuse == (2.0, 0.0, 0.0)


def test_a_global_sequence_runs_by_itself() -> None:
    own = keys(CLASSIC, [([0, 400], [0.0, 4.0])], global_sequence=0)
    document, light = loaded(CLASSIC, ambient_intensity=own)
    assert light.at(ClipTime(10.1, document.animations[0], 0.0)).ambient == pytest.approx((1.0, 1.0, 1.0))


@pytest.mark.usefixtures("any_numbers")
def test_numbers_that_are_none_count_as_0() -> None:
    _, light = loaded(
        CLASSIC,
        diffuse=keys(CLASSIC, [([0], [(math.nan, math.inf, 1.0)])]),
        diffuse_intensity=keys(CLASSIC, [([0], [0.0])]),
        attenuation_start=keys(CLASSIC, [([0], [math.nan])]),
    )
    assert light.diffuse[0] == 0.0 and all(map(math.isfinite, light.diffuse))
    assert light.attenuation[0] == 0.0
