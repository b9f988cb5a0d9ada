"""Converts a clip that was made for one skeleton to another skeleton with bones of the same names.

Each bone turns from its rest pose, in the axes of the model, as its counterpart does. Therefore the rest
rotations of the two skeletons may differ.
"""

from __future__ import annotations

import itertools
from weakref import ReferenceType, ref

import numpy as np
from msgspec import Struct

from viewer.animation.hierarchy import hierarchy
from viewer.animation.pose import Layer, Poses, poses, rest
from viewer.animation.sampling import even_times
from viewer.arrays import Array
from viewer.lru import RecentValues, kept_with
from viewer.scene.animation import Animation, ClipRig, Composition, Track, is_foreign, match, match_names
from viewer.scene.maths import normalise, quaternion_inverse, quaternion_product, rotation_matrix, scale_of
from viewer.scene.skeleton import Skeleton

RATE = 60.0
"""The number of samples per second, in addition to the samples at the keys."""
POSED = 1 << 19
"""The largest product of samples and bones."""
EQUAL = 1e-5
"""Two rest poses count as equal if they differ by at most this share of the skeleton's size."""
SAME = 0.01
"""A bone gets translations and scales if its offset from the parent differs between the skeletons by at most
this share of the skeleton's size.
"""
CARRIED = 0.5
"""A bone that carries at least this share of all bones gets translations."""
KEPT = 32 << 20
"""Size limit in bytes of the cache of converted clips. Each skeleton has a cache."""

CLEARLY = 0.7
"""Other axes replace the stated axes only if their error is at most this share of the error of the stated
axes.
"""
AXES = np.array(
    [
        np.diag(signs)[:, order]
        for order in itertools.permutations(range(3))
        for signs in itertools.product((1.0, -1.0), repeat=3)
    ]
)
"""[48, 3, 3]: all matrices that swap or mirror axes."""


@kept_with
def _converted_clips(skeleton: Skeleton) -> RecentValues[tuple[ReferenceType[Animation], bytes], Animation]:
    """The retargeted clips of a skeleton."""
    return RecentValues(KEPT)


def retargeted(animation: Animation, skeleton: Skeleton, to_world: Array) -> Animation:
    """Return a clip that moves the bones of `skeleton` as `animation` moves the bones of its own skeleton.

    `to_world` [4, 4] goes from the axes of `skeleton` to viewer space. The clip is returned unchanged if its
    skeleton is unknown, or if the moved bones of both skeletons have the same rest pose. All moved bones get
    rotations. Two kinds of bones also get translations. The bones that carry the model get translations that
    are scaled by the ratio of the skeletons' heights. Bones with the same offset from their parent in both
    skeletons get unchanged translations. The result is cached with the skeleton.
    """
    rig = animation.rig
    if rig is None or not is_foreign(animation, skeleton) or not animation.targets:
        return animation
    cache = _converted_clips(skeleton)
    key = ref(animation), to_world.tobytes()
    found = cache.find(key)
    if found is None:
        if _same_rest(animation, rig.skeleton, skeleton):
            return animation
        found = _Retarget.of(rig, skeleton, to_world).clip(animation)
        cache.keep(key, found, sum(each.values.nbytes + each.times.nbytes for each in found.tracks))
    return found


def _same_rest(animation: Animation, source: Skeleton, skeleton: Skeleton) -> bool:
    """Whether the moved bones, and the bones above them, have the same rest pose in both skeletons."""
    pairs = {own: bone for own, bone in enumerate(_paired(source, skeleton).tolist()) if bone >= 0}
    size = EQUAL * float(np.abs(source.positions).max(initial=1e-6))
    moved = set(match(animation, source.names).bones.values())
    for own in [*moved]:
        while (own := int(source.parents[own])) >= 0:
            moved.add(own)
    for own in moved:
        bone, parent = pairs.get(own), int(source.parents[own])
        if bone is None or pairs.get(parent, -1) != int(skeleton.parents[bone]):
            return False
        near = (
            np.allclose(source.positions[own], skeleton.positions[bone], rtol=EQUAL, atol=size),
            np.allclose(source.scales[own], skeleton.scales[bone], rtol=EQUAL, atol=EQUAL),
            abs(float(source.rotations[own] @ skeleton.rotations[bone])) > 1 - EQUAL * EQUAL * 50,
        )
        if not all(near):
            return False
    return True


def _paired(source: Skeleton, skeleton: Skeleton) -> Array:
    """[S]: for each bone of `source`, the number of the bone of `skeleton` with a matching name; -1 if there
    is none.
    """
    found = match_names(source.names, skeleton.names).bones
    pairs, taken = np.full(len(source), -1), set[int]()
    for own, name in enumerate(source.names):
        bone = found.get(name, -1)
        if bone >= 0 and bone not in taken:
            pairs[own] = bone
            taken.add(bone)
    return pairs


class _RestPose(Struct, frozen=True, eq=False):
    """The rest pose of B bones. `local` [B, 4] are rotations relative to the parents; `whole` [B, 4] and
    `positions` [B, 3] are in the model's axes. `above` [B, 3, 3] are the rotation matrices of the parents.
    """

    local: Array
    whole: Array
    positions: Array
    above: Array

    @classmethod
    def of(cls, skeleton: Skeleton) -> _RestPose:
        local = normalise(skeleton.rotations.astype(np.float64))
        whole = hierarchy(skeleton.parents).accumulate(local, quaternion_product)
        turns = np.concatenate((rotation_matrix(whole), np.eye(3)[None]))
        return cls(local, whole, rest(skeleton).world[:, :, 3], turns[skeleton.parents])


class _Retarget(Struct, frozen=True, eq=False):
    """The conversion between two skeletons. `pairs` [S] has an entry for each bone of `source`: the number of
    its counterpart in `skeleton`, or -1. `axes` [3, 3] turns the axes of `source` into the axes of
    `skeleton`. `scale` is the height of `skeleton` divided by the height of `source`.
    """

    source: Skeleton
    skeleton: Skeleton
    pairs: Array
    axes: Array
    scale: float
    old: _RestPose
    new: _RestPose

    @classmethod
    def of(cls, rig: ClipRig, skeleton: Skeleton, to_world: Array) -> _Retarget:
        source, own = rig.skeleton, np.eye(4) if rig.to_world is None else rig.to_world
        pairs, old, new = _paired(source, skeleton), _RestPose.of(source), _RestPose.of(skeleton)
        axes = _axes(np.linalg.solve(_turn(to_world), _turn(own)), old, new, pairs)
        ups = _turn(own)[1], _turn(to_world)[1]
        scale = _height_ratio(source, skeleton, pairs, (old.positions @ ups[0], new.positions @ ups[1]))
        return cls(source, skeleton, pairs, axes, scale, old, new)

    def clip(self, animation: Animation) -> Animation:
        """Return the converted clip; its values replace the rest pose."""
        found = match(animation, self.source.names)
        moved = self._moved(set(found.bones.values()))
        times = _times(animation, len(self.source))
        made = poses(self.source, (Layer(animation, 0.0, looped=False),), times)
        tracks = [*self._turns(made, times, moved), *self._shifts(made, times, moved)]
        lost = match(animation, self.skeleton.names).unmatched
        values = {name: getattr(animation, name) for name in Animation.__struct_fields__}
        values |= {
            "tracks": tuple(tracks),
            "targets": (*dict.fromkeys(each.target for each in tracks), *lost),
            "keyframes": len(times) * len({each.target for each in tracks}),
            "composition": Composition.ABSOLUTE,
            "link_scale": 1.0,
            "base": None,
            "rig": None,
            "morph_tracks": (),
            "shape_tracks": (),
        }
        return Animation(**values)

    def _moved(self, tracked: set[int]) -> dict[int, int]:
        """The bones of `skeleton` that the clip moves, each with its counterpart in `source`: the counterpart
        has a track, or a bone above it has a track and no counterpart, so that its motion would be lost.
        """
        moved: dict[int, int] = {}
        for own, bone in enumerate(self.pairs.tolist()):
            above, driven = own, own in tracked
            while not driven and (above := int(self.source.parents[above])) >= 0 and self.pairs[above] < 0:
                driven = above in tracked
            if bone >= 0 and driven:
                moved[bone] = own
        return moved

    def _turns(self, source_poses: Poses, times: Array, moved: dict[int, int]) -> list[Track]:
        """The rotation tracks of the moved bones."""
        local = normalise(source_poses.rotations).swapaxes(0, 1)
        now = hierarchy(self.source.parents).accumulate(local, quaternion_product)
        change = quaternion_product(now, quaternion_inverse(self.old.whole[:, None]))
        side = np.sign(np.linalg.det(self.axes))
        change = np.concatenate((change[..., :3] @ self.axes.T * side, change[..., 3:]), axis=-1)
        whole: dict[int, Array] = {-1: np.array((0.0, 0.0, 0.0, 1.0))}
        tracks = []
        for bone in hierarchy(self.skeleton.parents).order.tolist():
            above = whole[int(self.skeleton.parents[bone])]
            if bone not in moved:
                whole[bone] = quaternion_product(above, self.new.local[bone])
                continue
            whole[bone] = quaternion_product(change[moved[bone]], self.new.whole[bone])
            values = quaternion_product(quaternion_inverse(above), whole[bone])
            tracks.append(self._track(bone, "rotation", times, values))
        return tracks

    def _shifts(self, source_poses: Poses, times: Array, moved: dict[int, int]) -> list[Track]:
        """The tracks of translations and scales."""
        size = SAME * float(np.linalg.norm(np.ptp(self.new.positions, axis=0)))
        tracks = []
        for bone, own in moved.items():
            first = self.skeleton.positions[bone].astype(np.float64)
            turn = self.new.above[bone].T @ self.axes * self.scale
            stored = turn @ self.old.above[own] @ self.source.positions[own].astype(np.float64)
            same = float(np.linalg.norm(first - stored)) <= size
            carries = float(self.skeleton.subtree(bone).mean()) >= CARRIED
            if same or carries:
                if self._is_topmost(own):
                    away = source_poses.world[:, own, :, 3] - self.old.positions[own]
                else:
                    step = source_poses.positions[:, own] - self.source.positions[own]
                    away = step @ self.old.above[own].T
                tracks.append(self._track(bone, "position", times, first + away @ turn.T))
            was = self.source.scales[own].astype(np.float64)
            ratio = source_poses.scales[:, own] / np.where(was == 0, 1, was)
            if same and np.ptp(ratio, axis=0).any():
                tracks.append(self._track(bone, "scale", times, self.skeleton.scales[bone] * ratio))
        return tracks

    def _is_topmost(self, own: int) -> bool:
        """Whether no bone above a bone of `source` has a counterpart."""
        while (own := int(self.source.parents[own])) >= 0:
            if self.pairs[own] >= 0:
                return False
        return True

    def _track(self, bone: int, path: str, times: Array, values: Array) -> Track:
        shape = len(times), values.shape[-1]
        whole = np.broadcast_to(values, shape).astype(np.float32)
        return Track(self.skeleton.names[bone], path, times.astype(np.float32), whole)


def _turn(to_world: Array) -> Array:
    """[3, 3]: the rotation or mirroring by the matrix `to_world`, without its scale."""
    return np.asarray(to_world[:3, :3] / (scale_of(to_world) or 1.0))


def _axes(stated: Array, old: _RestPose, new: _RestPose, pairs: Array) -> Array:
    """[3, 3]: the matrix from the axes of `old` to the axes of `new`. Normally it is `stated`, the matrix
    that the formats define. Many exporters turn or mirror models: if the rest poses fit together clearly
    better with another matrix, this matrix is used.
    """
    own = np.flatnonzero(pairs >= 0)
    if len(own) < 3:
        return stated
    points = [each - each.mean(axis=0) for each in (old.positions[own], new.positions[pairs[own]])]
    if not all(np.isfinite(each).all() and each.any() for each in points):
        return stated
    first, second = (each / np.linalg.norm(each) for each in points)
    errors = np.linalg.norm(np.einsum("cij,nj->cni", AXES, first) - second, axis=(1, 2))
    best = int(errors.argmin())
    return AXES[best] if errors[best] < CLEARLY * np.linalg.norm(first @ stated.T - second) else stated


def _height_ratio(source: Skeleton, skeleton: Skeleton, pairs: Array, heights: tuple[Array, Array]) -> float:
    """The ratio of the skeletons' heights, `skeleton` to `source`, measured from the lowest bone to a bone
    near the hip.

    The bone near the hip is the lowest bone of the hierarchy that carries at least half of the bones.
    """
    own = np.flatnonzero(pairs >= 0)
    if not len(own):
        return 1.0
    low = heights[0][own].min(), heights[1][pairs[own]].min()
    carriers = [each for each in own.tolist() if source.subtree(each).mean() >= CARRIED]
    hip = min(carriers, key=lambda each: int(source.subtree(each).sum()), default=None)
    spans = heights[0][own].max() - low[0], heights[1][pairs[own]].max() - low[1]
    if hip is not None and heights[0][hip] - low[0] > 0.1 * spans[0]:
        spans = heights[0][hip] - low[0], heights[1][pairs[hip]] - low[1]
    ratio = float(spans[1] / spans[0]) if spans[0] > 0 and spans[1] > 0 else 1.0
    return ratio if np.isfinite(ratio) else 1.0


def _times(animation: Animation, bones: int) -> Array:
    """[K]: the sample times in seconds: the times of the keys, and `RATE` times a second."""
    most = max(2, POSED // max(bones, 1))
    even = even_times(animation.duration, RATE, most - 1)
    keys = [np.asarray(each.times, np.float64) for each in animation.tracks if each.period is None]
    times = np.unique(np.concatenate((even, *keys)).astype(np.float32).astype(np.float64))
    times = times[(times >= 0) & (times <= even[-1])]
    return times if 0 < len(times) <= most else even
