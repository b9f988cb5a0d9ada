"""Writes the clips of a model as glTF animations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from viewer.animation.pose import rest
from viewer.arrays import Array
from viewer.errors import counted, printable
from viewer.export.gltf.axes import Axes
from viewer.export.gltf.buffer import GltfBuffer, json_bytes
from viewer.export.gltf.joints import Joints, JointTree, flat_tree, joint_tree
from viewer.export.gltf.sampled import (
    EVEN,
    composes_plainly,
    joint_levels,
    local_transforms,
    may_shear,
    most_samples,
    most_times,
    sampled,
)
from viewer.export.gltf.targets import Targets, weight_keys
from viewer.export.gltf.tracks import Channel, channels, merged_times
from viewer.scene.animation import Animation, match
from viewer.scene.skeleton import Skeleton

RATE = 60.0
"""Samples per second of a clip whose bone motion cannot be expressed by keys."""
SHEARED = 2e-5
"""The joints form a tree if the error of all poses is at most this share of the model's extent."""
CLIP_OBJECT = b'{"name":%s,"samplers":[%s],"channels":[%s]%s}'
SAMPLER_OBJECT = b'{"input":%d,"output":%d%s}'
CHANNEL_OBJECT = b'{"sampler":%d,"target":{"node":%d,"path":"%s"}}'


class ClipObjects(NamedTuple):
    """The samplers and channels of a clip as encoded JSON objects: a clip may have thousands."""

    samplers: list[bytes]
    channels: list[bytes]


class ClipWriter:
    """Adds clips to a glTF buffer.

    `extent` is the length of the model's diagonal in the file's units. All tracks are sampled `fps` times a
    second; if `fps` is None, they keep their keys. `messages` collects notes for the user.
    """

    def __init__(
        self, buffer: GltfBuffer, axes: Axes, extent: float, fps: float | None, messages: list[str]
    ) -> None:
        self._buffer, self._axes, self._extent, self._fps = buffer, axes, extent, fps
        self._messages = messages

    def add(
        self,
        animation: Animation,
        skeleton: Skeleton | None,
        joints: Joints | None,
        targets: Targets,
        meshes: Sequence[int],
    ) -> None:
        """Add a clip. If the clip moves nothing that is exported, add a message instead.

        `meshes` are the indices of the nodes with morph targets.
        """
        if not np.isfinite(np.float32(animation.duration)):  # glTF has 32-bit numbers
            self._messages.append(f"clip {printable(animation.name)} is left out: its length is not a number")
            return
        made = ClipObjects([], [])
        if skeleton is not None and joints is not None:
            for channel in self._channels(animation, skeleton, joints):
                self._add(made, joints.first + channel.bone, channel)
        weights = weight_keys(animation, targets)
        for node in meshes if weights is not None else ():
            assert weights is not None
            times, values = weights
            self._add(made, node, Channel(0, "weights", times, values.ravel()))
        name = printable(animation.name)
        if not made.channels:
            self._messages.append(f"clip {name} is left out: it moves no part of this model")
            return
        events = [{"time": each.time, "name": each.name} for each in animation.events]
        extras = b',"extras":' + json_bytes({"events": events}) if events else b""
        item = CLIP_OBJECT % (
            json_bytes(animation.name),
            b",".join(made.samplers),
            b",".join(made.channels),
            extras,
        )
        self._buffer.add("animations", item)

    def _channels(self, animation: Animation, skeleton: Skeleton, joints: Joints) -> list[Channel]:
        self._report_unmatched(animation, skeleton, printable(animation.name))
        found = channels(skeleton, animation, self._axes)
        flat = joints.tree.parents is not skeleton.parents
        if not found or (self._fps is None and not flat and composes_plainly(skeleton, found)):
            return _reaching(found, animation.duration)
        rate, fixed = self._fps or RATE, self._fps is not None
        reached = sampling_rate(animation, skeleton, rate)
        if reached < rate:
            name = printable(animation.name)
            self._messages.append(
                f"clip {name} is long: it is sampled {reached:.3g} times a second instead of {rate:g}"
            )
        times = sample_times(animation, [] if fixed else found, reached)
        most = most_times(skeleton)
        if len(times) > most:
            name = printable(animation.name)
            self._messages.append(
                f"clip {name} has too many keys: it is sampled at {most:,} of {len(times):,} times"
            )
            times = thinned(times, most)
        made = sampled(skeleton, animation, times, joints.tree, self._extent, fixed)
        return [_in_axes(each, self._axes) for each in made.channels]

    def _report_unmatched(self, animation: Animation, skeleton: Skeleton, name: str) -> None:
        unmatched = match(animation, skeleton.names).unmatched
        if unmatched:
            shown = ", ".join(printable(each) for each in unmatched[:3])
            more = " …" if len(unmatched) > 3 else ""
            self._messages.append(
                f"clip {name}: left out {counted(len(unmatched), 'track')} without a bone: {shown}{more}"
            )

    def _add(self, clip: ClipObjects, node: int, channel: Channel) -> None:
        times = self._buffer.keys(channel.times, bounded=True)
        step = b',"interpolation":"STEP"' if channel.stepped else b""
        clip.channels.append(CHANNEL_OBJECT % (len(clip.samplers), node, channel.path.encode()))
        clip.samplers.append(SAMPLER_OBJECT % (times, self._buffer.keys(channel.values), step))


def _in_axes(channel: Channel, axes: Axes) -> Channel:
    if channel.path == "translation":
        return channel._replace(values=axes.vectors(channel.values))
    return channel._replace(values=axes.rotations(channel.values)) if channel.path == "rotation" else channel


def _reaching(channels: list[Channel], duration: float) -> list[Channel]:
    """If no channel has a key at the clip's end, extend the first channel to this end, because glTF derives
    the length of a clip from keys.
    """
    end = np.float32(duration)
    if not channels or any(each.times[-1] >= end for each in channels) or not duration > 0:
        return channels
    first = channels[0]
    times: Array = np.append(first.times, end)
    return [
        first._replace(times=times, values=np.concatenate((first.values, first.values[-1:]))),
        *channels[1:],
    ]


def sampling_rate(animation: Animation, skeleton: Skeleton, rate: float) -> float:
    """Return the samples per second of a clip: `rate`, or fewer if there would be too many samples."""
    most = most_samples(skeleton) - 1
    return rate if not animation.duration * rate > most else most / animation.duration


def sample_times(animation: Animation, channels: list[Channel], rate: float) -> Array:
    """Return the sample times [K] f32 in seconds: `rate` times a second, at the end of the clip, and at the
    keys of the channels.
    """
    count = int(animation.duration * rate) + 1
    return merged_times(
        np.arange(count) / rate, np.full(1, animation.duration), *(each.times for each in channels)
    )


def thinned(times: Array, most: int) -> Array:
    """Return the times [K]. If there are more than `most`, return `most` of them, evenly chosen from the
    first to the last.
    """
    return times if len(times) <= most else times[np.linspace(0, len(times) - 1, most).astype(np.intp)]


def fitting_tree(
    skeleton: Skeleton, animations: Sequence[Animation], extent: float, say: Callable[[str], None]
) -> JointTree:
    """Return the tree of joints for all clips; a flat tree if parents would shear their children."""
    tree = joint_tree(skeleton)
    if not may_shear(skeleton):
        return tree
    if not skeleton.sheared and float(np.ptp(skeleton.scales, axis=1).max(initial=0.0)) > EVEN:
        say(
            "all joints are roots, because some have uneven scales at rest, which other programs apply "
            "differently"
        )
        return flat_tree(skeleton)
    worst = local_transforms(joint_levels(skeleton.parents), rest(skeleton).world[None], extent)[1]
    for each in animations:
        found = channels(skeleton, each)
        if found and np.isfinite(np.float32(each.duration)) and not composes_plainly(skeleton, found):
            times = sample_times(each, found, sampling_rate(each, skeleton, RATE))
            times = thinned(times, most_times(skeleton))
            worst = max(worst, sampled(skeleton, each, times, tree, extent, fixed=True).error)
    if not worst > SHEARED * extent:
        return tree
    share = worst / extent if extent else 0.0
    say(
        f"all joints are roots, because as children their poses would be wrong by {share:.2%} of the "
        "model's extent"
    )
    return flat_tree(skeleton)
