"""The OpenGL context of a process that draws thumbnails: it is made once, and drawing keeps its programs."""

from __future__ import annotations

import os
from contextlib import ExitStack
from functools import cache

import numpy as np

from viewer.animation.view_snapshot import ViewSnapshot
from viewer.animation.visibility import Visibility
from viewer.arrays import Array, Size
from viewer.export import frames
from viewer.gpu.headless import context
from viewer.render.clip_points import clip_points
from viewer.render.framing import bounds_of, enclose
from viewer.render.renderer import Renderer
from viewer.scene.camera import Orbit
from viewer.scene.model import Model
from viewer.session.state import State
from viewer.storage.chosen_images import chosen_images

ONE_THREAD = ("LP_NUM_THREADS", "0")
"""The setting of Mesa's software renderer for drawing in the calling thread.

A small picture takes longer with threads, and the other workers use the other cores.
"""


class ThumbnailRenderer:
    """A context and a renderer for many models, one after another. GraphicsError without a usable OpenGL."""

    def __init__(self) -> None:
        os.environ.setdefault(*ONE_THREAD)
        self._context = ExitStack()
        self.ctx = self._context.enter_context(context())
        self._renderer = Renderer(self.ctx)

    def draw(self, state: State, size: Size, factor: float = 1.0) -> Array:
        """[height, width, 3 or 4] u8, the top row first: the document in view at the State's time.

        `factor` multiplies the distance that shows the whole model. There are four channels if the background
        is translucent. NothingShownError with the reason if the picture would show nothing.
        """
        view, points, time = _seen(state)
        shots = [frames.FrameShot(time, _camera(view, time, points, size, factor))]
        return self._pictures(state, view, shots, points, size)[0]

    def turn(self, state: State, size: Size, count: int) -> list[Array]:
        """`count` pictures as those of `draw`, on a turn of the camera around the model."""
        view, points, time = _seen(state)
        orbit = view.camera if isinstance(view.camera, Orbit) else Orbit()
        cameras = frames.fitted([view], [time] * count, frames.around(orbit, count), size)
        return self._pictures(state, view, [frames.FrameShot(time, each) for each in cameras], points, size)

    def _pictures(
        self, state: State, view: ViewSnapshot, shots: list[frames.FrameShot], points: Array, size: Size
    ) -> list[Array]:
        """The picture of each shot; `points` [N, 3] are around the model."""
        images = chosen_images(state.document, state.view.textures, max(size) + 1)
        with self.ctx:
            mesh = self._renderer.upload(state.model or Model(""), images)
            try:
                drawn = frames.pictures(self._renderer, mesh, view, shots, bounds_of(points), size)
                channels = 4 if view.options.translucent else 3
                return [np.ascontiguousarray(pixels[..., :channels]) for pixels in drawn]
            finally:
                mesh.release()

    def close(self) -> None:
        """Release the programs and the context."""
        with self.ctx:
            self._renderer.release()
        self._context.close()


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


@cache
def thumbnail_renderer() -> ThumbnailRenderer:
    """The renderer of this process, made at the first call, whose thread is the only one that may use it."""
    return ThumbnailRenderer()
