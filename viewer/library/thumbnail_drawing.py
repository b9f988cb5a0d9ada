"""Draws thumbnails. The process keeps its renderer, and so the programs, for the next file."""

from __future__ import annotations

import os

import numpy as np

from viewer.arrays import Array, Size, damaged_numbers
from viewer.export import frames
from viewer.render.standalone import keep_renderer, standalone_renderer
from viewer.scene.camera import Orbit
from viewer.scene.model import Model
from viewer.session.state import State
from viewer.storage.chosen_images import chosen_images
from viewer.view.clip_points import clip_points
from viewer.view.framing import bounds_of, enclose
from viewer.view.view_snapshot import ViewSnapshot
from viewer.view.visibility import Visibility

ONE_THREAD = ("LP_NUM_THREADS", "0")
"""The setting of Mesa's software renderer for drawing in the calling thread.

A small picture takes longer with threads, and the other workers use the other cores.
"""


@damaged_numbers()
def draw_thumbnail(state: State, size: Size, factor: float = 1.0) -> Array:
    """[height, width, 3 or 4] u8, the top row first: the document in view at the State's time.

    `factor` multiplies the distance that shows the whole model. There are four channels if the background is
    translucent. NothingShownError with the reason if the picture would show nothing, GraphicsError without a
    usable OpenGL.
    """
    view, points, time = _seen(state)
    shots = [frames.FrameShot(time, _camera(view, time, points, size, factor))]
    return _pictures(state, view, shots, points, size)[0]


@damaged_numbers()
def draw_turn(state: State, size: Size, count: int) -> list[Array]:
    """`count` pictures as `draw_thumbnail` draws them, on a turn of the camera around the model."""
    view, points, time = _seen(state)
    orbit = view.camera if isinstance(view.camera, Orbit) else Orbit()
    cameras = frames.fitted([view], [time] * count, frames.around(orbit, count), size)
    return _pictures(state, view, [frames.FrameShot(time, each) for each in cameras], points, size)


def _pictures(
    state: State, view: ViewSnapshot, shots: list[frames.FrameShot], points: Array, size: Size
) -> list[Array]:
    """The picture of each shot; `points` [N, 3] are around the model."""
    images = chosen_images(state.document, state.view.textures, max(size) + 1)
    os.environ.setdefault(*ONE_THREAD)
    keep_renderer()
    with standalone_renderer() as renderer:
        mesh = renderer.upload(state.model or Model(""), images)
        try:
            drawn = frames.pictures(renderer, mesh, view, shots, bounds_of(points), size)
            channels = 4 if view.options.translucent else 3
            return [np.ascontiguousarray(pixels[..., :channels]) for pixels in drawn]
        finally:
            mesh.release()


def _seen(state: State) -> tuple[ViewSnapshot, Array, float]:
    """The view of the document, points [N, 3] around it, and the time. NothingShownError if it is empty."""
    view = state.snapshot()
    time = view.playback.clock.time
    reason = Visibility(view).reason(time)
    if reason:
        raise NothingShownError(reason)
    return view, clip_points(view, np.array([time])), time


def _camera(view: ViewSnapshot, time: float, points: Array, size: Size, factor: float) -> frames.Camera:
    """The camera at `time`, in front of `points` [N, 3] unless it is a camera of the file or of the user."""
    if isinstance(view.camera, Orbit) and view.file_camera_number is None:
        return enclose(view.camera, points, size, factor)
    (camera,) = frames.fixed_cameras(view, [time], size)
    return camera


class NothingShownError(Exception):
    """The picture of a file would be empty; the text says why."""
