"""Keeps the view equal to the active camera of the file."""

from __future__ import annotations

from viewer.arrays import Size
from viewer.errors import FormatError
from viewer.scene.camera import MatrixCamera
from viewer.session.state import State
from viewer.view.camera import stored_camera


class FileCamera:
    """Keeps `state.view.matrix_camera` equal to the file camera `state.view.file_camera_number`."""

    def __init__(self) -> None:
        self._made: MatrixCamera | None = None
        self._key: object = None

    def step(self, state: State, size: Size) -> None:
        """Update the matrix camera for a picture of `size`."""
        view, model, camera = state.view, state.model, state.file_camera
        if camera is None or model is None:
            view.file_camera_number = view.matrix_camera = None
            return
        key = (camera, size, id(model), view.up)
        if key != self._key or self._made is None:
            try:
                self._made, self._key = stored_camera(camera, view.to_world(model), size), key
            except FormatError as error:
                state.complain(error)
                view.file_camera_number = view.matrix_camera = None
                return
        view.matrix_camera = self._made
