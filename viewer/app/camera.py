"""Moves the camera: fits the model or parts of it into the picture, or follows a camera of the file."""

from __future__ import annotations

from weakref import ref

import numpy as np
from msgspec.structs import replace

from viewer.arrays import Array, Size
from viewer.errors import FormatError
from viewer.scene.camera import FARTHEST, MatrixCamera, Orbit
from viewer.scene.display import effect_of
from viewer.scene.document import Document
from viewer.scene.model import Model
from viewer.session.comparison import in_order, pane_size
from viewer.session.requests import PADDING
from viewer.session.state import State
from viewer.view.camera import stored_camera
from viewer.view.clip_points import clip_points
from viewer.view.framing import NO_MARGINS, Margins, bounds_of, enclose, fit


def aim(
    state: State, size: Size, selected: bool = False, covered: Margins = NO_MARGINS, padding: float = PADDING
) -> None:
    """Fit the model, all compared models, or only the `selected` parts into a picture of `size`.

    A whole model is fitted in all poses of its clips, a part in the present pose. The view direction stays.
    `covered` are the margins of the picture. For parts, the camera's distance is `padding` times the distance
    at which they fill the picture. The camera is not farther away than for the whole model, unless the parts
    fit only at a larger distance.
    """
    orbit = state.view.orbit or Orbit()
    parts = [_selected(each) for each in in_order(state)] if selected else []
    part = np.concatenate([np.empty((0, 3)), *(each for each in parts if each is not None)])
    size = pane_size(state, size)
    whole = enclose(orbit, _points(state), size, 1.0, covered)
    if not len(part):
        state.view.camera = state.view.fitted = whole
        return
    near = fit(orbit, bounds_of(part), size, 1.0, part)
    padded = max(near.distance, min(near.distance * padding, whole.distance))
    state.view.camera = replace(near, distance=min(padded, FARTHEST))


def _selected(state: State) -> Array | None:
    """The points [N, 3] of the selected part of the posed model, in viewer space.

    None if no part is selected.
    """
    item = effect_of(state.focus) or state.focus
    if item is None:
        return None
    from viewer.view.item_points import item_points  # imported late, because only selected parts need it

    model = state.model or Model("", skeleton=state.skeleton)
    return item_points(model, state.playback.posed(), state.view.morphs, item, state.view.placement)


class ViewFitting:
    """Fits the camera again when other clips play or the size of the picture changes.

    It stops when the user moves the camera.
    """

    def __init__(self) -> None:
        self._fitted: tuple[object, ...] = ()
        self._moving: tuple[object, ...] = ()
        self._points: Array | None = None

    def step(self, state: State, size: Size, covered: Margins) -> None:
        """Fit the camera again, if needed. `size` is the size of the picture; `covered` are the margins of
        the picture.

        Nothing happens while a camera of the file is active.
        """
        view = state.view
        if view.file_camera_number is not None:
            return
        if view.fitted is None or view.camera != view.fitted or not isinstance(view.camera, Orbit):
            return
        size = pane_size(state, size)
        moving = tuple(map(_moving, in_order(state)))
        key = (*moving, size, covered)
        if key == self._fitted:
            return
        if self._points is None or moving != self._moving:
            self._points, self._moving = _points(state), moving
        camera = enclose(view.camera, self._points, size, 1.0, covered)
        self._fitted = key
        if camera != view.camera:
            view.home = camera if view.home == view.camera else view.home
            view.camera = view.fitted = camera
            state.view.history.resume()


def _moving(state: State) -> tuple[object, ...]:
    """Return a key of the displayed document, its clips, its placement, and whether the figure is drawn.

    While the key stays the same, the points that the model reaches in its clips stay the same. The key holds
    the objects by weak reference.
    """
    clips = (ref(each.animation) for each in state.view.playlist if each.animation is not None)
    return state.view.placement, state.options.figure, _extent(state.document), *clips


def _extent(document: Document | None) -> tuple[object, ...]:
    """Return a key of what the document draws; the camera stays while the key is the same. Another look of
    the model changes the key only if the look changes the size of the model or attaches other models.
    """
    bare = None if document is None or document.bare is None else document.bare.model
    if document is None or document.model is None or bare is None:
        return (document if document is None else ref(document),)
    return ref(bare), len(document.model.geometries), document.model.to_world.tobytes()


def _points(state: State) -> Array:
    """Return the points [N, 3] in viewer space that the model in view, or all compared models, reach in their
    clips.
    """
    return np.concatenate([clip_points(each.snapshot()) for each in in_order(state)])


class FileCamera:
    """Keeps `state.view.matrix_camera` equal to the file camera `state.view.file_camera_number`."""

    def __init__(self) -> None:
        self._made: MatrixCamera | None = None
        self._key: object = None

    def step(self, state: State, size: Size) -> None:
        """Update the matrix camera for a picture of `size`."""
        view, model, camera = state.view, state.model, state.playback.file_camera
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
