"""Looking through a camera of the file."""

from __future__ import annotations

from viewer.arrays import Size
from viewer.errors import FormatError
from viewer.render.camera import stored_camera
from viewer.scene.camera import MatrixCamera
from viewer.session.state import State


class FileCamera:
    """Copies the file's camera `state.look.through` to `state.camera`, until the user moves it."""

    def __init__(self) -> None:
        self._number: int | None = None
        self._made: MatrixCamera | None = None
        self._key: object = None

    def step(self, state: State, size: Size) -> None:
        """Update the camera for a picture of `size`."""
        if state.look.through == self._number is not None and state.camera is not self._made:
            state.look.through = None
        camera = state.through
        if camera is None or state.model is None:
            self._leave(state)
            return
        if state.camera is not self._made:
            state.free = state.camera
        key = (state.look.through, camera, size, id(state.model))
        if key != self._key or self._made is None:
            try:
                self._made, self._key = stored_camera(camera, state.model.to_world, size), key
            except FormatError as error:
                state.complain(error)
                self._leave(state)
                return
        self._number, state.camera = state.look.through, self._made

    def _leave(self, state: State) -> None:
        """Restore the previous camera, unless the user has changed it already."""
        if self._made is not None and state.camera is self._made and state.free is not None:
            state.camera = state.free
        state.look.through = state.free = self._number = self._made = None
