"""The pictures of a model or of compared models at several times, and their cameras.

Both the window and the commands without a window use them. The model is uploaded once per sequence.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from viewer.animation.motion.clip_difference import ClipDifference
from viewer.arrays import Array, Size
from viewer.errors import FormatError
from viewer.gpu.target import RenderTarget, straight_alpha
from viewer.render.frame import frame_of
from viewer.render.mesh.mesh_resources import MeshResources
from viewer.render.passes.compare_pass import ComparePass
from viewer.render.renderer import Renderer
from viewer.scene.camera import MatrixCamera, Orbit, seen_by
from viewer.scene.choices import CompareMode
from viewer.scene.comparison import Comparison, panes
from viewer.scene.display import DisplayOptions
from viewer.scene.reading_context import DEFAULT, ReadingContext
from viewer.scene.vertex_distances import VertexDistances
from viewer.view.camera import stored_camera
from viewer.view.clip_points import clip_points
from viewer.view.framing import bounds_of, enclose, fit
from viewer.view.view_snapshot import ViewSnapshot

Camera = Orbit | MatrixCamera
Shot = tuple[float, Camera]
"""A picture to draw: the time of its pose in seconds of the first view's clock, and its camera."""

ALONE = Comparison()
LOOKED_AT = 240
"""Largest number of frames from which the camera's position is computed. In longer sequences only every n-th
frame is used.
"""


class Picture(Struct, frozen=True, eq=False):
    """A drawn picture: `pixels` [height, width, 4] u8, the top row first.

    Alpha is straight; with an opaque background, alpha has no meaning. `differing` is the share 0..1 of
    pixels that differ between two models; None unless the comparison shows differences.
    """

    pixels: Array
    differing: float | None = None


def give_environment(renderer: Renderer, options: DisplayOptions, context: ReadingContext = DEFAULT) -> None:
    """Make the environment that the options choose, if they choose one that the renderer does not have.

    FormatError if it cannot be read.
    """
    if not options.with_environment:
        return
    # imported late, because few pictures have the light of an environment
    from viewer.storage.environments import make_environment
    from viewer.storage.versions import path_version

    name, version = options.environment, path_version(options.environment)
    if not renderer.environments.has(name, version):
        renderer.environments.put(name, make_environment(name, context), version)


def extent(views: Sequence[ViewSnapshot], frame_times: Sequence[float]) -> Array:
    """Return the box [2, 3] in viewer space around the models at all of these times."""
    return bounds_of(_points(views, frame_times))


def cameras(
    view: ViewSnapshot, frame_times: Sequence[float], size: Size, turntable: bool = False
) -> Sequence[Camera]:
    """Return the camera of each frame if no distance has to be computed: the camera of the file, else the
    camera of the view. On a turntable, an orbit goes around its target once.

    `size` is the size of the picture. Raises FormatError if the file's camera is degenerate at the first
    frame; if it is degenerate at a later frame, its last valid view is used.
    """
    number, model = view.file_camera_number, view.model
    if number is None or model is None:
        if turntable and isinstance(view.camera, Orbit):
            return around(view.camera, len(frame_times))
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
        [
            clip_points(view, view.tie.of(looked_at if view.playback.playlist else looked_at[:1]))
            for view in views
        ]
    )


def pictures(
    renderer: Renderer,
    meshes: Sequence[MeshResources | None],
    views: Sequence[ViewSnapshot],
    shots: Iterable[Shot],
    box: Array,
    size: Size,
    comparison: Comparison = ALONE,
    distances: VertexDistances | None = None,
    motion: ClipDifference | None = None,
    context: ReadingContext = DEFAULT,
) -> Generator[Picture, None, None]:
    """Yield the picture of each shot, drawn on request: of one model, or of compared models.

    The cameras of the shots belong to the first view. `box` [2, 3] contains everything that the clipping
    planes must not cut; it matters only for meshes. `distances` are the vertex distances between two models
    for `CompareMode.DISTANCE`, `motion` the difference of the clips for `CompareMode.MOTION`. The environment
    is read in the `context`; FormatError if it cannot be read. The render targets are released when the
    iterator ends or is closed.
    """
    options, alone = views[0].options, len(views) == 1
    give_environment(renderer, options, context)
    placed = [view.display.to_world(view.model) if view.model else np.eye(4) for view in views]
    sizes = [(pane.width, size[1]) for pane in panes(comparison, len(views), size[0])]
    drawing = RenderTarget(renderer.ctx, size, options.samples) if alone else ComparePass(renderer)
    try:
        for time, camera in shots:
            shown = [
                (
                    mesh,
                    frame_of(
                        view,
                        view.tie.of(time),
                        pane,
                        box,
                        camera if alone else seen_by(camera, placed[0], own),
                    ),
                )
                for mesh, view, own, pane in zip(meshes, views, placed, sizes, strict=True)
            ]
            share = None
            if isinstance(drawing, RenderTarget):
                renderer.draw(*shown[0], drawing.framebuffer)
                pixels = drawing.read()
            else:
                pixels = drawing.draw(shown, comparison, size, options.samples, distances, motion).read()
                share = drawing.differing() if comparison.mode is CompareMode.DIFFERENCE else None
            yield Picture(straight_alpha(pixels) if options.translucent else pixels, share)
    finally:
        drawing.release()
