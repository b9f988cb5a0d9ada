"""One bone at many times: only this bone and the bones above it are posed, at all times at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct

from viewer.animation.billboards import one_oriented
from viewer.animation.pose import Layer, layer_weights
from viewer.animation.rig import Rig, rig
from viewer.animation.track_sampling import KeyTiming, between, clip_times
from viewer.arrays import Array
from viewer.scene.animation import Composition
from viewer.scene.maths import (
    IDENTITY,
    compose,
    normalise,
    quaternion_product,
    slerp,
    trs_matrix,
)
from viewer.scene.skeleton import Skeleton


class Chain(Struct, frozen=True, eq=False):
    """The `bones` from a root down to one bone, as `layers` move them.

    All layers share the times that are passed to the methods; of `Layer.time` only M2 clips use the given
    value.
    """

    skeleton: Skeleton
    bones: tuple[int, ...]
    layers: tuple[Layer, ...]

    @property
    def faces(self) -> bool:
        """Whether one of the bones faces the camera."""
        billboards = self.skeleton.billboards
        return billboards is not None and bool(billboards[list(self.bones)].any())

    @property
    def duration(self) -> float:
        """The duration of the longest clip in seconds."""
        return max((layer.animation.duration for layer in self.layers), default=0.0)

    @property
    def looped(self) -> bool:
        """Whether the clips loop."""
        return all(layer.looped for layer in self.layers)

    def timings(self) -> Iterator[KeyTiming]:
        """The key times of each track of these bones. A clip that is shorter than the longest clip is a loop
        of its own.
        """
        made, count = rig(self.skeleton), len(self.skeleton)
        for layer in self.layers:
            clip, turn = made.clip(layer.animation), layer.animation.duration
            own = turn if layer.looped and turn != self.duration else None
            for bone in self.bones:
                for slot, turns in ((bone, False), (bone + count, False), (bone, True)):
                    row = clip.row(slot, turns)
                    if row is not None:
                        yield KeyTiming(row[0], row[2], own if row[3] is None else row[3])

    def skin(self, times: Array, view: Array | None = None) -> Array:
        """[N, 3, 4] the last bone's skin matrices at `times` [N] seconds, which are not wrapped.

        `view` turns the file's axes into eye space, as in `pose`.
        """
        made, world = rig(self.skeleton), np.broadcast_to(IDENTITY, (len(times), 3, 4))
        turned = None if view is None else np.asarray(view, np.float64)[:3, :3]
        plan = made.plans[turned is not None]
        for bone in self.bones:
            positions, rotations, scales = self._local(made, bone, times)
            local = trs_matrix(positions, rotations, scales)
            if plan is None:
                world = compose(world, local)
            else:
                world = one_oriented(plan, bone, world, local, rotations, turned)
        if made.inverse_bind is None or not self.bones:
            return np.asarray(world)
        return compose(world, made.inverse_bind[self.bones[-1]])

    def _local(self, made: Rig, bone: int, times: Array) -> tuple[Array, Array, Array]:
        """[N, 3] positions, [N, 4] rotations and [N, 3] scales, relative to the parent."""
        count = len(self.skeleton)
        rest = [made.rest.vectors[bone], made.rest.rotations[bone], made.rest.vectors[bone + count]]
        parts = [np.broadcast_to(part, (len(times), len(part))) for part in rest]
        slots = ((bone, False), (bone, True), (bone + count, False))
        for layer in self.layers:
            if layer.animation.composition is not Composition.PIVOT:
                continue
            weights = layer_weights(self.skeleton, made, layer)
            weight = 1.0 if weights is None else float(weights[bone])
            for number, (slot, turns) in enumerate(slots):
                value = _sampled(made, layer, slot, turns, times)
                if value is not None:
                    value = value + rest[0] if number == 0 else value
                    parts[number] = _mixed(parts[number], value, rest[number], weight, layer.additive)
        return parts[0], parts[1], parts[2]


def chain(skeleton: Skeleton | None, bone: int, layers: Sequence[Layer]) -> Chain | None:
    """The chain from a root to `bone`; None if the bone does not exist."""
    if skeleton is None or not 0 <= bone < len(skeleton):
        return None
    found = [bone]
    while skeleton.parents[found[-1]] >= 0:
        found.append(int(skeleton.parents[found[-1]]))
    return Chain(skeleton, tuple(reversed(found)), tuple(layers))


def _sampled(made: Rig, layer: Layer, slot: int, turns: bool, times: Array) -> Array | None:
    row = made.clip(layer.animation).row(slot, turns)
    if row is None:
        return None
    keys, values, stepped, period = row
    own = clip_times(times, layer.animation.duration, layer.looped, period)
    first, second, factor = between(keys, own, stepped)
    if turns:
        return slerp(values[first], values[second], factor[:, None])
    return np.asarray(values[first] + (values[second] - values[first]) * factor[:, None])


def _mixed(before: Array, value: Array, rest: Array, weight: float, additive: bool) -> Array:
    """The mix of a layer's [N, 3] vectors or [N, 4] rotations with the values before it, as in `pose`."""
    turns = before.shape[-1] == 4
    if weight == 1 and not additive:
        return value
    if additive and turns:
        conjugate = rest * (-1, -1, -1, 1)
        value = normalise(quaternion_product(quaternion_product(value, conjugate[None]), before))
    elif additive:
        value = before + value - rest
    if turns:
        return slerp(before, value, np.full((len(before), 1), weight))
    return np.asarray(before + (value - before) * weight)
