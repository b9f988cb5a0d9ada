"""Camera actions: named views, turns, the cameras of the file, the projection."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from viewer.actions.action import (
    Action,
    Operation,
    equals,
    has,
    has_document,
    holds,
    otherwise,
    posts,
    sets,
    toggles,
)
from viewer.actions.presets import preset_of
from viewer.scene.camera import Orbit
from viewer.session.requests import FitView, Post
from viewer.session.state import State

TURN = 15.0
"""Degrees by which one step turns the camera around the model."""
ZOOM = 0.88
"""Factor of the camera's distance for one step or one notch of the wheel."""


@otherwise("The view is through a camera of the file")
def is_orbit(state: State) -> bool:
    """Whether the camera orbits a point."""
    return isinstance(state.view.camera, Orbit)


def is_parallel(state: State) -> bool:
    """Whether the projection is parallel."""
    return isinstance(state.view.camera, Orbit) and state.view.camera.ortho


def view(name: str, turned: float = 0.0) -> Operation:
    """Return the operation that turns the camera to a named view, then by `turned` degrees of yaw.

    A matrix camera is replaced by an orbit camera that fits the model.
    """

    def run(state: State, post: Post) -> None:
        """Change the camera. If it was a matrix camera, fit the model into the view."""
        fixed = not isinstance(state.view.camera, Orbit)
        state.view.see(name, turned, preset_of(state.interface.preferences).flat_axes)
        if fixed:
            post(FitView())

    return run


def moves(change: Callable[[Orbit], Orbit]) -> Operation:
    """Return the operation that moves an orbit camera by `change`."""

    def run(state: State, post: Post) -> None:
        """Move the camera."""
        if isinstance(state.view.camera, Orbit):
            state.view.camera = change(state.view.camera)

    return run


def turn(yaw: int, pitch: int) -> Operation:
    """Return the operation that turns the camera by this many steps of `TURN` degrees."""
    return moves(lambda orbit: orbit.turned(yaw * TURN, pitch * TURN))


def go_home(state: State, post: Post) -> None:
    """Return to the first camera of the document."""
    state.view.file_camera_number = None
    state.view.camera = state.view.home


def next_camera(state: State, post: Post) -> None:
    """Activate the next camera of the file. After the last camera, return to the user's own camera."""
    number = -1 if state.view.file_camera_number is None else state.view.file_camera_number
    count = len(state.model.cameras) if state.model else 0
    state.view.file_camera_number = number + 1 if number + 1 < count else None


toggle_ortho = moves(lambda orbit: replace(orbit, ortho=not orbit.ortho, until_turned=False))
MENU = ("View", "Camera")
NUMBER = "view.file_camera_number"

CAMERA = (
    Action(
        "fit",
        "Fit to view",
        ("Home",),
        ("View",),
        posts(FitView()),
        has_document,
        words="zoom frame all center",
    ),
    Action("home", "Initial view", ("Enter",), MENU, go_home, has_document, words="reset camera"),
    Action("front", "Front", ("1",), MENU, view("front")),
    Action("back", "Back", ("Ctrl+1",), MENU, view("back")),
    Action("right", "Right", ("3",), MENU, view("right")),
    Action("left", "Left", ("Ctrl+3",), MENU, view("left")),
    Action("top", "Top", ("7",), MENU, view("top")),
    Action("bottom", "Bottom", ("Ctrl+7",), MENU, view("bottom")),
    Action("iso", "Corner", ("9",), MENU, view("iso")),
    Action("iso_back", "Corner from behind", ("Ctrl+9",), MENU, view("iso", 180.0)),
    Action("opposite", "Opposite side", (), MENU, moves(Orbit.opposite), is_orbit),
    Action("zoom_in", "Zoom in", (), MENU, moves(lambda orbit: orbit.zoomed(ZOOM)), is_orbit),
    Action("zoom_out", "Zoom out", (), MENU, moves(lambda orbit: orbit.zoomed(1 / ZOOM)), is_orbit),
    Action("turn_left", "Turn left", ("4",), MENU, turn(-1, 0), is_orbit),
    Action("turn_right", "Turn right", ("6",), MENU, turn(1, 0), is_orbit),
    Action("turn_up", "Turn up", ("8",), MENU, turn(0, 1), is_orbit),
    Action("turn_down", "Turn down", ("2",), MENU, turn(0, -1), is_orbit),
    Action("next_camera", "Next camera in file", ("C",), MENU, next_camera, has("cameras")),
    Action(
        "free_camera",
        "Free camera",
        (),
        MENU,
        sets(NUMBER, None),
        otherwise("The camera is free")(lambda state: state.view.file_camera_number is not None),
        equals(NUMBER, None),
    ),
    Action(
        "fly",
        "Fly",
        ("Shift+F",),
        MENU,
        toggles("interface.flying"),
        is_orbit,
        holds("interface.flying"),
        words="walk first person wasd",
    ),
    Action(
        "ortho",
        "Parallel projection",
        ("5",),
        MENU,
        toggle_ortho,
        is_orbit,
        is_parallel,
        words="orthographic isometric perspective",
    ),
)
