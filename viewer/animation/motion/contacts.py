"""Contacts of feet with the ground, and how far the feet slide in them. Both are guesses from the motion."""

from __future__ import annotations

import math
from functools import cached_property
from weakref import ReferenceType, ref

import numpy as np
from msgspec import Struct

from viewer.animation.motion.feet import Feet
from viewer.animation.motion.ground import AT_REST, Ground
from viewer.animation.pose import Layer, poses, rest
from viewer.animation.rig import rig
from viewer.animation.root_motion import root_motion
from viewer.animation.sampling import even_times
from viewer.arrays import Array
from viewer.lru import RecentValues, kept_with
from viewer.scene.animation import Animation, match
from viewer.scene.skeleton import Skeleton

Vector = tuple[float, float, float]

RATE = 60.0
"""The number of samples per second."""
POSED = 1 << 19
"""The largest product of samples and bones."""
NEAR = 0.05
"""The largest height of a foot above the ground in a contact, as a share of the length of the legs."""
DEEP = 0.15
"""The largest depth of a foot below the ground in a contact, as a share of the length of the legs."""
SLOW = 0.25
"""The largest speed of a foot in a contact, against its usual motion near the ground, in lengths of the legs
a second.
"""
USUAL = 0.2
"""The same as a share of the foot's usual speed near the ground. The larger of both counts."""
LIFT, EDGE = 0.1, 2
"""Up to EDGE steps at the ends of a contact belong to the swing before or after it, if the vertical speed is
higher than LIFT lengths of the legs a second.
"""
GAP, SHORTEST = 0.1, 0.05
"""In seconds: a shorter gap between two contacts belongs to them, and a shorter contact does not count."""
UNEVEN = 0.1
"""The largest difference in height between two standing feet, as a share of the length of the legs."""
KEPT = 8 << 20
"""Size limit in bytes of the cache of contacts. Each skeleton has a cache."""


class Contact(Struct, frozen=True):
    """A span of time in seconds in which a bone seems to stand on the ground."""

    bone: int
    start: float
    end: float


class Slide(Struct, frozen=True):
    """The slide of a bone in all its contacts: its `length` on the ground in the file's unit, and its usual
    `speed` in units a second, the median.
    """

    bone: int
    length: float
    speed: float


class Footwork(Struct, frozen=True, eq=False, dict=True):
    """The motion of F feet at T `times` [T] in seconds.

    `heights` [F, T] are heights above the place where the foot stands on the ground. `steps` [F, T - 1, 3]
    are the horizontal motions over the ground from each time to the next. `touching` [F, T - 1] are the steps
    in contacts. `legs` is the length of the legs, `level` the height of the ground for the lowest foot.

    `speed` is the speed of the ground that was counted; None if it is unknown, so that the ground stands
    still. `drift` [3] is the motion of the ground in a second, in the file's axes. `travels`: the clip itself
    moves the model, so that the ground stands still.
    """

    feet: tuple[int, ...]
    times: Array
    heights: Array
    steps: Array
    touching: Array
    legs: float
    level: float
    speed: float | None
    drift: Array
    travels: bool

    @property
    def nbytes(self) -> int:
        """The size in bytes of the arrays."""
        return sum(each.nbytes for each in (self.times, self.heights, self.steps, self.touching))

    @cached_property
    def contacts(self) -> tuple[Contact, ...]:
        """The contacts by foot, then by time."""
        return tuple(
            Contact(bone, float(self.times[start]), float(self.times[end]))
            for bone, row in zip(self.feet, self.touching, strict=True)
            for start, end in _runs(row)
        )

    @cached_property
    def slides(self) -> tuple[Slide, ...]:
        """The slide of each foot that has contacts."""
        lengths = np.linalg.norm(self.steps, axis=2)
        speeds = lengths / np.diff(self.times)
        rows = zip(self.feet, lengths, speeds, self.touching, strict=True)
        return tuple(
            Slide(bone, float(length[row].sum()), float(np.median(speed[row])))
            for bone, length, speed, row in rows
            if row.any()
        )

    @property
    def missing_speed(self) -> float | None:
        """The speed of the ground in units a second with which the feet would not slide, the usual speed of
        the feet in contacts. None if the speed is known, if the clip moves the model, or if the feet stand
        still.
        """
        if self.travels or self.speed is not None or not self.slides:
            return None
        usual = float(np.median([each.speed for each in self.slides]))
        return usual if usual > SLOW * self.legs else None


@kept_with
def _kept(
    skeleton: Skeleton,
) -> RecentValues[tuple[ReferenceType[Animation], Vector, Feet, Ground], tuple[Footwork | None]]:
    """The motions of the feet of a skeleton."""
    return RecentValues(KEPT)


def footwork(
    skeleton: Skeleton, animation: Animation, up: Vector, feet: Feet, ground: Ground = AT_REST
) -> Footwork | None:
    """Find the contacts of `feet` in a clip for `skeleton`. `up` is the unit vector that points up in the
    file's axes. None if there is nothing to judge: no feet, a clip without length or of hours, or a clip
    that moves no bone. The result is cached with the skeleton.

    If the clip itself moves the model, the ground stands still. Otherwise the ground moves with the speed of
    the game, in the direction in which the standing feet move.
    """
    key = ref(animation), up, feet, ground
    return _kept(skeleton).get(
        key,
        lambda: (_footwork(skeleton, animation, up, feet, ground),),
        lambda found: found[0].nbytes if found[0] else 64,
    )[0]


def _footwork(
    skeleton: Skeleton, animation: Animation, up: Vector, feet: Feet, ground: Ground
) -> Footwork | None:
    moved = match(animation, skeleton.names).bones
    own = (track for track in animation.tracks if track.target in moved and track.period is None)
    keyed = any(len(track.times) > 1 for track in own)
    if not feet.bones or not keyed or not 0 < animation.duration < math.inf:
        return None
    bones = rig(skeleton, feet.bones).bones
    rows = np.searchsorted(bones, feet.bones)
    times = even_times(animation.duration, RATE, max(POSED // len(bones), 1))
    if animation.duration > GAP * (len(times) - 1):
        return None
    made = poses(skeleton, (Layer(animation, 0.0, looped=False),), times, bones=feet.bones)
    points, upward = made.world[..., 3][:, rows].swapaxes(0, 1), np.array(up)  # [F, T, 3]
    standing, legs = _stance(skeleton, upward, feet.bones)
    level = standing.min() if ground.height is None else ground.height
    heights = points @ upward - (standing - standing.min() + level)[:, None]
    if not legs > 0:
        return None
    steps = np.diff(points, axis=1)
    rises = np.diff(heights, axis=1)
    steps -= rises[..., None] * upward
    seconds = np.diff(times)
    speeds, lifts = steps / seconds[:, None], rises / seconds
    near = (heights <= NEAR * legs) & (heights >= -DEEP * legs)  # NaN is not near
    low = near[:, 1:] & near[:, :-1]
    travels = root_motion(skeleton, animation, up) is not None
    known = animation.facts.get("speed") if ground.speed is None else ground.speed
    speed = None if travels or known is None or not math.isfinite(known) else abs(float(known))
    usual = np.array([_median(row[steps_low]) for row, steps_low in zip(speeds, low, strict=True)])
    drift = _direction(usual, upward) * (speed or 0.0)
    limits = np.maximum(USUAL * np.linalg.norm(usual, axis=1), SLOW * legs)
    slow = np.zeros_like(low)
    for base in (usual, np.broadcast_to(drift, usual.shape)):
        slow |= np.hypot(np.linalg.norm(speeds - base[:, None], axis=2), lifts) <= limits[:, None]
    lifted = np.abs(lifts) > LIFT * legs
    touching = np.array([_contacts(*each, times) for each in zip(low & slow, low, lifted, strict=True)])
    moving = np.nan_to_num(steps - drift * seconds[:, None])
    return Footwork(feet.bones, times, heights, moving, touching, legs, float(level), speed, drift, travels)


def _stance(skeleton: Skeleton, up: Array, feet: tuple[int, ...]) -> tuple[Array, float]:
    """The heights [F] at which the feet stand, by the rest pose, and the length of the legs: the largest
    height of a bone above a foot, else the height of the skeleton. A foot that is much higher than the lowest
    foot does not stand in the rest pose; it is assumed to stand where the lowest foot stands.
    """
    heights = rest(skeleton).world[:, :, 3] @ up
    standing = heights[[*feet]]
    legs = max(float(heights[[bone, *skeleton.above(bone)]].max() - heights[bone]) for bone in feet)
    lowest = standing.min()
    legs = legs if legs > 0 else float(np.ptp(heights))
    return np.where(standing - lowest <= UNEVEN * legs, standing, lowest), legs


def _median(speeds: Array) -> Array:
    """[3]: the usual of speeds [N, 3]; 0 without speeds."""
    return np.median(speeds, axis=0) if len(speeds) else np.zeros(3)


def _direction(usual: Array, up: Array) -> Array:
    """[3]: the horizontal unit vector in which standing feet move that move by `usual` [F, 3]; any horizontal
    vector if they stand still.
    """
    mean = usual.mean(axis=0)
    length = float(np.linalg.norm(mean))
    if length > 0:
        return np.asarray(mean / length)
    aside = np.cross(up, np.eye(3)[np.abs(up).argmin()])
    return np.asarray(aside / np.linalg.norm(aside))


def _runs(row: Array) -> list[tuple[int, int]]:
    """The first and the last sample of each run of true steps [T - 1]."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], row, [False])).astype(np.int8)))
    return [(int(start), int(end)) for start, end in edges.reshape(-1, 2)]


def _contacts(row: Array, low: Array, lifted: Array, times: Array) -> Array:
    """[T - 1]: the steps of contacts. A foot is near the ground in the steps `low` [T - 1], and also slow in
    the steps `row` [T - 1].

    Short gaps near the ground are filled. `lifted` steps at the ends of a long contact, and short contacts,
    are left out.
    """
    filled, found = row.copy(), np.zeros_like(row)
    for start, end in _runs(~row):
        short = times[end] - times[start] < GAP and low[start:end].all()
        filled[start:end] = short and start > 0 and end < len(row)
    for start, end in _runs(filled):
        first = start + (_leading(lifted[start:end]) if start > 0 else 0)
        last = end - (_leading(lifted[start:end][::-1]) if end < len(row) else 0)
        for begin, stop in ((first, last), (start, end)):
            if begin < stop and times[stop] - times[begin] >= SHORTEST:
                found[begin:stop] = True
                break
    return found


def _leading(lifted: Array) -> int:
    """The number of lifted steps at the beginning, at most EDGE."""
    return int(lifted[:EDGE].cumprod().sum())
