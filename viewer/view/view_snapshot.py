"""All data that the pictures of a model depend on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from viewer.animation.pose import Pose, pose, poses
from viewer.arrays import Array
from viewer.scene.camera import MatrixCamera, Orbit, eye_axes
from viewer.scene.display import DisplayOptions, ModelDisplay
from viewer.scene.model import Model
from viewer.scene.skeleton import BONELESS, Skeleton
from viewer.view.playlist import Playback


class ViewSnapshot(Struct, frozen=True, eq=False):
    """A model and its view, from which pictures at any time can be drawn. `camera` is the picture's camera.
    `file_camera_number` is the number of the file's active camera; None while the user's camera is active.
    """

    model: Model | None
    skeleton: Skeleton | None
    options: DisplayOptions
    display: ModelDisplay
    playback: Playback
    camera: Orbit | MatrixCamera
    file_camera_number: int | None = None

    def pose(self, time: float, camera: Orbit | MatrixCamera | None = None) -> Pose | None:
        """The pose at `time` seconds, with billboards turned to `camera`. If `camera` is None, they are
        turned to the snapshot's camera.

        The result is None if there are neither bones nor a playing vertex animation, so that nothing can
        move.
        """
        layers, skeleton = self.playback.layers(time), self.skeleton or BONELESS
        if not len(skeleton) and not any(layer.animation.moves_vertices for layer in layers):
            return None
        return pose(
            skeleton, layers, billboard_axes(self.skeleton, self.model, self.display, camera or self.camera)
        )

    def poses(self, times: Sequence[float] | Array) -> list[Pose | None]:
        """The pose at each of the times in seconds; see `pose`."""
        skeleton, playing = self.skeleton or BONELESS, [self.playback.layers(float(time)) for time in times]
        layers = playing[0] if playing else ()
        if not len(skeleton) and not any(layer.animation.moves_vertices for layer in layers):
            return [None] * len(playing)
        axes = billboard_axes(self.skeleton, self.model, self.display, self.camera)
        at = np.array([each[0].time for each in playing] if layers else times, np.float64)
        weights = np.array([[layer.weight for layer in each] for each in playing], np.float64).T
        return [*poses(skeleton, layers, at, axes, weights if layers else None)]


def billboard_axes(
    skeleton: Skeleton | None, model: Model | None, display: ModelDisplay, camera: Orbit | MatrixCamera
) -> Array | None:
    """[3, 3]: the matrix from the file's axes to the eye space of `camera`, for billboards; None if the
    skeleton has no billboards.
    """
    if skeleton is None or skeleton.billboards is None or not skeleton.billboards.any():
        return None
    return eye_axes(camera, display.to_world(model) if model else np.eye(4))
