"""All data that the pictures of a model depend on."""

from __future__ import annotations

from collections.abc import Sequence
from weakref import ref

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from viewer.animation.clock import SAME_TIME, TimeMap
from viewer.animation.pose import Layer, Pose, pose, poses
from viewer.arrays import Array
from viewer.scene.camera import MatrixCamera, Orbit, eye_axes
from viewer.scene.display import DisplayOptions, ModelDisplay
from viewer.scene.model import Model
from viewer.scene.skeleton import BONELESS, Skeleton
from viewer.view.playlist import Playback


class PoseCache(Struct, eq=False, weakref=True):
    """Poses a skeleton, and keeps the last pose until one of its inputs changes."""

    _key: tuple[object, ...] = ()
    _pose: Pose | None = None

    def of(self, skeleton: Skeleton | None, layers: Sequence[Layer], axes: Array | None) -> Pose | None:
        """Return the pose of these layers; None if there are neither bones nor a playing vertex animation, so
        that nothing can move.

        Billboards are turned to the camera with the `axes` of `billboard_axes`; with None they are not
        turned.
        """
        if not can_move(skeleton, layers):
            return None
        skeleton = skeleton or BONELESS
        key = pose_key(skeleton, layers, axes)
        if self._pose is None or self._key != key:
            self._key, self._pose = key, pose(skeleton, layers, axes)
        return self._pose


def pose_key(skeleton: Skeleton | None, layers: Sequence[Layer], axes: Array | None) -> tuple[object, ...]:
    """The inputs of a pose, as a value that changes with them."""
    parts = (
        (
            ref(layer.adapted or layer.animation),
            layer.time,
            layer.weight,
            layer.additive,
            layer.looped,
            layer.start_bone,
        )
        for layer in layers
    )
    return (ref(skeleton or BONELESS), None if axes is None else axes.tobytes(), *parts)


class ViewSnapshot(Struct, frozen=True, eq=False):
    """A model and its view, from which pictures at any time can be drawn. `camera` is the picture's camera.
    `file_camera_number` is the number of the file's active camera; None while the user's camera is active.
    `tie` converts the times of a sequence of pictures to times of the view's clock; it differs from the same
    time only for the second of two compared clips.
    """

    model: Model | None
    skeleton: Skeleton | None
    options: DisplayOptions
    display: ModelDisplay
    playback: Playback
    camera: Orbit | MatrixCamera
    file_camera_number: int | None = None
    last_pose: PoseCache = field(default_factory=PoseCache)
    tie: TimeMap = SAME_TIME

    def copied(self) -> ViewSnapshot:
        """A copy that later changes of the options, the display and the clock do not affect."""
        return replace(
            self,
            options=replace(self.options),
            display=self.display.copied(),
            playback=replace(self.playback, clock=replace(self.playback.clock)),
            last_pose=PoseCache(),
        )

    def pose(self, time: float, camera: Orbit | MatrixCamera | None = None) -> Pose | None:
        """The pose at `time` seconds, with billboards turned to `camera`. If `camera` is None, they are
        turned to the snapshot's camera.

        The result is None if nothing can move, see `PoseCache.of`.
        """
        axes = billboard_axes(self.skeleton, self.model, self.display, camera or self.camera)
        return self.last_pose.of(self.skeleton, self.playback.layers(time), axes)

    def poses(self, times: Sequence[float] | Array) -> list[Pose | None]:
        """The pose at each of the times in seconds; see `pose`."""
        playing = [self.playback.layers(float(time)) for time in times]
        layers = playing[0] if playing else ()
        if not can_move(self.skeleton, layers):
            return [None] * len(playing)
        axes = billboard_axes(self.skeleton, self.model, self.display, self.camera)
        at = np.array([each[0].time for each in playing] if layers else times, np.float64)
        weights = np.array([[layer.weight for layer in each] for each in playing], np.float64).T
        return [*poses(self.skeleton or BONELESS, layers, at, axes, weights if layers else None)]


def can_move(skeleton: Skeleton | None, layers: Sequence[Layer]) -> bool:
    """Whether there are bones or a playing vertex animation."""
    boned = skeleton is not None and len(skeleton) > 0
    return boned or any(layer.animation.moves_vertices for layer in layers)


def billboard_axes(
    skeleton: Skeleton | None, model: Model | None, display: ModelDisplay, camera: Orbit | MatrixCamera
) -> Array | None:
    """[3, 3]: the matrix from the file's axes to the eye space of `camera`, for billboards; None if the
    skeleton has no billboards.
    """
    if skeleton is None or skeleton.billboards is None or not skeleton.billboards.any():
        return None
    return eye_axes(camera, display.to_world(model) if model else np.eye(4))
