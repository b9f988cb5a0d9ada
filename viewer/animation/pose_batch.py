"""The poses of a skeleton at many times at once, as if it had as many copies as there are times."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from viewer.animation.hierarchy import hierarchy
from viewer.animation.pose import (
    Layer,
    Pose,
    averaged,
    latest_shapes,
    layer_weights,
    placed,
    pose,
    rule_of,
    summed_morphs,
)
from viewer.animation.rig import Local, Rig, rig
from viewer.animation.sampling import Channel, Clip, Timelines
from viewer.animation.separate_scale import SeparateTransforms
from viewer.arrays import Array
from viewer.scene.skeleton import Skeleton

BONES_AT_ONCE = 1 << 14
"""The number of bones, of all copies together, that are posed at once."""

Layers = Sequence[Layer]


def poses(skeleton: Skeleton, times: Sequence[Layers], view: Array | None = None) -> list[Pose]:
    """The same as `pose` for the layers of each time, in one pass if the times differ in nothing but the
    layers' times and weights.

    Bones that face the camera or ignore their parent are posed one time after the other.
    """
    made = rig(skeleton)
    if made.plans[view is not None] is not None or not _are_alike(times):
        return [pose(skeleton, layers, view) for layers in times]
    step = max(BONES_AT_ONCE // max(len(skeleton), 1), 1)
    parts = [times[first : first + step] for first in range(0, len(times), step)]
    # The numbers of a damaged file may be infinite or huge: then so is its pose, without an error.
    return [each for part in parts for each in _at_once(skeleton, made, part)]


def _are_alike(times: Sequence[Layers]) -> bool:
    """Whether the layers of all times are the same but for their times and weights."""
    kinds = {tuple(_kind(layer) for layer in layers) for layers in times}
    return len(kinds) == 1 and all(layer.bone_weights is None for layers in times for layer in layers)


def _kind(layer: Layer) -> tuple[object, ...]:
    return id(layer.animation), layer.additive, layer.looped, layer.start_bone


def _at_once(skeleton: Skeleton, made: Rig, times: Sequence[Layers]) -> list[Pose]:
    count, bones = len(times), len(skeleton)
    copies = _rig_copies(skeleton, made, count)
    local = copies.rest.copy()
    for together in zip(*(each if skeleton.cumulative else averaged(each) for each in times), strict=True):
        rule, layer = rule_of(together[0]), together[0]
        clip = _clip_copies(made.clip(layer.animation), count, bones)
        sample = rule.sample(clip, np.array([each.time for each in together], np.float64), layer.looped)
        rule.put(copies, local, sample, layer, _weights(skeleton, made, together))
    world, skin = placed(copies, local, None)
    positions, scales = np.split(local.vectors, 2)
    parts = positions, local.rotations, scales, world, skin
    split = [each.reshape(count, bones, *each.shape[1:]) for each in parts]
    return [
        Pose(place, turn, scale, moved, skinned, summed_morphs(layers), latest_shapes(layers))
        for place, turn, scale, moved, skinned, layers in zip(*split, times, strict=True)
    ]


def _weights(skeleton: Skeleton, made: Rig, together: Layers) -> Array | None:
    """The weights [count · B] of one layer at all times; None if all bones use weight 1."""
    found = [layer_weights(skeleton, made, layer) for layer in together]
    if all(each is None for each in found):
        return None
    return np.concatenate([np.ones(len(skeleton)) if each is None else each for each in found])


def _rig_copies(skeleton: Skeleton, made: Rig, count: int) -> Rig:
    """The rig of so many copies of the skeleton, one copy after the other."""

    def tiled(values: Array) -> Array:
        """The values [B, …] of all copies."""
        return np.concatenate([values] * count)

    starts = np.repeat(np.arange(count) * len(skeleton), len(skeleton))
    parents = tiled(skeleton.parents.astype(np.intp))
    positions, scales = np.split(made.rest.vectors, 2)
    bind = made.bind
    return replace(
        made,
        rest=Local(np.concatenate((tiled(positions), tiled(scales))), tiled(made.rest.rotations)),
        unrest=tiled(made.unrest),
        inverse_bind=None if made.inverse_bind is None else tiled(made.inverse_bind),
        hierarchy=hierarchy(np.where(parents < 0, -1, parents + starts)),
        bind=None
        if bind is None
        else SeparateTransforms(tiled(bind.positions), tiled(bind.rotations), tiled(bind.scales)),
        plans=(None, None),
    )


def _clip_copies(clip: Clip, count: int, bones: int) -> Clip:
    """The clip of so many copies of a skeleton of `bones`: rows and tracks of all copies, the keys of one."""
    rows, numbers = clip.timelines, np.arange(count)[:, None]
    periods = None if rows.periods is None else np.tile(rows.periods, count)
    stepped = None if rows.stepped is None else np.tile(rows.stepped, count)
    firsts, lasts = np.tile(rows.firsts, count), np.tile(rows.lasts, count)

    def copied(channel: Channel) -> Channel:
        """The tracks of all copies."""
        kind, bone = np.divmod(channel.slots, max(bones, 1))
        slots = (kind * count + numbers) * bones + bone
        lines = channel.lines + numbers * len(rows.firsts)
        return Channel(slots.ravel(), lines.ravel(), np.tile(channel.shifts, count), channel.values)

    timelines = Timelines(rows.times, firsts, lasts, rows.strides, periods, stepped)
    return Clip(clip.duration, timelines, copied(clip.linear), copied(clip.spherical))
