"""The eight arms: bend angles to frames, centrelines and skin. Arm k leaves the body at AZIMUTHS[k]."""

from __future__ import annotations

from typing import Any

import numpy as np

from generate.curves import lerp, smoothstep, spline_weights, unit
from generate.mesh import Surface
from viewer.arrays import Array

ARMS = 8
BONES = 7
BONE_LENGTH = 0.088
LENGTH = BONES * BONE_LENGTH
AZIMUTHS = (np.arange(ARMS) + 0.5) * 2 * np.pi / ARMS
"""Radians from the front (+Z) towards the creature's right (+X)."""
WAVING, HOLDING = 1, 6

ROOT_RADIUS, ROOT_HEIGHT = 0.165, 0.205
ROOT_WIDTH = ROOT_RADIUS * np.tan(np.pi / ARMS)
"""Half the width of an arm where it leaves the body: neighbours just meet."""
TIP_WIDTH = 0.014
ROOT_SLOPE = -0.55

BIND_PITCH = np.array([[-34.0, -46, -30, 4, 34, 74, 128]] * ARMS)
"""Degrees above the horizon, per arm and bone; those that stand are then laid on the floor."""
BIND_PITCH[WAVING] = (-14, 18, 58, 84, 98, 122, 170)
BIND_PITCH[HOLDING] = (-14, 16, 48, 62, 58, 22, -48)
STANDING = [arm for arm in range(ARMS) if arm not in (WAVING, HOLDING)]
DROOP = np.array((1.0, 1.0, 0.7, 0.3, 0.0, 0.0, 0.0))
"""How much each bone takes part when an arm reaches up or down to the floor."""
BIND_YAW = np.array(
    [
        [0, -6, -18, -32, -48, -60, -70],
        [0, 4, 6, 0, -4, -8, -10],
        [0, 2, -4, -16, -28, -40, -50],
        [0, 6, 14, 26, 42, 58, 72],
        [0, -6, -16, -26, -40, -54, -66],
        [0, 0, 8, 20, 34, 46, 56],
        [0, -3, -4, -4, -2, 0, 0],
        [0, 8, 20, 34, 50, 62, 72],
    ],
    float,
)
"""Degrees aside, about the vertical."""


def frames(pitch: Array, yaw: Array, azimuth: Any) -> Array:
    """[..., 3, 3] whose columns are side, back and direction of an arm, from degrees and radians [...]."""
    heading = azimuth + np.radians(yaw)
    rise = np.radians(pitch)
    sine, cosine = np.sin(heading), np.cos(heading)
    level = np.zeros_like(heading + rise)
    out = np.stack((sine + level, level, cosine + level), axis=-1)
    up = np.array((0.0, 1.0, 0.0))
    ahead = np.cos(rise)[..., None] * out + np.sin(rise)[..., None] * up
    back = np.cos(rise)[..., None] * up - np.sin(rise)[..., None] * out
    side = np.stack((cosine + level, level, -sine + level), axis=-1)
    return np.stack((side, back, ahead), axis=-1)


def roots() -> Array:
    """[8, 3]: the points at which the centrelines leave the body."""
    out = np.stack((np.sin(AZIMUTHS), np.zeros(ARMS), np.cos(AZIMUTHS)), axis=-1)
    return np.asarray(out * ROOT_RADIUS + (0, ROOT_HEIGHT, 0))


def planted(pitch: Array, height: Array, reach: float = 24.0) -> Array:
    """Bend angles [..., 7] changed so that an arm whose root is at `height` [...] metres lies on the floor.

    By bisection; where the floor is farther than `reach` degrees of droop, the arm hangs above it.
    """
    sole = 0.78 * widths((np.arange(BONES) + 1) / BONES)
    low, high = np.full(height.shape, -reach), np.full(height.shape, 60.0)
    for _ in range(30):
        middle = (low + high) / 2
        angle = np.radians(pitch + middle[..., None] * DROOP)
        joints = height[..., None] + np.cumsum(np.sin(angle), axis=-1) * BONE_LENGTH
        sunk = np.min(joints - sole * np.abs(np.cos(angle)), axis=-1) < 0
        low, high = np.where(sunk, middle, low), np.where(sunk, high, middle)
    return np.asarray(pitch + high[..., None] * DROOP)


def bind_pitch() -> Array:
    """[8, 7] degrees: the bind angles, with the standing arms on the floor."""
    pitch = BIND_PITCH.copy()
    pitch[STANDING] = planted(pitch[STANDING], np.full(len(STANDING), ROOT_HEIGHT))
    return pitch


def bind_frames() -> Array:
    """[8, 7, 3, 4]: the bones in the model, each at the start of its stretch of the centreline."""
    turns = frames(bind_pitch(), BIND_YAW, AZIMUTHS[:, None])
    lines = [Centreline(arm) for arm in range(ARMS)]
    origins = np.stack([line.points(np.arange(BONES) / BONES) for line in lines])
    return np.concatenate((turns, origins[..., None]), axis=-1)


class Centreline:
    """The middle of one arm in the bind pose, s from 0 at the body to 1 at the tip."""

    def __init__(self, arm: int) -> None:
        self.azimuth = AZIMUTHS[arm]
        self.pitch, self.yaw = bind_pitch()[arm], BIND_YAW[arm]
        self.fine = np.linspace(0, 1, 513)
        ahead = self.frames(self.fine)[..., 2]
        steps = (ahead[1:] + ahead[:-1]) / 2 * LENGTH / 512
        self.path = roots()[arm] + np.concatenate((np.zeros((1, 3)), np.cumsum(steps, axis=0)))

    def frames(self, s: Array) -> Array:
        """[..., 3, 3]: side, back, direction."""
        shares = spline_weights(s * BONES - 0.5, BONES)
        return frames(shares @ self.pitch, shares @ self.yaw, self.azimuth)

    def points(self, s: Array) -> Array:
        """[..., 3]."""
        return np.stack([np.interp(s, self.fine, self.path[:, axis]) for axis in range(3)], axis=-1)


def widths(s: Array) -> Array:
    """Half the width of an arm, which tapers and is round at the tip."""
    taper = lerp(ROOT_WIDTH, TIP_WIDTH, 1 - (1 - s) ** 1.25)
    return np.asarray(taper * np.sqrt(np.clip(1 - ((s - 0.965) / 0.035).clip(0, 1) ** 2, 0, 1)))


def section(around: Array, s: Array) -> tuple[Array, Array]:
    """The outline: how far aside and how far up, `around` from 0 over the back (0.25) and below (0.75)."""
    angle = 2 * np.pi * around
    width = widths(s)
    back = width * lerp(0.86, 0.95, smoothstep(0, 0.4, s))
    sole = width * lerp(0.62, 0.80, smoothstep(0, 0.4, s))
    return width * np.cos(angle), np.where(around <= 0.5, back, sole) * np.sin(angle)


def arm_surface(arm: int) -> Surface:
    """u along the arm, v around it. Its first ring stands upright, where the body's last one ends."""
    line = Centreline(arm)
    upright = frames(np.zeros(()), np.zeros(()), AZIMUTHS[arm])

    def surface(u: Array, v: Array) -> Array:
        aside, above = section(v, u)
        leaning = smoothstep(0, 0.2, u)[..., None, None]
        turns = lerp(upright, line.frames(u), leaning)
        side, back = unit(turns[..., 0]), unit(turns[..., 1])
        return np.asarray(line.points(u) + side * aside[..., None] + back * above[..., None])

    return surface


def straight_surface(u: Array, v: Array) -> Array:
    """A straight arm, on which the paint of all eight arms is made."""
    aside, above = section(v, u)
    return np.stack((aside, above, u * LENGTH), axis=-1)


def arch(azimuth: Array) -> tuple[Array, Array]:
    """The edge between body and arms at azimuths from 0 to 2π: points and directions, [..., 3]."""
    sector = 2 * np.pi / ARMS
    arm = np.floor(azimuth / sector)
    q = 2 * (azimuth / sector - arm) - 1
    aside, above = section(0.25 * (1 - q), np.zeros_like(q))
    center = (arm + 0.5) * sector
    out = np.stack((np.sin(center), np.zeros_like(center), np.cos(center)), axis=-1)
    side = np.stack((np.cos(center), np.zeros_like(center), -np.sin(center)), axis=-1)
    point = out * ROOT_RADIUS + side * aside[..., None]
    point[..., 1] = ROOT_HEIGHT + above
    onward = np.stack((np.sin(azimuth), np.full_like(azimuth, ROOT_SLOPE), np.cos(azimuth)), axis=-1)
    return point, unit(onward)
