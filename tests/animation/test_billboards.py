"""Bones that ignore a part of their parent or turn to the camera, by values worked out by hand.

Source of the rules: Deamon87 WebWowViewerCpp, `AnimationManager`; wowserhq/scene.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from viewer.animation.pose import Layer, pose
from viewer.scene.animation import Animation, Composition, Track
from viewer.scene.maths import transform
from viewer.scene.skeleton import Billboard, Ignores, Skeleton

QUARTER = (0.0, 0.0, 0.5**0.5, 0.5**0.5)
"""Around Z: X becomes Y."""
SIDE = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
"""A camera in front of a model that faces +X, with Z up: X towards the viewer, Y to the right."""
ABOVE = np.eye(3)
"""A camera that looks down on X to the right, Y up."""


def skeleton(ignores: int = 0, billboard: int = 0, last: int = 0) -> Skeleton:
    """A parent at the origin, a child whose pivot is (1, 0, 0), and below it one at (2, 0, 0)."""
    pivots = np.array([(0.0, 0, 0), (1, 0, 0), (2, 0, 0)])
    inverse = np.tile(np.eye(3, 4), (3, 1, 1))
    inverse[:, :, 3] = -pivots
    return Skeleton(
        names=("a", "b", "c"),
        parents=np.array([-1, 0, 1]),
        positions=np.array([(0.0, 0, 0), (1, 0, 0), (1, 0, 0)]),
        rotations=np.tile((0.0, 0, 0, 1), (3, 1)),
        scales=np.ones((3, 3)),
        inverse_bind=inverse,
        pivots=pivots,
        ignores=np.array([0, ignores, last], np.uint8),
        billboards=np.array([0, billboard, 0], np.uint8),
    )


def still(**values: tuple[float, ...]) -> Layer:
    """A clip of one key a track: `a_rotation=QUARTER`."""
    tracks = tuple(
        Track(name[0], name[2:], np.zeros(1), np.array([value], np.float32)) for name, value in values.items()
    )
    return Layer(Animation("still", 1.0, tracks, ("a", "b", "c"), composition=Composition.PIVOT), 0.0)


PARENT: dict[str, Any] = {"a_rotation": QUARTER, "a_scale": (2, 2, 2), "a_position": (0, 0, 5)}


def matrix(skin: np.ndarray) -> list[list[float]]:
    return [[round(float(value), 5) + 0.0 for value in row] for row in skin]


def test_a_bone_that_ignores_nothing_follows_its_parent_whole() -> None:
    skin = pose(skeleton(), [still(**PARENT)]).skin[1]
    assert matrix(skin) == [[0, -2, 0, 0], [2, 0, 0, 0], [0, 0, 2, 5]]


@pytest.mark.parametrize(
    ("ignores", "axes"),
    [
        (Ignores.SCALE | Ignores.ROTATION, [[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
        (Ignores.ROTATION, [[2, 0, 0], [0, 2, 0], [0, 0, 2]]),
        (Ignores.SCALE, [[0, -1, 0], [1, 0, 0], [0, 0, 1]]),
    ],
)
def test_what_is_ignored_is_the_models_own_and_the_pivot_stays_with_the_parent(
    ignores: int, axes: list[list[float]]
) -> None:
    skin = pose(skeleton(ignores), [still(**PARENT)]).skin[1]
    assert matrix(skin[:, :3]) == axes
    assert transform(skin, np.array((1.0, 0, 0))) == pytest.approx((0, 2, 5), abs=1e-6)


def test_an_ignored_translation_is_that_of_the_model() -> None:
    skin = pose(skeleton(Ignores.TRANSLATION), [still(**PARENT)]).skin[1]
    assert matrix(skin) == [[0, -2, 0, 0], [2, 0, 0, 0], [0, 0, 2, 0]]


def test_bones_below_inherit_what_is_left_and_may_ignore_themselves() -> None:
    ignores = Ignores.SCALE | Ignores.ROTATION
    upright = pose(skeleton(ignores), [still(**PARENT, b_rotation=QUARTER)])
    assert matrix(upright.skin[2][:, :3]) == [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    assert transform(upright.skin[2], np.array((2.0, 0, 0))) == pytest.approx((0, 3, 5), abs=1e-6)
    both = pose(skeleton(ignores, last=Ignores.ROTATION), [still(**PARENT, b_rotation=QUARTER)])
    assert matrix(both.skin[2][:, :3]) == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]


def test_a_whole_billboard_turns_its_x_to_the_viewer_and_its_pivot_stays() -> None:
    skin = pose(skeleton(billboard=Billboard.WHOLE), [still(**PARENT)], ABOVE).skin[1]
    assert matrix(skin[:, :3]) == [[0, 2, 0], [0, 0, 2], [2, 0, 0]]
    assert transform(skin, np.array((1.0, 0, 0))) == pytest.approx((0, 2, 5), abs=1e-6)


def test_seen_from_where_it_faces_a_billboard_lies_as_it_was() -> None:
    skin = pose(skeleton(billboard=Billboard.WHOLE), [], SIDE).skin[1]
    assert matrix(skin) == [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]


def test_the_own_rotation_of_a_billboard_turns_it_further() -> None:
    skin = pose(skeleton(billboard=Billboard.WHOLE), [still(b_rotation=QUARTER)], SIDE).skin[1]
    assert matrix(skin[:, :3]) == [[0, -1, 0], [1, 0, 0], [0, 0, 1]]


@pytest.mark.parametrize(
    ("kind", "columns"),
    [
        (Billboard.X, [(0, 1, 0), (1, 0, 0), (0, 0, 1)]),
        (Billboard.Y, [(-1, 0, 0), (0, 1, 0), (0, 0, 1)]),
        (Billboard.Z, [(0, 0, -1), (1, 0, 0), (0, 1, 0)]),
    ],
)
def test_a_billboard_around_an_axis_keeps_it(kind: Billboard, columns: list[tuple[float, ...]]) -> None:
    """Its own axis is up on the screen."""
    view = np.zeros((3, 3))
    axis = {Billboard.X: 0, Billboard.Y: 1, Billboard.Z: 2}[kind]
    for row, column in enumerate(((axis + 2) % 3, axis, (axis + 1) % 3)):
        view[row, column] = 1
    skin = pose(skeleton(billboard=kind), [], view).skin[1]
    assert matrix((view @ skin[:, :3]).T) == [list(each) for each in columns]


def test_without_a_camera_billboards_stay_as_they_are() -> None:
    skin = pose(skeleton(billboard=Billboard.WHOLE), [still(**PARENT)]).skin[1]
    assert matrix(skin) == [[0, -2, 0, 0], [2, 0, 0, 0], [0, 0, 2, 5]]


def test_a_stepped_track_holds_until_its_next_key() -> None:
    track = Track("a", "position", np.array((0.0, 1.0)), np.array([(0, 0, 0), (4, 0, 0)], "f4"), stepped=True)
    clip = Animation("steps", 2.0, (track,), ("a",), composition=Composition.PIVOT)
    xs = [pose(skeleton(), [Layer(clip, time)]).skin[0][0, 3] for time in (0.0, 0.99, 1.0, 1.5)]
    assert xs == [0, 0, 4, 4]


def test_a_billboard_without_a_parent_follows_no_other_bone() -> None:
    alone = replace(skeleton(), billboards=np.array([Billboard.WHOLE, 0, 0], np.uint8))
    still_there = pose(alone, [], ABOVE).skin[0]
    moved = pose(alone, [still(c_position=(0, 0, 9))], ABOVE).skin[0]
    assert matrix(moved) == matrix(still_there)
