"""The bones that are feet: the user's list, or a guess by the names of the bones and by the rest pose."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import numpy as np
from msgspec import Struct

from viewer.animation.pose import rest
from viewer.arrays import Array
from viewer.lru import kept_with
from viewer.scene.bone_names import ENDS, FLYING, HELPERS, SOLES, words_of
from viewer.scene.names import find_name
from viewer.scene.skeleton import Skeleton

Source = Literal["given", "names", "pose"]
"""Where a list of feet comes from: from the user, from the names of bones, or from the rest pose alone."""

LOW = 0.25
"""The largest height of a foot, or of the end of a leg, above the lowest bone, as a share of the skeleton's
height.
"""
LIFTED = 0.1
"""A foot has a bone above it that is higher by at least this share of the skeleton's height."""
ALIKE = 0.03
"""The largest difference between two legs, as a share of the skeleton's height: in the height of each bone,
and in its distance from the bone that carries both legs.
"""
LOWEST = 0.05
"""The largest height of the end of a leg above the lowest such end, as a share of the skeleton's height."""
ANKLE = 0.1
"""The largest height of a foot above the end of its leg, as a share of the skeleton's height."""
LEG_BONES = 3
"""The smallest number of bones in a leg, from the hip to its end."""
LEG_HEIGHT = 0.2
"""The smallest height of the bone that carries two legs above their ends, as a share of the skeleton's
height.
"""
MOST_ENDS, MOST_FEET = 100, 8
"""The largest number of bones among which the ends of legs are searched, and the largest number of feet that
the rest pose shows.
"""


class Feet(Struct, frozen=True):
    """The numbers of the bones that are feet, ascending, and the source of the list. Without `bones`, no foot
    is known.
    """

    bones: tuple[int, ...] = ()
    source: Source = "names"

    @property
    def guessed(self) -> bool:
        """Whether the program chose the bones."""
        return self.source != "given"


NO_FEET = Feet()


@kept_with
def _known_guesses(skeleton: Skeleton) -> dict[tuple[float, float, float], Feet]:
    """The guesses for a skeleton by the up vector."""
    return {}


def given_feet(skeleton: Skeleton, names: Iterable[str]) -> Feet:
    """The feet with these names. ResourceError for an unknown name; the error lists similar names."""
    return Feet(tuple(sorted({find_name("bone", name, skeleton.names) for name in names})), "given")


def guessed_feet(skeleton: Skeleton, up: tuple[float, float, float]) -> Feet:
    """Guess which bones are feet. `up` is the unit vector that points up in the file's axes.

    A foot has a word for a foot in its name, lies low in the rest pose, and hangs on higher bones. If one leg
    has several such bones, the last one counts. Without such names, feet are the ankles of two legs of the
    same form that end lowest. A model of which neither is true has no feet.
    """
    known = _known_guesses(skeleton)
    if up not in known:
        known[up] = _guessed(skeleton, np.array(up))
    return known[up]


def _guessed(skeleton: Skeleton, up: Array) -> Feet:
    if not len(skeleton):
        return NO_FEET
    points = rest(skeleton).world[:, :, 3]
    heights = points @ up
    size = float(np.ptp(heights))
    if not (np.isfinite(points).all() and size > 0):
        return NO_FEET
    heights = (heights - heights.min()) / size
    words = [words_of(name) for name in skeleton.names]
    named = _named(skeleton, words, heights)
    return Feet(named) if named else Feet(_standing(skeleton, words, heights, points / size), "pose")


def _named(skeleton: Skeleton, words: list[frozenset[str]], heights: Array) -> tuple[int, ...]:
    """The feet by their names. `heights` [B] are shares of the skeleton's height."""
    found = [
        bone
        for bone, each in enumerate(words)
        if each & SOLES
        and not each & (HELPERS | ENDS)
        and heights[bone] <= LOW
        and heights[skeleton.above(bone)].max(initial=0.0) >= heights[bone] + LIFTED
    ]
    carrying = {above for bone in found for above in skeleton.above(bone)}
    return tuple(bone for bone in found if bone not in carrying)


def _standing(
    skeleton: Skeleton, words: list[frozenset[str]], heights: Array, points: Array
) -> tuple[int, ...]:
    """The feet by the rest pose: pairs of legs of the same form below one bone, of which no others end lower.

    `points` [B, 3] are the positions of the bones, in units of the skeleton's height.
    """
    ends = np.setdiff1d(np.flatnonzero(heights <= LOW), skeleton.parents)
    limbs: list[list[int]] = []  # the bones of each limb from its end upwards
    for end in ends[np.argsort(heights[ends], kind="stable")].tolist():
        limb = [end, *skeleton.above(end)]
        if len(limb) > LEG_BONES and not any(words[bone] & (HELPERS | FLYING) for bone in limb):
            limbs.append(limb)
        if len(limbs) == MOST_ENDS:
            break
    pairs: list[tuple[float, set[int]]] = []
    for number, one in enumerate(limbs):
        for other in limbs[number + 1 :]:
            height = float(heights[other[0]])
            if height - heights[one[0]] > ALIKE:
                break
            joint = next((bone for bone in one if bone in other), -1)
            bones = one.index(joint) if joint >= 0 else 0
            if bones < LEG_BONES or other.index(joint) != bones or heights[joint] < height + LEG_HEIGHT:
                continue
            legs = one[:bones], other[:bones]
            away = [np.linalg.norm(points[leg] - points[joint], axis=1) for leg in legs]
            level = np.abs(heights[legs[0]] - heights[legs[1]]).max() <= ALIKE
            feet = {_ankle(leg, heights) for leg in legs}
            lower = min(heights[skeleton.subtree(bone)].min() for bone in feet)
            if level and np.abs(away[0] - away[1]).max() <= ALIKE and lower >= heights[one[0]] - ALIKE:
                pairs.append((height, feet))
    lowest = min((height for height, _ in pairs), default=0.0)
    found = set().union(*(feet for height, feet in pairs if height <= lowest + LOWEST))
    return tuple(sorted(found)) if len(found) <= MOST_FEET else ()


def _ankle(leg: list[int], heights: Array) -> int:
    """The highest bone of a leg that still lies beside its end. `leg` begins with the end."""
    return [bone for bone in leg if heights[bone] <= heights[leg[0]] + ANKLE][-1]
