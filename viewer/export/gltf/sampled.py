"""Samples poses at many times, for bones whose matrix is not the product of their parent's matrix and their
own local matrix.

This applies to uneven scales in OGRE, to bones that ignore parts of their parent (M2), and to clips with a
constant rate.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from viewer.animation.hierarchy import hierarchy
from viewer.animation.pose import Layer, poses
from viewer.arrays import Array
from viewer.budget import BUDGET
from viewer.export.gltf.joints import JointTree
from viewer.export.gltf.key_rows import CLOSE
from viewer.export.gltf.numbers import decomposed, finite, inverted
from viewer.export.gltf.tracks import LAST, Channel
from viewer.scene.animation import Animation
from viewer.scene.maths import compose, nlerp, trs_matrix
from viewer.scene.skeleton import Skeleton

EVEN = 1e-5
"""A scale counts as even if the scales of its three axes differ by at most this."""
ROUNDS = 6
"""The largest number of times that the step between two samples is halved."""
CLIP_SAMPLES, CLIP_POSES = 20_000, 1 << 16
"""Largest number of samples of a clip, and largest product of samples and bones."""
AT_ONCE = 1 << 13
"""Largest product of samples and bones that is computed at once. More would not fit into the processor's
cache.
"""
Transforms = tuple[Array, Array, Array]
"""Local transforms: positions [K, B, 3], rotations [K, B, 4] and scales [K, B, 3]."""
Levels = list[tuple[Array, Array]]
"""For each depth of the hierarchy, from the roots on: the numbers of its bones, and of their parents."""
PATHS = (("translation", 0), ("rotation", 1), ("scale", 2))


class SampledClip(NamedTuple):
    """The channels of a clip, and the largest error of the joints at any sample.

    The error is measured at a point whose distance from a joint is `extent`. The joint moves this point to
    one position, the engine's matrix to another; `error` is the largest distance between these positions, in
    the file's units.
    """

    channels: list[Channel]
    error: float


def most_samples(skeleton: Skeleton) -> int:
    """Return the largest number of samples for a clip. It depends on the number of bones in the skeleton."""
    return max(2, min(CLIP_SAMPLES, CLIP_POSES // max(len(skeleton), 1)))


def most_times(skeleton: Skeleton) -> int:
    """Return the largest number of moments at which a clip is sampled, the moments of its keys included. It
    depends on the number of bones.
    """
    return max(2, most_samples(skeleton), BUDGET.sampled_keys // max(len(skeleton), 1))


def may_shear(skeleton: Skeleton) -> bool:
    """Return whether a bone's matrix may differ from the product of its parent's matrix and its own local
    matrix.
    """
    return not skeleton.sheared or (skeleton.ignores is not None and bool(skeleton.ignores.any()))


def composes_plainly(skeleton: Skeleton, channels: list[Channel]) -> bool:
    """Return whether each bone's matrix is the product of its parent's matrix and its own local matrix. If
    so, channels are exact.
    """
    if not may_shear(skeleton):
        return True
    scales = [skeleton.scales, *(each.values for each in channels if each.path == "scale")]
    differ = any(len(each) and bool(np.ptp(each, axis=-1).max() > EVEN) for each in scales)
    return not skeleton.sheared and not differ


def sampled(
    skeleton: Skeleton, animation: Animation, times: Array, tree: JointTree, extent: float, fixed: bool
) -> SampledClip:
    """Sample the poses of a clip at `times` [K] in seconds; return them as channels of all bones.

    `extent` is the length of the model's diagonal in the file's units. Unless `fixed` is True, times are
    added where the interpolated poses differ from the engine's poses by more than the share `CLOSE` of
    `extent`.
    """
    bind = None if skeleton.sheared else inverted(tree.inverse_bind)
    sampler = _Sampler(skeleton, animation, joint_levels(tree.parents), bind, extent)
    found = sampler.at(times)
    rounds = 0 if fixed or len(times) < 2 or not extent else ROUNDS
    times, local, error = sampler.refined(found, rounds)
    turned = np.sum(local[1][1:] * local[1][:-1], axis=-1) < 0
    local[1][1:] *= np.where(np.cumsum(turned, axis=0) % 2, -1.0, 1.0)[..., None]
    made = [channel for path, number in PATHS for channel in _channels(path, times, finite(local[number]))]
    return SampledClip(made, error)


class _Samples(NamedTuple):
    """Poses at `times` [K] f32, and the largest remaining distance from the engine's poses."""

    times: Array
    local: Transforms
    error: float

    def merged(self, others: _Samples) -> _Samples:
        """Merge two sets of samples; the result is sorted by time."""
        at = np.searchsorted(self.times, others.times)
        pairs = zip(self.local, others.local, strict=True)
        positions, rotations, scales = (np.insert(own, at, more, axis=0) for own, more in pairs)
        times, error = np.insert(self.times, at, others.times), max(self.error, others.error)
        return _Samples(times, (positions, rotations, scales), error)


class _Sampler(NamedTuple):
    """Samples a clip for a tree of joints.

    `levels` are the result of `joint_levels`. `bind` [B, 3, 4] converts from joint space to model space at
    bind time; None if the joints are the bones. Errors are measured at the distance `extent` from a joint.
    """

    skeleton: Skeleton
    animation: Animation
    levels: Levels
    bind: Array | None
    extent: float

    def at(self, times: Array) -> _Samples:
        """Sample the poses at these times [K]."""
        parts = []
        for some in np.array_split(times, -(-len(times) * len(self.skeleton) // AT_ONCE) or 1):
            parts.append(local_transforms(self.levels, self._wanted(some), self.extent))
        transforms, errors = zip(*parts, strict=True)
        positions, rotations, scales = (np.concatenate(each) for each in zip(*transforms, strict=True))
        return _Samples(times, (positions, rotations, scales), max(errors))

    def refined(self, samples: _Samples, rounds: int) -> _Samples:
        """Add a sample in the middle of each step in which the interpolated pose differs too much from the
        engine's pose. Only steps that were halved are examined again.
        """
        steps, most = np.arange(len(samples.times) - 1), most_samples(self.skeleton)
        for _ in range(rounds):
            begin, end = samples.times[steps], samples.times[steps + 1]
            middles = (begin + end) / 2
            inside = (middles > begin) & (middles < end)
            steps, middles = steps[inside], middles[inside]
            if not len(steps):
                break
            halves = self.at(middles)
            between = _between(samples.local, steps)
            tolerance = CLOSE * self.extent + samples.error
            missed = _apart(self.levels, between, halves.local, self.extent) > tolerance
            if not missed.any() or len(samples.times) + int(missed.sum()) > most:
                break
            kept = _Samples(middles[missed], _rows(halves.local, missed), halves.error)
            samples = samples.merged(kept)
            steps = np.searchsorted(samples.times, kept.times)
            steps = np.sort(np.concatenate((steps - 1, steps)))
        return samples

    def _wanted(self, times: Array) -> Array:
        """Return the engine's matrices [K, B, 3, 4] from joint space to model space."""
        end = self.animation.duration * LAST
        found = poses(self.skeleton, [Layer(self.animation, 0.0)], np.minimum(times.astype(np.float64), end))
        return found.world if self.bind is None else compose(found.skin, self.bind[None])


def _rows(local: Transforms, rows: Array) -> Transforms:
    positions, rotations, scales = (each[rows] for each in local)
    return positions, rotations, scales


def _between(local: Transforms, steps: Array) -> Transforms:
    """Interpolate halfway between each pose whose index is in `steps` and the next pose."""
    (positions, first, scales), (ends, second, sizes) = _rows(local, steps), _rows(local, steps + 1)
    turned = nlerp(first, second, np.full((*first.shape[:2], 1), 0.5))
    return (positions + ends) / 2, turned, (scales + sizes) / 2


def _apart(levels: Levels, local: Transforms, others: Transforms, reach: float) -> Array:
    """Return the largest distance [K] between two poses at each time, measured at points at the distance
    `reach` from a joint.
    """
    return _distances(_products(levels, local), _products(levels, others), reach)


def _products(levels: Levels, local: Transforms) -> Array:
    """Multiply the local transforms along the hierarchy. Return the matrices [K, B, 3, 4] from joint space to
    model space.
    """
    made = trs_matrix(*local)
    for bones, parents in levels[1:]:
        made[:, bones] = compose(made[:, parents], made[:, bones])
    return made


def joint_levels(parents: Array) -> Levels:
    """Group the bones by depth, from the roots on; `parents` [B] is -1 for a root."""
    depth = np.zeros(len(parents), np.intp)
    for bone in hierarchy(parents).order.tolist():
        if parents[bone] >= 0:
            depth[bone] = depth[parents[bone]] + 1
    order = np.argsort(depth, kind="stable")
    levels = np.split(order, np.flatnonzero(np.diff(depth[order])) + 1)
    return [(bones, parents[bones]) for bones in levels]


def _distances(matrices: Array, goal: Array, reach: float) -> Array:
    missed = np.abs(matrices - goal)
    turned, moved = missed[..., :3].max(axis=(-1, -2)) * reach, missed[..., 3].max(axis=-1)
    return np.asarray(np.nan_to_num((turned + moved).max(axis=-1, initial=0.0)))


def local_transforms(levels: Levels, goal: Array, reach: float) -> tuple[Transforms, float]:
    """Find local transforms whose products are nearest to the matrices `goal` [K, B, 3, 4] in model space.

    Returns the transforms as positions [K, B, 3], rotations [K, B, 4] and scales [K, B, 3]. Also returns the
    largest remaining distance, measured at `reach` from a joint.
    """
    shape = goal.shape[:2]
    made = np.empty_like(goal)
    positions, rotations, scales = (np.empty((*shape, size)) for size in (3, 4, 3))
    for depth, (bones, parents) in enumerate(levels):
        own = compose(inverted(made[:, parents]), goal[:, bones]) if depth else goal[:, bones]
        positions[:, bones], rotations[:, bones], scales[:, bones] = parts = decomposed(own)
        said = trs_matrix(*parts)
        made[:, bones] = compose(made[:, parents], said) if depth else said
    return (positions, rotations, scales), float(_distances(made, goal, reach).max(initial=0.0))


def _channels(path: str, times: Array, values: Array) -> list[Channel]:
    """Make the channels of all bones from `values` [K, B, C]; constant channels get two keys."""
    still = (values == values[:1]).all(axis=(0, 2)).tolist()
    ends = [0, -1] if len(times) > 2 else slice(None)
    few = times[ends], values[ends]
    return [
        Channel(bone, path, few[0], few[1][:, bone])
        if unchanged
        else Channel(bone, path, times, values[:, bone])
        for bone, unchanged in enumerate(still)
    ]
