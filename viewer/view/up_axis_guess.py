"""Guesses the up axis of a file from the names and positions of its bones."""

from __future__ import annotations

import re

import numpy as np

from viewer.animation.pose import Pose, rest
from viewer.arrays import Array
from viewer.scene.choices import UpAxis
from viewer.scene.display import points_up
from viewer.scene.skeleton import Skeleton
from viewer.view.view_snapshot import ViewSnapshot

WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
"""A word in the name of a bone: `Bip01_LToe0` has the words Bip, L and Toe."""
SIDE = re.compile(r"^(left|right|l|r)(?=head|foot|feet|toe|leg|hoof|paw)")
HEAD = frozenset(("head",))
FEET = frozenset(("foot", "feet", "toe", "toes", "hoof", "hooves", "paw", "paws"))
LEG = frozenset(("leg",))
"""Words in the names of leg bones. The last bones of the legs count as feet if no bone has the name of a
foot.
"""
HELPERS = frozenset(("ik", "pole", "target", "ctrl", "control", "effector"))
"""Words in the names of bones that do not belong to the body."""
FLYING = frozenset(("wing", "wings", "fin", "fins", "flipper"))
"""Words in bone names of animals that may fly or swim with their feet stretched backwards. The up axis of
such an animal is not guessed.
"""
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
    words = [_words(name) for name in skeleton.names]
    if any(each & FLYING for each in words):
        return False
    heads, feet = _named(words, HEAD), _named(words, FEET) or _leg_ends(skeleton, words)
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
    chain = set(_ancestors(skeleton, head))
    trunk = next((bone for bone in _ancestors(skeleton, foot) if bone in chain), None)
    if trunk is None:
        return False
    rise = float(up[trunk] - up[foot])
    return rise >= TRUNK * float(up[head] - up[foot]) and rise > abs(float(aside[trunk] - aside[foot]))


def _ancestors(skeleton: Skeleton, bone: int) -> list[int]:
    found = []
    while (bone := int(skeleton.parents[bone])) >= 0:
        found.append(bone)
    return found


def _words(name: str) -> frozenset[str]:
    """The words of a bone's name in lower case, without the side: `Lfoot` gives foot."""
    return frozenset(SIDE.sub("", each.casefold()) for each in WORD.findall(name))


def _named(words: list[frozenset[str]], vocabulary: frozenset[str]) -> list[int]:
    return [number for number, each in enumerate(words) if each & vocabulary and not each & HELPERS]


def _leg_ends(skeleton: Skeleton, words: list[frozenset[str]]) -> list[int]:
    legs = _named(words, LEG)
    above = {int(skeleton.parents[bone]) for bone in legs}
    return [bone for bone in legs if bone not in above]
