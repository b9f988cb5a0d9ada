"""Guesses the up axis of a file from the names and positions of its bones."""

from __future__ import annotations

import numpy as np

from viewer.animation.pose import Pose, rest
from viewer.arrays import Array
from viewer.scene.bone_names import FEET, FLYING, HEAD, HELPERS, LEG, TOES, words_of
from viewer.scene.choices import UpAxis
from viewer.scene.display import points_up
from viewer.scene.skeleton import Skeleton
from viewer.view.view_snapshot import ViewSnapshot

CLEARLY = 2.0
"""The head must be above the feet by at least this multiple of its sideways distance from the feet."""
LEVEL = 0.5
"""The largest difference in height between the feet, as a share of the head's height above the feet."""
TRUNK = 0.2
"""The smallest height of a leg's first bone above its foot, as a share of the head's height."""


def first_up(view: ViewSnapshot) -> UpAxis:
    """The up axis of the first view: the user's choice; without one, Z if named bones show a model that
    stands along Z; otherwise the axis of the file. Z is chosen only if the rest pose stands along Z and the
    shown pose does not stand along Y.
    """
    if view.display.up is not None:
        return view.display.up
    skeleton = view.skeleton
    known = view.model is not None and points_up(view.model.to_world, UpAxis.Z)
    if skeleton is None or known or not _stands(skeleton, rest(skeleton), 2, 1):
        return UpAxis.FILE
    shown = view.pose(view.playback.clock.time)
    doubtful = shown is not None and _stands(skeleton, shown, 1, 2)
    return UpAxis.FILE if doubtful else UpAxis.Z


def _stands(skeleton: Skeleton, pose: Pose, axis: int, other: int) -> bool:
    """Whether a posed skeleton stands along `axis` (0 to 2), clearly more than along the `other` axis."""
    words = [words_of(name) for name in skeleton.names]
    if any(each & FLYING for each in words):
        return False
    heads, feet = _named(words, HEAD), _named(words, FEET | TOES) or _leg_ends(skeleton, words)
    if not heads or not feet:
        return False
    up, aside = pose.world[:, axis, 3], pose.world[:, other, 3]
    gap = float(up[heads].min() - up[feet].max())
    low, high = aside[feet].min(), aside[feet].max()
    beside = max(float(low - aside[heads].max()), float(aside[heads].min() - high), 0.0)
    level = float(np.ptp(up[feet])) <= LEVEL * gap
    if not (gap > 0 and gap >= CLEARLY * beside and level):
        return False
    return any(_carries(skeleton, up, aside, heads[0], foot) for foot in feet)


def _carries(skeleton: Skeleton, up: Array, aside: Array, head: int, foot: int) -> bool:
    """Whether the leg of a foot begins above the foot. A leg begins at the lowest common ancestor of foot and
    head.
    """
    chain = set(skeleton.above(head))
    trunk = next((bone for bone in skeleton.above(foot) if bone in chain), None)
    if trunk is None:
        return False
    rise = float(up[trunk] - up[foot])
    return rise >= TRUNK * float(up[head] - up[foot]) and rise > abs(float(aside[trunk] - aside[foot]))


def _named(words: list[frozenset[str]], vocabulary: frozenset[str]) -> list[int]:
    return [number for number, each in enumerate(words) if each & vocabulary and not each & HELPERS]


def _leg_ends(skeleton: Skeleton, words: list[frozenset[str]]) -> list[int]:
    legs = _named(words, LEG)
    above = {int(skeleton.parents[bone]) for bone in legs}
    return [bone for bone in legs if bone not in above]
