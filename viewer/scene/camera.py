"""The parameters of cameras, from a file or from the user; `view.camera` computes the matrices.

Viewer space is right-handed, +Y up; a model faces +Z. Angles are degrees.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from viewer.arrays import Array
from viewer.scene.choices import VIEWS
from viewer.scene.material import ClipTime
from viewer.scene.maths import scale_of

POLE = 89.9
NEAREST, FARTHEST = 1e-6, 1e9
FLATTEST, WIDEST = 1.0, 170.0
NEAR, FAR = 0.1, 1000.0
"""The near and the far plane of a stored camera if its file has none."""


class Camera(Struct, frozen=True):
    """A camera stored in a file. Positions are in the file's axes; `fov` is the vertical field of view in
    degrees.

    `diagonal`, if not None, is the angle in degrees across the picture's diagonal. The vertical angle then
    depends on the picture's aspect ratio, and `fov` is the angle for 4:3. `near` and `far` are the file's
    clip planes; `roll` in degrees turns the camera to its left. `motion` returns the camera at a time (None:
    it never changes).
    """

    name: str
    position: tuple[float, float, float]
    target: tuple[float, float, float]
    fov: float
    diagonal: float | None = None
    near: float = NEAR
    far: float = FAR
    roll: float = 0.0
    motion: Callable[[ClipTime], Camera] | None = None

    def at(self, clip_time: ClipTime) -> Camera:
        """The camera with the values of its `motion` at a time."""
        return self if self.motion is None else self.motion(clip_time)

    def orbit(self, to_world: Array, aspect: float) -> Orbit:
        """Convert to an orbit camera with the same view; an orbit camera chooses its own clip planes.

        `to_world` [4, 4] goes from the file's axes to viewer space. The result is the default orbit if
        position and target coincide or are not finite.
        """
        eye, target = (to_world[:3, :3] @ each + to_world[:3, 3] for each in (self.position, self.target))
        x, y, z = back = eye - target
        distance = float(np.linalg.norm(back))
        if not NEAREST < distance < FARTHEST:
            return Orbit()
        yaw, pitch = np.degrees((np.arctan2(x, z), np.arcsin(np.clip(y / distance, -1, 1))))
        pitch = max(-POLE, min(POLE, float(pitch)))
        return Orbit(_triple(target), distance, float(yaw) % 360.0, pitch, self.roll, self.angle(aspect))

    def angle(self, aspect: float) -> float:
        """The vertical field of view in degrees for a picture's `aspect` (width / height)."""
        angle = self.fov if self.diagonal is None else self.diagonal / float(np.hypot(1, aspect))
        return max(FLATTEST, min(WIDEST, angle)) if np.isfinite(angle) else FLATTEST


class MatrixCamera(Struct, frozen=True):
    """A camera given as matrices: `view` [3, 4] from the file's axes to eye space, `projection` [4, 4] from
    eye space to GL clip space.
    """

    view: Array
    projection: Array


class Orbit(Struct, frozen=True):
    """A camera on a sphere around `target` (viewer space). Yaw 0, pitch 0 looks along -Z at a model's front.

    A greater yaw moves the camera towards +X, a greater pitch upwards; `roll` turns the picture. An `ortho`
    camera is orthographic; with `until_turned`, only until it turns.
    """

    target: tuple[float, float, float] = (0.0, 0.0, 0.0)
    distance: float = 5.0
    yaw: float = 35.0
    pitch: float = 20.0
    roll: float = 0.0
    fov: float = 45.0
    ortho: bool = False
    until_turned: bool = False

    @property
    def axes(self) -> Array:
        """[3, 3]: the camera's right, up and backward axes as rows, in viewer space."""
        return _axes(self.yaw, self.pitch, self.roll)

    @property
    def angle(self) -> float:
        """The vertical field of view in degrees, limited to angles that can be drawn."""
        return max(FLATTEST, min(WIDEST, self.fov))

    @property
    def slope(self) -> float:
        """Half the height of the view at distance 1. At the target, orthographic and perspective views have
        the same height.
        """
        return float(np.tan(np.radians(self.angle) / 2))

    @property
    def position(self) -> Array:
        """[3]: the camera's position in viewer space."""
        return np.asarray(np.array(self.target) + self.axes[2] * self.distance)

    def turned(self, yaw: float, pitch: float) -> Orbit:
        """The camera turned around its target by angles in degrees; the pitch stops at the poles."""
        limit = 90.0 if abs(self.pitch) == 90.0 and not pitch else POLE
        flat = self.until_turned and not yaw and not pitch
        return replace(
            self,
            yaw=(self.yaw + yaw) % 360.0,
            pitch=max(-limit, min(limit, self.pitch + pitch)),
            ortho=self.ortho and (flat or not self.until_turned),
            until_turned=flat,
        )

    def opposite(self) -> Orbit:
        """The camera on the other side of its target; from above, the camera below."""
        if abs(self.pitch) == 90.0:
            return replace(self, pitch=-self.pitch)
        return replace(self, yaw=(self.yaw + 180.0) % 360.0)

    def panned(self, right: float, up: float) -> Orbit:
        """The camera moved sideways; the distances are fractions of the picture's height at the target."""
        height = 2 * self.distance * self.slope
        moved = np.array(self.target) + (self.axes[0] * right + self.axes[1] * up) * height
        return replace(self, target=_triple(moved))

    def zoomed(self, factor: float, right: float = 0.0, up: float = 0.0) -> Orbit:
        """The camera at `factor` times its distance from the target.

        One point in the target's plane keeps its position in the picture. It lies `right` and `up` of the
        centre, in fractions of the picture's height.
        """
        distance = max(NEAREST, min(FARTHEST, self.distance * factor))
        kept = 1 - distance / self.distance
        return replace(self.panned(right * kept, up * kept), distance=distance)

    def nearer(self, factor: float, point: tuple[float, float, float]) -> Orbit:
        """The camera at `factor` times its distance from `point` (viewer space); `point` keeps its position
        in the picture.
        """
        factor = max(NEAREST, min(FARTHEST, self.distance * factor)) / self.distance
        kept = np.array(point)
        moved = kept + (np.array(self.target) - kept) * factor
        return replace(self, target=_triple(moved), distance=self.distance * factor)

    def centred(self, point: tuple[float, float, float]) -> Orbit:
        """The camera aimed at a new target `point` (viewer space) from an unchanged distance."""
        return replace(self, target=point)

    def looking(self, yaw: float, pitch: float) -> Orbit:
        """The camera turned by angles in degrees at its own position; the target moves around the camera."""
        turned = self.turned(yaw, pitch)
        return replace(turned, target=_triple(self.position - turned.axes[2] * self.distance))

    def flown(self, right: float, up: float, ahead: float) -> Orbit:
        """The camera moved with its target, in viewer units along the camera's axes."""
        moved = np.array(self.target) + np.array((right, up, -ahead)) @ self.axes
        return replace(self, target=_triple(moved))

    def carried(self, change: Array) -> Orbit:
        """The camera moved by `change` [4, 4] in viewer space. It follows a shift, a scale and a turn around
        +Y; any other turn moves only its target.
        """
        scale = scale_of(change)
        upright = np.allclose(change[:3, 1], (0.0, scale, 0.0), atol=1e-6 * scale)
        angle = math.degrees(math.atan2(change[0, 2], change[2, 2])) if upright else 0.0
        target = change[:3, :3] @ self.target + change[:3, 3]
        distance = max(NEAREST, min(FARTHEST, self.distance * scale))
        return replace(self, target=_triple(target), distance=distance).turned(angle, 0.0)

    def seen_from(self, view: str, flat_axes: bool = False) -> Orbit:
        """The camera turned to one of the named `VIEWS`. With `flat_axes`, a view along an axis is
        orthographic until the camera turns. KeyError for an unknown name.
        """
        yaw, pitch = VIEWS[view]
        ortho = self.ortho and not self.until_turned
        flat = flat_axes and not ortho and yaw % 90.0 == pitch % 90.0 == 0.0
        return replace(self, yaw=yaw, pitch=pitch, roll=0.0, ortho=ortho or flat, until_turned=flat)


def eye_axes(camera: Orbit | MatrixCamera, to_world: Array) -> Array:
    """[3, 3]: the matrix from the file's axes to GL eye space, which looks along -Z."""
    if isinstance(camera, Orbit):
        return np.asarray(camera.axes @ to_world[:3, :3])
    projection = camera.projection
    along = projection[3, 2] if projection[3, :3].any() else projection[2, 2]
    turn = np.diag((1.0, 1.0, 1.0 if along < 0 else -1.0))
    return np.asarray(turn @ camera.view[:3, :3])


def _triple(values: Array) -> tuple[float, float, float]:
    x, y, z = (float(value) for value in values)
    return x, y, z


@lru_cache(maxsize=16)
def _axes(yaw: float, pitch: float, roll: float) -> Array:
    """[3, 3]: the axes of a camera with angles in degrees. The result is cached, because each frame needs it
    several times.
    """
    (sin_yaw, cos_yaw), (sin_pitch, cos_pitch), (sin_roll, cos_roll) = map(_turn, (yaw, pitch, roll))
    right = np.array((cos_yaw, 0.0, -sin_yaw))
    up = np.array((-sin_yaw * sin_pitch, cos_pitch, -cos_yaw * sin_pitch))
    back = (sin_yaw * cos_pitch, sin_pitch, cos_yaw * cos_pitch)
    axes = np.array((right * cos_roll + up * sin_roll, up * cos_roll - right * sin_roll, back))
    axes.flags.writeable = False
    return axes


def _turn(degrees: float) -> tuple[float, float]:
    """The sine and cosine of an angle in degrees."""
    return math.sin(math.radians(degrees)), math.cos(math.radians(degrees))


def seen_by(camera: Orbit | MatrixCamera, placed: Array, other: Array) -> Orbit | MatrixCamera:
    """Convert a camera from the file's axes of one model to the file's axes of another model. `placed` [4, 4]
    goes from the axes of the first model to viewer space, `other` [4, 4] from the axes of the second model to
    viewer space. An orbit stays unchanged, because it is in viewer space.
    """
    if isinstance(camera, Orbit):
        return camera
    return MatrixCamera(camera.view @ np.linalg.inv(placed) @ other, camera.projection)
