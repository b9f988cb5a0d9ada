"""The frames of a sequence: their times, cameras and pictures.

Both the window and the commands without a window use them. The model is uploaded once per sequence.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from viewer.arrays import Array, Size
from viewer.errors import FormatError
from viewer.gpu.target import RenderTarget, straight_alpha
from viewer.render.frame import Frame
from viewer.render.mesh.mesh_resources import MeshResources
from viewer.render.renderer import Renderer
from viewer.scene.camera import MatrixCamera, Orbit
from viewer.scene.display import DisplayOptions
from viewer.view.camera import stored_camera
from viewer.view.clip_points import clip_points
from viewer.view.framing import bounds_of, enclose, fit
from viewer.view.view_snapshot import ViewSnapshot

Camera = Orbit | MatrixCamera

TURN = 4.0
"""Shortest duration of a turntable in seconds."""
LOOKED_AT = 240
"""Largest number of frames from which the camera's position is computed. In longer sequences only every n-th
frame is used.
"""


class FrameShot(Struct, frozen=True):
    """A frame to draw: the time of its pose in seconds, and its camera."""

    time: float
    camera: Camera


def length(view: ViewSnapshot, turntable: bool = False) -> float:
    """Return the duration in seconds of a sequence that repeats without a jump; 0 if nothing moves.

    This is one loop of the playback range (forth and back for ping-pong). The duration of a turntable is as
    many whole loops as are needed for at least `TURN` seconds.
    """
    playback = view.playback
    start, end = playback.clock.range or (0.0, playback.duration)
    loop = (end - start) * (2 if playback.clock.loop == "pingpong" else 1)
    if not turntable:
        return loop
    if loop <= 0 or not playback.looped:
        return max(TURN, loop)
    return math.ceil(TURN / loop - 1e-6) * loop


def frame_numbers(seconds: float, fps: float) -> range:
    """Return the frame numbers of a film of `seconds`, from 0. The frame at the end itself is left out,
    because it is the first frame of the next loop.
    """
    return range(max(1, round(seconds * fps)))


def times(frames: range, fps: float, start: float = 0.0) -> list[float]:
    """Return the time of each frame in seconds; frame 0 is at `start`."""
    return [start + number / fps for number in frames]


def endless(
    view: ViewSnapshot, frames: range, fps: float, turntable: bool = False, all_frames: bool = True
) -> tuple[ViewSnapshot, float]:
    """Prepare a film that repeats without a jump. Return its view, in which particles repeat with the loop,
    and its frames per second of model time.

    With `all_frames` the frames are spread evenly over the loop. If nothing moves, the whole film counts as
    the loop.
    """
    seconds = length(view, turntable) or len(frames) / fps
    display = view.display.copied()
    display.effects = replace(display.effects, period=seconds, cold=False)
    return replace(view, display=display), len(frames) / seconds if all_frames else fps


def extent(views: Sequence[ViewSnapshot], frame_times: Sequence[float]) -> Array:
    """Return the box [2, 3] in viewer space around the models at all of these times."""
    return bounds_of(_points(views, frame_times))


def fixed_cameras(view: ViewSnapshot, frame_times: Sequence[float], size: Size) -> Sequence[Camera]:
    """Return the camera of each frame if no distance has to be computed: the camera of the file, else the
    camera of the view.

    `size` is the size of the picture. Raises FormatError if the file's camera is degenerate at the first
    frame; if it is degenerate at a later frame, its last valid view is used.
    """
    number, model = view.file_camera_number, view.model
    if number is None or model is None:
        return [view.camera] * len(frame_times)
    held = view.camera if isinstance(view.camera, MatrixCamera) else None
    found: list[Camera] = []
    for each in frame_times:
        try:
            camera = model.cameras[number].at(view.playback.clip_time(each))
            held = stored_camera(camera, view.display.to_world(model), size)
        except FormatError:
            if held is None:
                raise
        found.append(held)
    return found


def around(orbit: Orbit, count: int) -> Sequence[Orbit]:
    """Return `count` cameras on one turn around the target. The camera at the end of the turn is left out,
    because it would equal the first.
    """
    return [replace(orbit, yaw=orbit.yaw + 360.0 * number / count) for number in range(count)]


def fitted(
    views: Sequence[ViewSnapshot],
    frame_times: Sequence[float],
    orbits: Sequence[Orbit],
    size: Size,
    factor: float = 1.0,
    whole_clip: bool = True,
) -> Sequence[Orbit]:
    """Return the camera of each frame at the smallest distance that keeps the models inside every picture.

    All cameras have the same distance, multiplied by `factor`. The camera of a single picture fits the whole
    clip into the picture; without `whole_clip` it fits only the pose at the time of the picture. `size` is
    the size of the picture.
    """
    if len(set(orbits)) == 1:
        whole = whole_clip and len(frame_times) == 1
        points = np.concatenate([*map(clip_points, views)]) if whole else _points(views, frame_times)
        return [enclose(orbits[0], points, size, factor)] * len(orbits)
    points = _points(views, frame_times)
    fits = [fit(orbit, bounds_of(points), size, factor, points) for orbit in orbits[:: _stride(orbits)]]
    farthest = max(fits, key=lambda orbit: orbit.distance)
    return [replace(orbit, target=farthest.target, distance=farthest.distance) for orbit in orbits]


def _stride(frame_times: Sequence[object]) -> int:
    """Return a number n: only every n-th frame is used to compute the camera's position."""
    return -(-len(frame_times) // LOOKED_AT)


def _points(views: Sequence[ViewSnapshot], frame_times: Sequence[float]) -> Array:
    """Return points [N, 3] in viewer space around the models at all of these times."""
    looked_at = np.asarray(frame_times[:: _stride(frame_times)])
    return np.concatenate(
        [clip_points(view, looked_at if view.playback.playlist else looked_at[:1]) for view in views]
    )


def pictures(
    renderer: Renderer,
    mesh: MeshResources | None,
    view: ViewSnapshot,
    shots: Iterable[FrameShot],
    bounds: Array | None,
    size: Size,
) -> Generator[Array, None, None]:
    """Yield the picture of each shot, [height, width, 4] u8, the top row first, drawn on request.

    Alpha is straight; with an opaque background, alpha has no meaning. `bounds` [2, 3] is the box that the
    clipping planes must contain; None if there is no mesh. The render target is released when the iterator
    ends or is closed.
    """
    target = RenderTarget(renderer.ctx, size, view.options.samples)
    try:
        for shot in shots:
            renderer.draw(mesh, frame_at(view, shot, bounds), target.framebuffer, size)
            yield finished(view.options, target)
    finally:
        target.release()


def frame_at(view: ViewSnapshot, shot: FrameShot, bounds: Array | None) -> Frame:
    """Return the frame of a shot; see `pictures` for `bounds`."""
    layers = view.playback.layers(shot.time)
    return Frame(
        view.pose(shot.time, shot.camera),
        view.options,
        shot.camera,
        bounds,
        time=shot.time,
        playing=next(iter(layers), None),
        layers=layers,
        display=view.display,
    )


def finished(options: DisplayOptions, target: RenderTarget) -> Array:
    """Read the drawn picture, [height, width, 4] u8, with straight alpha if it can be transparent."""
    drawn = target.read()
    return straight_alpha(drawn) if options.translucent else drawn
