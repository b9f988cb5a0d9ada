"""Vertices that move without bones: weights and shapes as functions of time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from viewer.animation.pose import Layer, pose
from viewer.animation.vertex_animation import VertexTimes, morph_weights, shape_blends
from viewer.scene.animation import Animation, Composition, MorphTrack, ShapeTrack
from viewer.scene.mesh.vertices import ShapeBlend
from viewer.scene.skeleton import BONELESS

TIMES = np.array((0, 1, 2), np.float32)
WEIGHTS = np.array([(0, 1), (1, 0), (0.5, 0)], np.float32)


def clip(**tracks: Any) -> Animation:
    return Animation("clip", 2.0, (), composition=Composition.RELATIVE, **tracks)


MORPHING = clip(morph_tracks=(MorphTrack(np.array((3, 5)), TIMES, WEIGHTS),))
SHAPING = clip(shape_tracks=(ShapeTrack(7, TIMES, np.array((10, 11, 12))),))


@pytest.mark.parametrize(
    ("time", "looped", "expected"),
    [(0.25, True, (0.25, 0.75)), (1.5, True, (0.75, 0)), (2, True, (0, 1)), (2, False, (0.5, 0))],
)
def test_weights_between_keys(time: float, looped: bool, expected: tuple[float, float]) -> None:
    made = morph_weights(MORPHING, np.array([time]), looped)
    assert (made[3], made[5]) == pytest.approx(expected)


def test_weights_of_layers_are_added_each_with_its_own() -> None:
    made = pose(BONELESS, [Layer(MORPHING, 1.0, 0.5), Layer(MORPHING, 0.0)])
    assert made.morphs == pytest.approx({3: 0.5, 5: 1.0})


@pytest.mark.usefixtures("any_numbers")
def test_weights_that_are_no_numbers_are_posed_without_a_warning() -> None:
    weights = np.array([(np.inf, 3e38), (np.inf, -3e38), (np.nan, 0)], np.float32)
    wild = clip(morph_tracks=(MorphTrack(np.array((3, 5)), TIMES, weights),))
    assert set(pose(BONELESS, [Layer(wild, 0.5)]).morphs) == {3, 5}


@pytest.mark.parametrize(
    ("time", "first", "second", "factor"),
    [(0.25, 10, 11, 0.25), (1.0, 11, 11, 0.0), (1.75, 11, 12, 0.75), (-1, 10, 10, 0.0)],
)
def test_shapes_between_keys(time: float, first: int, second: int, factor: float) -> None:
    _, blends = VertexTimes(shapes=shape_blends(SHAPING, np.array([time]), False)).at(0)
    assert blends == {7: ShapeBlend(first, second, pytest.approx(factor))}


def test_the_last_layer_has_the_shape() -> None:
    made = pose(BONELESS, [Layer(SHAPING, 0.0, 0.3), Layer(SHAPING, 1.0, 0.1)])
    assert made.shapes[7].first == 11


def test_tracks_without_keys_do_nothing() -> None:
    empty = np.empty(0, np.float32)
    still = clip(
        morph_tracks=(MorphTrack(np.array((1,)), empty, np.empty((0, 1))),),
        shape_tracks=(ShapeTrack(0, empty, empty),),
    )
    made = pose(BONELESS, [Layer(still, 0.5)])
    assert not made.morphs
    assert not made.shapes
