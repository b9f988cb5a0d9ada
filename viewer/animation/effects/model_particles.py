"""Computes the rotations of particles that are models, and their poses in the model's clip.

The half size of the particle's quad is the scale of the model. At birth the model has the axes of its space;
then each particle turns at constant speed around an axis of its own (the emitter's tumble). The emitter's
spin and the camera turn only quads, not models. Each particle plays its clip from its birth. Source: the
original client and client 3.3.5. Both clients agree, except that in the original client all particles share
one clip time.
"""

from __future__ import annotations

import math

import numpy as np

from viewer.animation.effects.random_hash import RandomDraw, uniform
from viewer.animation.pose import Layer, pose
from viewer.animation.pose import poses as pose_at_times
from viewer.arrays import Array
from viewer.scene.animation import Animation
from viewer.scene.emitter import Emitter
from viewer.scene.skeleton import Skeleton

CACHED_POSES, RATE = 128, 30.0
"""The largest number of cached poses of a clip, and the number of poses per second. A particle interpolates
between two poses.
"""
FACING_POSES = 16
"""The largest number of cached poses if bones face the camera, because a moving camera recomputes all of
them.
"""
FASTEST = 1e4
"""The largest turning speed in radians per second."""


def turns(emitter: Emitter, seed: int, numbers: Array, ages: Array) -> Array:
    """[N, 3, 3]: the rotations of the particles with the birth numbers `numbers` [N] at `ages` [N]
    seconds.
    """
    least, most = np.nan_to_num(np.clip(emitter.tumble, -FASTEST, FASTEST))
    speeds = np.empty((len(numbers), 3))
    for axis in range(3):
        part = uniform(seed, numbers, RandomDraw.TUMBLE + axis)
        speeds[:, axis] = least[axis] + (most[axis] - least[axis]) * part
        if "tumbles" in emitter.flags:
            speeds[:, axis] *= np.where(uniform(seed, numbers, RandomDraw.TUMBLE_SIGN + axis) < 0.5, -1, 1)
    speed = np.linalg.norm(speeds, axis=1)
    x, y, z = np.divide(speeds.T, speed, out=np.zeros((3, len(numbers))), where=speed > 0)
    zero = np.zeros_like(x)
    cross = np.array(((zero, -z, y), (z, zero, -x), (-y, x, zero))).transpose(2, 0, 1)
    angle = (speed * ages)[:, None, None]
    return np.asarray(np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross)


def poses(skeleton: Skeleton, animation: Animation | None, view: Array | None = None) -> Array:
    """[K, B, 3, 4]: the skin matrices at K evenly spaced times of a clip, with its end; one pose if nothing
    moves.

    `view` [3, 3] is as in `pose`.
    """
    if animation is None or not len(animation.tracks) or not 0 < animation.duration < math.inf:
        return pose(skeleton, (), view).skin[None]
    most = CACHED_POSES if view is None else FACING_POSES
    times = np.linspace(0.0, animation.duration, min(math.ceil(animation.duration * RATE) + 1, most))
    return pose_at_times(skeleton, (Layer(animation, 0.0, looped=False),), times, view).skin


def faces(skeleton: Skeleton | None) -> bool:
    """Whether any bone faces the camera."""
    billboards = skeleton.billboards if skeleton is not None else None
    return billboards is not None and bool(billboards.any())


def tumbling(emitter: Emitter) -> bool:
    """Whether particles that are models turn, each around its own axis."""
    return bool(np.nan_to_num(emitter.tumble).any())


def phases(ages: Array, count: int, duration: float) -> tuple[Array, Array, Array]:
    """Find the two of `count` poses between which particles of these `ages` [N] are: the numbers [N] of the
    first and of the second pose, and the interpolation factors [N].
    """
    if count < 2:
        return np.zeros(len(ages), np.int64), np.zeros(len(ages), np.int64), np.zeros(len(ages))
    position = np.mod(ages, duration) / duration * (count - 1)
    first = np.clip(np.floor(position).astype(np.int64), 0, count - 2)
    return first, first + 1, np.clip(position - first, 0.0, 1.0)
