"""Converts clips to glTF channels: values that replace a bone's translation, rotation or scale.

Keys keep their times. Keys are added if glTF would interpolate differently: between distant rotations, before
the first key and after the last key of a clip, and where a loop that is shorter than the clip begins again.
Source: glTF 2.0 specification, section 3.11 and appendix C; the rules of the engines are in `animation.pose`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from viewer.animation import sampling
from viewer.animation.pose import rule_of
from viewer.animation.rig import Rig, rig
from viewer.animation.sampling import PreparedClip, Timelines
from viewer.arrays import Array
from viewer.budget import BUDGET
from viewer.export.gltf.axes import FILE_AXES, Axes
from viewer.export.gltf.key_rows import ChannelKeys, ascending, one_side, stored_keys, subdivided, with_ends
from viewer.export.gltf.numbers import unit_rotations
from viewer.scene.animation import Animation, Composition
from viewer.scene.maths import quaternion_product
from viewer.scene.skeleton import Skeleton

Ends = tuple[Array, Array]
"""Values of all tracks: at the first moment and at the last moment of a clip."""
LAST = 1 - 1e-7
"""The last values of a clip are sampled at this share of its length. At 1 the clip would start again."""


class Channel(NamedTuple):
    """Keys of one property of a bone.

    `path` is `translation`, `rotation`, `scale` or `weights`. `times` [K] f32 ascend strictly; `values` are
    [K, 3] or [K, 4] f32. If `stepped` is True, a value stays constant until the next key.
    """

    bone: int
    path: str
    times: Array
    values: Array
    stepped: bool = False


def channels(skeleton: Skeleton, animation: Animation, axes: Axes = FILE_AXES) -> list[Channel]:
    """Convert a clip to channels: positions and scales first, then rotations."""
    made = rig(skeleton)
    clip = made.clip(animation)
    ends = rule_of(animation).sample(clip, np.array((0.0, animation.duration * LAST)), True)
    first, last = ends.vectors.swapaxes(0, 1)
    moved = _vectors(made, clip, animation, (first, last), axes)
    first, last = ends.rotations.swapaxes(0, 1)
    return moved + _turns(made, clip, animation, (first, last), axes)


def _vectors(rig: Rig, clip: PreparedClip, animation: Animation, ends: Ends, axes: Axes) -> list[Channel]:
    """Return the channels of positions and scales."""
    bones, slots = len(rig.names), clip.linear.slots
    if not len(slots):
        return []
    rows = _whole(clip.timelines, clip.linear, animation.duration, *ends)
    owners = slots[rows.owners]
    values = _composed(rig, animation, owners, rows.values)
    values = np.where((owners < bones)[:, None], axes.vectors(values), values)
    split = ascending(rows._replace(values=values)).split(len(slots))
    stepped = _stepped(clip.timelines, clip.linear)
    return [
        Channel(slot % bones, "translation" if slot < bones else "scale", *keys, step)
        for slot, keys, step in zip(slots.tolist(), split, stepped.tolist(), strict=True)
    ]


def _turns(rig: Rig, clip: PreparedClip, animation: Animation, ends: Ends, axes: Axes) -> list[Channel]:
    """Return the channels of rotations."""
    bones = clip.spherical.slots
    if not len(bones):
        return []
    relative = animation.composition is Composition.RELATIVE
    rows = _whole(clip.timelines, clip.spherical, animation.duration, *ends)
    values = unit_rotations(rows.values)
    if relative:
        values = quaternion_product(unit_rotations(rig.rest.rotations[:, 0])[bones[rows.owners]], values)
    stepped = _stepped(clip.timelines, clip.spherical)
    rows = ascending(one_side(rows._replace(values=values)))
    rows = subdivided(rows, ~stepped, relative)
    split = rows._replace(values=axes.rotations(rows.values)).split(len(bones))
    return [
        Channel(bone, "rotation", *keys, step)
        for bone, keys, step in zip(bones.tolist(), split, stepped.tolist(), strict=True)
    ]


def _composed(rig: Rig, animation: Animation, slots: Array, values: Array) -> Array:
    """Compose sampled values with the rest pose. Return the values [N, 3] for glTF, which replace the rest
    values of the bone. `slots` [N] are numbered as in `Sample`.
    """
    rest, moves = rig.rest.vectors[slots, 0], (slots < len(rig.names))[:, None]
    if animation.composition is Composition.RELATIVE:
        link = animation.link_scale
        return np.where(moves, rest + values * link, rest * (1 + (values - 1) * link))
    if animation.composition is Composition.PIVOT:
        return np.where(moves, rest + values, values)
    return values


def _stepped(timelines: Timelines, channel: sampling.TrackTable) -> Array:
    """Return a mask [T] of the tracks without interpolation."""
    return timelines.stepped[channel.lines]


def _whole(
    timelines: Timelines, channel: sampling.TrackTable, duration: float, first: Array, last: Array
) -> ChannelKeys:
    """Return the keys of all tracks from 0 to the clip's end. The single key of a track with one
    key is at 0.
    """
    rows = stored_keys(timelines, channel)
    counts = np.bincount(rows.owners, minlength=len(channel.slots))
    periods = timelines.periods[channel.lines]
    single = (counts == 1) | ((periods >= 0) & ((counts < 2) | (periods == 0)))
    looped = ~single & (periods > 0)
    alone = np.searchsorted(rows.owners, np.flatnonzero(single))
    plain = with_ends(rows.kept(~(single | looped)[rows.owners]), duration, first, last)
    parts = [plain.kept(~(single | looped)[plain.owners]), rows.kept(alone)]
    parts[1] = parts[1]._replace(times=np.zeros(len(alone)))
    for track in np.flatnonzero(looped).tolist():
        own = rows.kept(rows.owners == track)
        times, values = repeated(own.times, own.values, float(periods[track]), duration)
        parts.append(ChannelKeys(np.full(len(times), track), times, values))
    together = ChannelKeys(*(np.concatenate(each) for each in zip(*parts, strict=True)))
    return together.kept(np.argsort(together.owners, kind="stable"))


def repeated(times: Array, values: Array, period: float, duration: float) -> tuple[Array, Array]:
    """Repeat the keys of a loop, which lasts `period` seconds, until the end of the clip.

    Each repetition ends with a key of the loop's last value, so that the jump to the loop's first value is
    kept.
    """
    own = (times >= 0) & (times <= period)
    times, values = times[own], values[own]
    if len(times) < 2:
        return np.zeros(1), values[:1] if len(values) else np.zeros((1, values.shape[1]))
    if times[0] > 0:
        times, values = np.append(0.0, times), np.concatenate((values[:1], values))
    if times[-1] < period:
        times, values = np.append(times, period), np.concatenate((values, values[-1:]))
    loops = max(1, min(int(np.ceil(duration / period)), BUDGET.loop_keys // len(times)))
    starts = np.repeat(np.arange(loops) * period, len(times))
    times, values = np.tile(times, loops) + starts, np.tile(values, (loops, 1))
    count = max(int(np.searchsorted(times, duration, "right")), 1)
    if count == len(times):
        return times, values
    gap = times[count] - times[count - 1]
    factor = (duration - times[count - 1]) / gap if gap > 0 else 0.0
    begin, end = values[count - 1], values[count]
    side = -1.0 if len(begin) == 4 and float(begin @ end) < 0 else 1.0
    cut = begin + (end * side - begin) * factor
    return np.append(times[:count], duration), np.concatenate((values[:count], cut[None]))


def merged_times(*rows: Array) -> Array:
    """Return the finite times of all rows, [K] f32, strictly ascending."""
    times = np.concatenate(rows).astype(np.float32)
    return np.unique(times[np.isfinite(times)])
