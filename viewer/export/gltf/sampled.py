"""Poses sampled at many times, where a bone's transform is not its parent's times its own.

That is so for uneven scales in OGRE, for bones that ignore parts of their parent (M2), and for clips that
shall have a constant rate.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from viewer.animation.hierarchy import hierarchy
from viewer.animation.pose import Layer
from viewer.animation.pose_batch import poses
from viewer.arrays import Array
from viewer.export.gltf.joints import JointTree
from viewer.export.gltf.key_rows import CLOSE
from viewer.export.gltf.numbers import decomposed, finite
from viewer.export.gltf.tracks import LAST, Channel, merged_times
from viewer.scene.animation import Animation
from viewer.scene.maths import compose, invert, nlerp, trs_matrix
from viewer.scene.skeleton import Skeleton

EVEN = 1e-5
"""The largest difference of scales that counts as even."""
ROUNDS = 6
"""How often the steps between samples are halved where that is needed."""
MOST_SAMPLES, MOST_POSES = 20_000, 1 << 18
"""The largest number of samples of one clip, and that of its samples times bones."""
Local = tuple[Array, Array, Array]
"""Positions [K, B, 3], rotations [K, B, 4] and scales [K, B, 3]."""
PATHS = (("translation", 0), ("rotation", 1), ("scale", 2))


class SampledClip(NamedTuple):
    """The channels of a clip, and the largest distance by which the joints' matrices miss the engine's, as a
    share of the reach that they were asked for.
    """

    channels: list[Channel]
    error: float


def most_samples(skeleton: Skeleton) -> int:
    """The largest number of samples of a clip of this skeleton."""
    return max(2, min(MOST_SAMPLES, MOST_POSES // max(len(skeleton), 1)))


def may_shear(skeleton: Skeleton) -> bool:
    """Whether a bone's transform may be another than its parent's times its own."""
    return not skeleton.sheared or (skeleton.ignores is not None and bool(skeleton.ignores.any()))


def composes_plainly(skeleton: Skeleton, found: list[Channel]) -> bool:
    """Whether each bone's transform is its parent's times its own, so that channels say it exactly."""
    if not may_shear(skeleton):
        return True
    scales = [skeleton.scales, *(each.values for each in found if each.path == "scale")]
    differ = any(len(each) and bool(np.ptp(each, axis=-1).max() > EVEN) for each in scales)
    return not skeleton.sheared and not differ


def sampled(
    skeleton: Skeleton, animation: Animation, times: Array, tree: JointTree, extent: float, fixed: bool
) -> SampledClip:
    """The poses of a clip at `times` [K] seconds as channels of all bones.

    Unless the times are `fixed`, more are added where the poses between two of them are missed by more than
    `CLOSE` of the `extent`, the length of the model's diagonal in the file's units.
    """
    local, error = local_transforms(tree.parents, _wanted(skeleton, animation, times, tree), extent)
    most = most_samples(skeleton)
    for _ in range(0 if fixed or len(times) < 2 or not extent else ROUNDS):
        middles = (times[1:] + times[:-1]) / 2
        halves = _wanted(skeleton, animation, middles, tree)
        missed = _missed(tree.parents, _between(local), halves, extent) > CLOSE * extent + error
        fresh = merged_times(times, middles[missed])
        if len(fresh) == len(times) or len(fresh) >= most:
            break
        times = fresh
        local, error = local_transforms(tree.parents, _wanted(skeleton, animation, times, tree), extent)
    turned = np.sum(local[1][1:] * local[1][:-1], axis=-1) < 0
    local[1][1:] *= np.where(np.cumsum(turned, axis=0) % 2, -1.0, 1.0)[..., None]
    made = []
    for path, number in PATHS:
        for bone in range(len(skeleton)):
            values = local[number][:, bone]
            made.append(_shortened(Channel(bone, path, times, finite(values))))
    return SampledClip(made, error)


def _wanted(skeleton: Skeleton, animation: Animation, times: Array, tree: JointTree) -> Array:
    """[K, B, 3, 4]: joint space to model space."""
    end = animation.duration * LAST
    found = poses(skeleton, [(Layer(animation, min(float(time), end)),) for time in times])
    if skeleton.sheared:
        return np.stack([each.world for each in found])
    return compose(np.stack([each.skin for each in found]), invert(tree.inverse_bind)[None])


def _between(local: Local) -> Local:
    """The transforms halfway between neighbours."""
    positions, rotations, scales = local
    first, second = rotations[:-1], rotations[1:]
    turned = nlerp(first, second, np.full((*first.shape[:2], 1), 0.5))
    return (positions[:-1] + positions[1:]) / 2, turned, (scales[:-1] + scales[1:]) / 2


def _missed(parents: Array, local: Local, wanted: Array, reach: float) -> Array:
    """[K]: the largest distance between the products of `local` and the matrices `wanted`, at `reach`."""
    made = trs_matrix(*local)
    for bone in hierarchy(parents).order.tolist():
        if parents[bone] >= 0:
            made[:, bone] = compose(made[:, int(parents[bone])], made[:, bone])
    return _distances(made, wanted, reach)


def _distances(made: Array, wanted: Array, reach: float) -> Array:
    missed = np.abs(made - wanted)
    turned, moved = missed[..., :3].max(axis=(-1, -2)) * reach, missed[..., 3].max(axis=-1)
    return np.asarray(np.nan_to_num((turned + moved).max(axis=-1, initial=0.0)))


def local_transforms(parents: Array, wanted: Array, reach: float) -> tuple[Local, float]:
    """Positions [K, B, 3], rotations [K, B, 4] and scales [K, B, 3] whose products come nearest to the
    matrices `wanted` [K, B, 3, 4] in model space; and the largest distance that is left at `reach`.
    """
    count, bones = wanted.shape[:2]
    made = np.empty_like(wanted)
    positions, rotations, scales = (np.empty((count, bones, size)) for size in (3, 4, 3))
    for bone in hierarchy(parents).order.tolist():
        parent = int(parents[bone])
        own = wanted[:, bone] if parent < 0 else compose(_inverse(made[:, parent]), wanted[:, bone])
        positions[:, bone], rotations[:, bone], scales[:, bone] = decomposed(own)
        said = trs_matrix(positions[:, bone], rotations[:, bone], scales[:, bone])
        made[:, bone] = said if parent < 0 else compose(made[:, parent], said)
    return (positions, rotations, scales), float(_distances(made, wanted, reach).max(initial=0.0))


def _inverse(matrices: Array) -> Array:
    """The inverse of [..., 3, 4] matrices; of a flat one the nearest that there is."""
    try:
        return invert(matrices)
    except np.linalg.LinAlgError:
        turns = np.linalg.pinv(matrices[..., :3])
        moves = -np.matmul(turns, matrices[..., 3, None])
        return np.concatenate((turns, moves), axis=-1)


def _shortened(channel: Channel) -> Channel:
    """The channel with its ends alone if its value never changes."""
    if len(channel.times) < 3 or (channel.values != channel.values[0]).any():
        return channel
    ends = np.array([0, -1])
    return channel._replace(times=channel.times[ends], values=channel.values[ends])
