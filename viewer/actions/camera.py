"""What the actions do to the State: small functions `(state, post)`, or makers of such functions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from viewer.scene.camera import Orbit
from viewer.scene.display import Shading
from viewer.session.requests import FitView, Post
from viewer.session.state import State

Operation = Callable[[State, Post], None]

TURN = 15.0


def view(name: str, turned: float = 0.0) -> Operation:
    """Look from a named view; a camera given as matrices is left, and the model fitted."""

    def run(state: State, post: Post) -> None:
        fixed = not isinstance(state.camera, Orbit)
        state.see(name, turned)
        if fixed:
            post(FitView())

    return run


def turn(yaw: int, pitch: int) -> Operation:
    """Turn the camera by steps of 15 degrees."""

    def run(state: State, post: Post) -> None:
        if isinstance(state.camera, Orbit):
            state.camera = state.camera.turned(yaw * TURN, pitch * TURN)

    return run


def go_home(state: State, post: Post) -> None:
    """Look from where the document was seen first."""
    state.look.through = None
    state.camera = state.home


def next_camera(state: State, post: Post) -> None:
    """Look through the next camera of the file; after the last one the free camera comes again."""
    number = -1 if state.look.through is None else state.look.through
    count = len(state.model.cameras) if state.model else 0
    state.look.through = number + 1 if number + 1 < count else None


def free_camera(state: State, post: Post) -> None:
    """Leave the camera of the file."""
    state.look.through = None


def toggle_ortho(state: State, post: Post) -> None:
    """Parallel or perspective."""
    if isinstance(state.camera, Orbit):
        state.camera = replace(state.camera, ortho=not state.camera.ortho)


def toggle_pie(state: State, post: Post) -> None:
    """Open the shadings around the pointer, or close them."""
    state.interface.pie = not state.interface.pie


def toggle_flying(state: State, post: Post) -> None:
    """Whether the letters move the camera."""
    state.interface.flying = not state.interface.flying


def next_shading(state: State, post: Post) -> None:
    """The shading after the present one."""
    modes = list(Shading)
    state.look.shading = modes[(modes.index(state.look.shading) + 1) % len(modes)]


def lod(by: int) -> Operation:
    """Force the next coarser or finer level; 0: by distance, as the engine does."""

    def run(state: State, post: Post) -> None:
        now = state.look.lod or 0
        state.look.lod = None if by == 0 else max(0, min(state.lods - 1, now + by))

    return run
