"""Builds the animations. Poses say how the frames store the channels of each joint."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from rigscope_iqm.layout import ANIMS, BOUNDS, CHANNEL_COUNT, FRAMES, LARGEST, LOOP, POSES
from rigscope_iqm.skeleton import unit
from rigscope_iqm.tables import Numbers, Tables
from viewer.plugin import Animation, Composition, FormatError, LazyTracks, Track

PATHS = (("position", slice(0, 3)), ("rotation", slice(3, 7)), ("scale", slice(7, 10)))
FREE = 1 << 16
"""How many values all animations may have, besides one for each byte of the file. In a damaged file many
animations may share their frames.
"""


class Motion(NamedTuple):
    """The rows of the animations, the frames [F, C] u16, P poses, and the channels that the frames store:
    `moving` [P, 10] bool. `bounds` are the boxes of the frames; empty if they are absent. `names` [P] are the
    moved joints.
    """

    anims: Numbers
    frames: Numbers
    poses: Numbers
    moving: Numbers
    bounds: Numbers
    names: tuple[str, ...] = ()


def read_motion(tables: Tables) -> Motion | None:
    """Read poses and frames; None if there are none, and with an error if they do not fit together."""
    header = tables.header
    poses, frames = tables.table(POSES, "ofs_poses"), tables.table(FRAMES, "ofs_frames")
    anims, bounds = tables.table(ANIMS, "ofs_anims"), tables.table(BOUNDS, "ofs_bounds")
    moving = (poses["mask"][:, None] >> np.arange(CHANNEL_COUNT, dtype=np.uint32) & 1).astype(bool)
    reach = np.abs(poses["offset"].astype(np.float64)) + LARGEST * np.abs(poses["scale"].astype(np.float64))
    total = header.num_frames * header.num_framechannels
    alone = header.num_poses and not header.num_joints and not header.num_meshes
    if not (header.num_poses or header.num_anims):
        return None
    if header.num_poses != header.num_joints and not alone:
        why = f"{header.num_poses} poses for {header.num_joints} joints: the animations are left out"
        tables.fail("num_poses", why)
    elif len(poses) == header.num_poses and len(frames) == total:  # else reported
        if moving.sum() != header.num_framechannels:
            why = f"the poses have {moving.sum()} channels: the animations are left out"
            tables.fail("num_framechannels", why)
        elif not (reach < np.finfo(np.float32).max).all():
            tables.fail("ofs_poses", "a channel is not finite: the animations are left out")
        else:
            frames = frames.reshape(-1, max(header.num_framechannels, 1))
            return Motion(anims, frames, poses, moving, bounds)
    return None


def read_clips(tables: Tables, motion: Motion) -> Iterator[Animation | None]:
    """Yield the animations in the order of the file; None for one that is left out."""
    room = FREE + len(tables.data)
    for number, row in enumerate(motion.anims):
        first, count = int(row["first_frame"]), int(row["num_frames"])
        channels = tables.header.num_framechannels
        room -= len(motion.poses) + count * channels + min(count, len(motion.bounds))
        try:
            if first + count > tables.header.num_frames:
                raise FormatError(
                    f"has the frames from {first} to {first + count}, of {tables.header.num_frames}"
                )
            if room < 0:
                raise FormatError("this and later animations have more values than a file of this size may")
        except FormatError as error:
            tables.fail_in(ANIMS, number, error)
            yield None
            if room < 0:
                return
        else:
            yield _clip(tables, motion, number, row)


def _clip(tables: Tables, motion: Motion, number: int, row: Any) -> Animation:
    first, count, flags = int(row["first_frame"]), int(row["num_frames"]), int(row["flags"])
    name, rate = tables.name(int(row["name"])) or f"clip {number}", float(row["framerate"])
    if not 0 <= rate < np.inf:
        tables.report.warn(f"clip {name!r}: {rate} frames a second; one a second is used")
    rate = rate if 0 < rate < np.inf else 1.0
    part = slice(first, first + count)
    keys = np.where(motion.moving.any(axis=1), count, min(count, 1))
    return Animation(
        name=name,
        duration=(count if flags & LOOP else max(count - 1, 0)) / rate,
        tracks=LazyTracks(partial(_tracks, motion, part, rate)),
        targets=motion.names if count else (),
        keyframes=int(keys.sum()),
        composition=Composition.ABSOLUTE,
        source=str(tables.path),
        facts={"flags": flags} if flags else {},
        bounds=_box(motion.bounds[part]),
    )


def _tracks(motion: Motion, part: slice, rate: float) -> Iterator[Track]:
    """Yield the tracks of a clip, three for each pose. A track that the frames do not store has one key."""
    frames = motion.frames[part]
    times, one = np.arange(len(frames)) / rate, np.zeros(min(part.stop - part.start, 1))
    column = 0
    for name, pose, moving in zip(motion.names, motion.poses, motion.moving, strict=True):
        for path, channels in PATHS:
            stored, offset, scale = moving[channels], pose["offset"][channels], pose["scale"][channels]
            kept = times if stored.any() else one
            values = np.tile(offset, (len(kept), 1))
            following = column + int(stored.sum())
            if following > column:
                values[:, stored] += frames[:, column:following] * scale[stored]
            column = following
            yield Track(name, path, kept, unit(values) if path == "rotation" else values)


def _box(bounds: Numbers) -> Numbers | None:
    """The box [2, 3] around the boxes of frames; None if there is no finite one."""
    if not len(bounds):
        return None
    box = np.stack((bounds["min"].min(axis=0), bounds["max"].max(axis=0)))
    return box if np.isfinite(box).all() else None
