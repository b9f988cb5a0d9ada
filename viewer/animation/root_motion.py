"""Root motion: the bones that carry a model over the ground, their path, and clips that stay in place."""

from __future__ import annotations

from weakref import ReferenceType, ref

import numpy as np
from msgspec import Struct

from viewer.animation.pose import Layer, poses
from viewer.animation.sampling import even_times
from viewer.arrays import Array
from viewer.lru import RecentValues, kept_with
from viewer.scene.animation import Animation, Composition, Track, match
from viewer.scene.skeleton import Skeleton

Vector = tuple[float, float, float]

DRIFT = 0.02
"""A bone has root motion if the horizontal distance from its first to its last position is at least this
share of the skeleton's size.
"""
CARRIED = 0.5
"""The smallest share of all bones that a bone must carry to move the model."""
RATE, MOST = 30.0, 300
"""The number of path samples per second, and the largest number of samples of a path."""
KEPT = 8 << 20
"""Size limit in bytes of the cache of root motions. Each skeleton has a cache."""


class RootMotion(Struct, frozen=True, eq=False):
    """The root motion of a clip. `bone` is the bone that carries the model. `bones` are this bone and the
    bones beside it that move along with it, such as the targets of inverse kinematics.

    `times` [K] are seconds from the start to the end of the clip, and `path` [K, 3] are the positions of
    `bone` in model space at these times. `still` is the clip without the horizontal motion.
    """

    bone: int
    bones: tuple[int, ...]
    times: Array
    path: Array
    still: Animation

    @property
    def nbytes(self) -> int:
        """The approximate size in bytes of the path and the changed tracks."""
        return self.path.nbytes + 48 * self.still.keyframes

    def at(self, time: float) -> Array:
        """[3]: the position of the bone at `time` seconds of the clip."""
        return np.array([np.interp(time, self.times, column) for column in self.path.T])


@kept_with
def _root_motions(
    skeleton: Skeleton,
) -> RecentValues[tuple[ReferenceType[Animation], Vector], tuple[RootMotion | None]]:
    """The root motions of the clips of a skeleton."""
    return RecentValues(KEPT)


def root_motion(skeleton: Skeleton, animation: Animation, up: Vector) -> RootMotion | None:
    """Return the root motion of a clip, None if the clip ends where it begins. `up` is the unit vector that
    points up in the file's axes. The result is cached with the skeleton.

    The moving bone carries at least half of the bones, and its own translation moves it over the ground from
    the start to the end of the clip. Of several such bones, the highest in the hierarchy counts.
    """
    return _root_motions(skeleton).get(
        (ref(animation), up),
        lambda: (_find(skeleton, animation, np.array(up)),),
        lambda found: found[0].nbytes if found[0] else 64,
    )[0]


def in_place(skeleton: Skeleton, animation: Animation, up: Vector) -> Animation:
    """Return the clip without the horizontal motion of its root bones: the model stays above the point where
    the clip begins. A clip without root motion is returned unchanged.
    """
    found = root_motion(skeleton, animation, up)
    return animation if found is None else found.still


def _find(skeleton: Skeleton, animation: Animation, up: Array) -> RootMotion | None:
    bones = match(animation, skeleton.names).bones
    tracks = [each for each in animation.tracks if each.path == "position" and each.target in bones]
    moved = {bones[each.target]: each for each in tracks if len(each.times) > 1 and each.period is None}
    if not moved or not 0 < animation.duration < np.inf:
        return None
    layer = Layer(animation, 0.0, looped=False)
    ends = poses(skeleton, (layer,), np.array((0.0, animation.duration)))
    drifting = _drifting(skeleton, moved, ends.world, ends.positions, up)
    chosen = next((bone for bone in drifting if skeleton.subtree(bone).mean() >= CARRIED), None)
    if chosen is None:
        return None
    above = set(skeleton.above(chosen))
    beside = tuple(bone for bone in drifting if bone != chosen and above.issuperset(skeleton.above(bone)))
    times = even_times(animation.duration, RATE, MOST)
    path = _positions(skeleton, layer, chosen, times)
    together = chosen, *beside
    if not np.isfinite(path).all():
        return None
    changed = {id(moved[bone]): _held(skeleton, layer, moved[bone], (chosen, bone), up) for bone in together}
    values = {name: getattr(animation, name) for name in Animation.__struct_fields__}
    values["rig"] = None  # the cached clip must not refer to a skeleton
    values["tracks"] = tuple(changed.get(id(track), track) for track in animation.tracks)
    return RootMotion(chosen, together, times, path, Animation(**values))


def _drifting(
    skeleton: Skeleton, moved: dict[int, Track], world: Array, local: Array, up: Array
) -> list[int]:
    """The topmost drifting bones: their own translation drifts, and no bone above them drifts. The bone that
    carries the most bones comes first. `world` [2, B, 3, 4] and `local` [2, B, 3] are the first and the last
    pose.
    """
    size = float(np.linalg.norm(np.ptp(world[0, :, :, 3], axis=0)))
    far = []
    for bone in moved:
        parent = int(skeleton.parents[bone])
        turn = world[0, parent, :, :3] if parent >= 0 else np.eye(3)
        step = turn @ (local[1, bone] - local[0, bone])
        if float(np.linalg.norm(step - (step @ up) * up)) > max(DRIFT * size, 1e-6):
            far.append(bone)
    topmost = [bone for bone in far if not set(skeleton.above(bone)) & set(far)]
    return sorted(topmost, key=lambda bone: -int(skeleton.subtree(bone).sum()))


def _positions(skeleton: Skeleton, layer: Layer, bone: int, times: Array) -> Array:
    """[K, 3]: the positions of a bone in model space at `times` [K] of the clip."""
    made = poses(skeleton, (layer,), times, bones=(bone,))
    return made.world[:, _row(skeleton, bone, bone), :, 3]


def _row(skeleton: Skeleton, bone: int, of: int) -> int:
    """The row of `bone` in an array with a row for bone `of` and for each bone above it, in the order of the
    bones' numbers.
    """
    return sorted((of, *skeleton.above(of))).index(bone)


def _held(skeleton: Skeleton, layer: Layer, track: Track, bones: tuple[int, int], up: Array) -> Track:
    """Return the translation track of a bone without the horizontal motion of the carrier. `bones` is
    (carrier, bone).

    The keys keep their times. Between two keys the result is exact if the bones above do not turn.
    """
    carrier, bone = bones
    times = np.clip(np.asarray(track.times, np.float64), 0.0, layer.animation.duration)
    start = _positions(skeleton, layer, carrier, np.zeros(1))
    away = _positions(skeleton, layer, carrier, times) - start
    away -= (away @ up)[:, None] * up
    parent = int(skeleton.parents[bone])
    if parent >= 0:
        turns = poses(skeleton, (layer,), times, bones=(parent,)).world[
            :, _row(skeleton, parent, parent), :, :3
        ]
        away = np.linalg.solve(_solvable(turns), away[..., None])[..., 0]
    if layer.animation.composition is Composition.RELATIVE:
        away /= layer.animation.link_scale or 1.0
    values = (np.asarray(track.values, np.float64) - away).astype(np.float32)
    return Track(track.target, track.path, track.times, values, track.stepped, track.period)


def _solvable(turns: Array) -> Array:
    """[K, 3, 3]: the matrices; the identity in place of a matrix that has no inverse."""
    flat = np.abs(np.linalg.det(turns)) < 1e-12
    return np.where(flat[:, None, None], np.eye(3), turns)
