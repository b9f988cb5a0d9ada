"""Which frames a sequence has, where the camera stands in each, and their pictures one after another.

The headless commands and the window draw their pictures with this: all of them with one upload.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable, Sequence
from copy import deepcopy
from dataclasses import replace

import numpy as np

from viewer.arrays import Array, Size
from viewer.dataclass import dataclass
from viewer.errors import FormatError
from viewer.gpu.target import RenderTarget, straight_alpha
from viewer.render.camera import stored_camera
from viewer.render.framing import bounds_of, fit, posed_points
from viewer.render.mesh_resources import MeshResources
from viewer.render.renderer import Frame, Renderer
from viewer.scene.camera import MatrixCamera, Orbit
from viewer.scene.model import Model
from viewer.session.state import State

Camera = Orbit | MatrixCamera

TURN = 4.0
"""Seconds that a turn of the camera takes at least."""
MOST_FRAMES = 100_000
"""An hour at 30 frames a second; more are a slip or a broken file."""
LOOKED_AT = 240
"""So many frames are looked at to place the camera; of more, every n-th."""


@dataclass(frozen=True, slots=True)
class FrameShot:
    """One picture: the seconds of its pose, and the camera."""

    time: float
    camera: Camera


def length(state: State, turntable: bool = False) -> float:
    """Seconds of a sequence that can be shown over and over: one loop of the stretch that plays, there and
    back where the clock does so; for a turn as many whole loops as it needs. 0 where nothing moves."""
    start, end = state.clock.range or (0.0, state.duration)
    loop = (end - start) * (2 if state.clock.loop == "pingpong" else 1)
    if not turntable:
        return loop
    if loop <= 0 or not state.looped:
        return max(TURN, loop)
    return math.ceil(TURN / loop - 1e-6) * loop


def numbers(seconds: float, fps: float) -> range:
    """The numbers of the frames in so many seconds, from 0; the one that would begin anew is not among
    them."""
    return range(max(1, round(seconds * fps)))


def times(frames: range, fps: float, start: float = 0.0) -> list[float]:
    """The moment of each frame: frame 0 is at `start` seconds."""
    return [start + number / fps for number in frames]


def endless(
    state: State, frames: range, fps: float, turntable: bool = False, all_frames: bool = True
) -> tuple[State, float]:
    """What a film without a seam shows: the State with particles that repeat with the loop, and the frames a
    second of the model's time: `all_frames` are spread evenly over the loop. Where nothing moves the film is
    the loop."""
    seconds = length(state, turntable) or len(frames) / fps
    effects = replace(state.look.effects, period=seconds, cold=False)
    shown = replace(state, look=replace(state.look, effects=effects))
    return shown, len(frames) / seconds if all_frames else fps


def extent(state: State, moments: Sequence[float]) -> Array:
    """[2, 3]: the box in viewer space around the model in all of these moments."""
    looked_at = moments[:: _stride(moments)] if state.playlist else moments[:1]
    boxes = np.stack([bounds_of(_points(state, moment)) for moment in looked_at])
    return np.stack((boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)))


def through(state: State, moments: Sequence[float], size: Size) -> Sequence[Camera]:
    """The camera of each moment of a picture of `size`, where no orbit has to be found for it: that of the
    file that is looked through, or else the State's. FormatError where it looks nowhere from the start; later
    it stays where it was."""
    number, model = state.look.through, state.model
    if number is None or model is None:
        return [state.camera] * len(moments)
    held = state.camera if isinstance(state.camera, MatrixCamera) else None
    found: list[Camera] = []
    for each in moments:
        try:
            held = stored_camera(model.cameras[number].at(state.moment(each)), model.to_world, size)
        except FormatError:
            if held is None:
                raise
        found.append(held)
    return found


def around(orbit: Orbit, count: int) -> Sequence[Orbit]:
    """`count` cameras that go once around the target; one more would be the first again."""
    return [replace(orbit, yaw=orbit.yaw + 360.0 * number / count) for number in range(count)]


def fitted(
    state: State, moments: Sequence[float], orbits: Sequence[Orbit], size: Size, factor: float = 1.0
) -> Sequence[Orbit]:
    """The camera of each moment, all as far away as the one that needs it most to have the model as it is
    then in a picture of `size`; then at `factor` times that distance."""
    bounds, stride = extent(state, moments), _stride(moments)
    still = None if state.playlist else _points(state, moments[0])
    fits = [
        fit(orbit, bounds, size, factor, _points(state, moment) if still is None else still)
        for moment, orbit in zip(moments[::stride], orbits[::stride], strict=True)
    ]
    farthest = max(fits, key=lambda orbit: orbit.distance)
    return [replace(orbit, target=farthest.target, distance=farthest.distance) for orbit in orbits]


def _stride(moments: Sequence[float]) -> int:
    """So many moments further is the next one that is looked at."""
    return -(-len(moments) // LOOKED_AT)


def _points(state: State, moment: float) -> Array:
    """[N, 3]: the model's vertices in viewer space at a moment."""
    return posed_points(state.model or Model(""), state.posed(moment), state.look.morphs)


def snapshot(state: State) -> State:
    """What `pictures` needs of a State, so that the user can go on with the State itself."""
    return replace(
        state, documents=list(state.documents), look=deepcopy(state.look), clock=replace(state.clock)
    )


def pictures(
    renderer: Renderer,
    mesh: MeshResources | None,
    state: State,
    shots: Iterable[FrameShot],
    bounds: Array | None,
    size: Size,
) -> Generator[Array, None, None]:
    """[height, width, 4] u8 for each shot, the top row first, drawn when asked for.

    The clock goes to the time of the shot, so that a State in use is to be given as a `snapshot`. Alpha is
    straight; where the background is opaque it means nothing. `bounds` [2, 3] is the box that is
    not clipped, None where there is no mesh. The target is released when the iterator ends or is closed.
    """
    target = RenderTarget(renderer.ctx, size, state.look.samples)
    try:
        for shot in shots:
            state.clock.seek(shot.time)
            frame = Frame(
                state.posed(camera=shot.camera),
                state.look,
                shot.camera,
                bounds,
                time=shot.time,
                playing=state.playing,
                layers=state.layers(),
            )
            renderer.draw(mesh, frame, target.framebuffer, size)
            drawn = target.read()
            yield straight_alpha(drawn) if translucent(state) else drawn
    finally:
        target.release()


def translucent(state: State) -> bool:
    """Whether pictures can be seen through."""
    return state.look.background is not None and state.look.background[3] < 1
