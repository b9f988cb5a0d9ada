"""Guesses which way a model faces, from left and right bones and from feet with toes.

The rest pose is used for the guess, because it is symmetric. Then the turn of the shown pose relative to the
rest pose is added.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from msgspec.structs import replace

from viewer.animation.pose import rest
from viewer.arrays import Array
from viewer.scene.camera import Orbit
from viewer.scene.maths import transform
from viewer.scene.skeleton import Skeleton
from viewer.view.view_snapshot import ViewSnapshot

SIDES = re.compile("left|l", re.I)
OTHER_SIDE = {"left": "right", "l": "r"}
"""The words for the left side in bone names, each with its word for the right side."""
AGREEING = 0.6
"""Directions agree if the length of their sum is at least this share of the sum of their lengths."""
LOW, LEG = 0.12, 0.3
"""The largest height of an ankle, and the smallest height at which a leg begins. Both are measured from the
lowest bone, as shares of the skeleton's height.
"""
FOOT = 0.02
"""The shortest horizontal reach of a foot from ankle to toes, as a share of the skeleton's height."""
QUARTER, SEEN = 90.0, 60.0
"""Angles in degrees: the step in which the camera turns, and the largest angle between camera and front at
which the camera does not turn.
"""


def turned_to_front(view: ViewSnapshot, orbit: Orbit) -> Orbit:
    """Return `orbit`, turned in quarters until it shows the side that the model faces when its clip begins.

    The orbit stays unchanged if the bones show no direction, or if the left and right bones contradict the
    feet.
    """
    start, _ = view.playback.clock.range or (0.0, 0.0)
    pose, skeleton = view.pose(start), view.skeleton
    if pose is None or skeleton is None or view.model is None or not len(skeleton):
        return orbit
    to_world = view.display.to_world(view.model)[None, :3]
    points, shown = (
        np.nan_to_num(transform(to_world, each.world[:, :, 3])) for each in (rest(skeleton), pose)
    )
    fronts = [each for each in (_by_sides(skeleton, points), _by_feet(skeleton, points)) if each is not None]
    if not fronts or float(fronts[0] @ fronts[-1]) <= 0:
        return orbit
    x, z = np.sum(fronts, axis=0)
    front = _angle(x, z) + _turn(points, shown)
    away = (front - orbit.yaw + 180.0) % 360.0 - 180.0
    if abs(away) <= SEEN:
        return orbit
    return replace(orbit, yaw=(orbit.yaw + round(away / QUARTER) * QUARTER) % 360.0)


def _angle(x: float, z: float) -> float:
    """The yaw in degrees of a horizontal direction."""
    return float(np.degrees(np.arctan2(x, z)))


def _turn(before: Array, after: Array) -> float:
    """The angle in degrees of the turn around +Y that best moves the points `before` [N, 3] to `after`."""
    a, b = (points - points.mean(axis=0) for points in (before, after))
    across = (b[:, 0] * a[:, 2] - b[:, 2] * a[:, 0]).sum()
    return _angle(across, (a[:, 0] * b[:, 0] + a[:, 2] * b[:, 2]).sum())


def _by_sides(skeleton: Skeleton, points: Array) -> Array | None:
    """[2]: the horizontal direction (x, z) in which the model faces, from pairs of left and right bones; None
    if there are no pairs.
    """
    numbers = {name: number for number, name in enumerate(skeleton.names)}
    pairs = [
        (numbers[name], numbers[other]) for name in numbers for other in _partners(name) if other in numbers
    ]
    if not pairs:
        return None
    left, right = np.array(pairs).T
    aside = (points[left] - points[right])[:, (0, 2)]
    return _agreed(np.stack((-aside[:, 1], aside[:, 0]), axis=1))


def _partners(name: str) -> Iterator[str]:
    """If `name` is the name of a left bone, yield the possible names of the right bone: `Lfoot` gives
    `Rfoot`.
    """
    for found in SIDES.finditer(name):
        word = found[0]
        other = OTHER_SIDE[word.lower()]
        other = other.upper() if word.isupper() else other.title() if word.istitle() else other
        yield name[: found.start()] + other + name[found.end() :]


def _by_feet(skeleton: Skeleton, points: Array) -> Array | None:
    """[2]: the horizontal direction (x, z) in which the model faces, from the ankles to the toes; None if
    there are not two feet.

    Feet need no names: a foot is a chain of bones near the ground at the end of a leg.
    """
    parents, heights = skeleton.parents, points[:, 1] - points[:, 1].min()
    tall = float(heights.max())
    feet: dict[int, list[Array]] = {}
    for toe in set(range(len(parents))) - {int(parent) for parent in parents}:
        ankle = bone = toe
        while bone >= 0 and heights[bone] <= LOW * tall:
            ankle, bone = bone, int(parents[bone])
        while bone >= 0 and heights[bone] < LEG * tall:
            bone = int(parents[bone])
        reach = (points[toe] - points[ankle])[[0, 2]]
        if bone >= 0 and float(np.linalg.norm(reach)) >= FOOT * tall > 0:
            feet.setdefault(ankle, []).append(reach)
    return _agreed(np.array([np.mean(each, axis=0) for each in feet.values()])) if len(feet) > 1 else None


def _agreed(directions: Array) -> Array | None:
    """[2]: the unit vector of the sum of directions [N, 2]; None if they do not agree."""
    total = directions.sum(axis=0)
    length = float(np.linalg.norm(total))
    agree = length > AGREEING * float(np.linalg.norm(directions, axis=1).sum())
    return total / length if agree and length > 0 else None
