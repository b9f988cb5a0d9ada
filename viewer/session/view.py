"""The user's settings for one open document: camera, time, playlist, hidden parts and selection."""

from __future__ import annotations

import numpy as np
from msgspec import field
from msgspec.structs import replace

from viewer.animation.clock import Clock
from viewer.arrays import Array
from viewer.scene.camera import MatrixCamera, Orbit
from viewer.scene.choices import UpAxis
from viewer.scene.display import EffectOptions, ModelDisplay
from viewer.scene.document import Document
from viewer.scene.model import Model
from viewer.session.check_result import CheckResult
from viewer.session.history import History
from viewer.session.timeline_view import TimelineView
from viewer.view.playlist import Playlist
from viewer.view.selection import Selection


class DocumentView(ModelDisplay, eq=False):
    """The view of one document. Every open document has its own.

    `own_camera` is the user's camera, `home` the first camera of the document. `file_camera_number` is the
    number of the file's active camera, `matrix_camera` its present matrices. `clock.time` is never wrapped.
    `playlist` has the playing animations; empty for the rest pose. `textures` are the files chosen for
    textures that a model leaves to the program, by texture number. `presented`: the camera is placed and the
    first clip chosen. `fitted` is the camera that was last fitted to the playing clips; while the camera
    equals it, the user has not moved it. `borrowed`: `home` is that of another document. `checked` is the
    result of the check; None before it.
    """

    own_camera: Orbit | MatrixCamera = field(default_factory=Orbit)
    home: Orbit | MatrixCamera = field(default_factory=Orbit)
    file_camera_number: int | None = None
    matrix_camera: MatrixCamera | None = None
    clock: Clock = field(default_factory=Clock)
    timeline: TimelineView = field(default_factory=TimelineView)
    playlist: Playlist = ()
    textures: dict[int, str] = field(default_factory=dict)
    selection: Selection = field(default_factory=Selection)
    history: History = field(default_factory=History)
    presented: bool = False
    fitted: Orbit | MatrixCamera | None = None
    borrowed: bool = False
    checked: CheckResult | None = None

    @classmethod
    def of(cls, document: Document | None) -> DocumentView:
        """The first view of a document: parts that the file hides are hidden."""
        model = document.model if document is not None else None
        geometries = model.geometries if model is not None else ()
        return cls(hidden={number for number, each in enumerate(geometries) if not each.shown})

    @property
    def camera(self) -> Orbit | MatrixCamera:
        """The camera of the picture: the user's camera, or the active camera of the file. Setting it sets the
        user's camera.
        """
        if self.file_camera_number is None or self.matrix_camera is None:
            return self.own_camera
        return self.matrix_camera

    @camera.setter
    def camera(self, camera: Orbit | MatrixCamera) -> None:
        self.own_camera, self.file_camera_number, self.matrix_camera = camera, None, None

    @property
    def orbit(self) -> Orbit | None:
        """The user's own camera, even while a camera of the file is active; None if it is not an orbit."""
        return self.own_camera if isinstance(self.own_camera, Orbit) else None

    def see(self, view: str, turned: float = 0.0) -> None:
        """Turn the camera to a named view, plus `turned` degrees of yaw."""
        self.camera = (self.orbit or Orbit()).seen_from(view).turned(turned, 0.0)

    def turn_up(self, model: Model, up: UpAxis) -> None:
        """Make another axis of the file point up; the user's cameras keep their direction, and their target
        in the model.
        """
        before, self.up = self.to_world(model), up
        turn = self.to_world(model) @ np.linalg.inv(before)
        self.own_camera, self.home = _following(self.own_camera, turn), _following(self.home, turn)
        self.fitted = None if self.fitted is None else _following(self.fitted, turn)

    def stand_alone(self, model: Model) -> None:
        """Draw the model at its own position in the file, with the same picture as before."""
        if not self.onto:
            return
        back = np.linalg.inv(self.placement.change(model.to_world))
        if self.borrowed:
            self.home, self.borrowed = _carried(self.home, back), False
        self.own_camera = _carried(self.own_camera, back)
        self.fitted = None if self.fitted is None else _carried(self.fitted, back)
        self.onto = ()
        self.history.resume()

    def follow(self, other: DocumentView) -> None:
        """Copy the values of another view that do not depend on its document: the camera, the playback
        settings, and the display of particles.
        """
        self.own_camera = other.own_camera
        self.clock, self.timeline, self.playlist = (
            replace(other.clock),
            replace(other.timeline),
            other.playlist,
        )
        effects = other.effects
        self.effects = EffectOptions(effects.shown, effects.cold, effects.seed)


def _following(camera: Orbit | MatrixCamera, turn: Array) -> Orbit | MatrixCamera:
    """The camera with its target turned by `turn` [4, 4]; matrices stay."""
    if not isinstance(camera, Orbit):
        return camera
    x, y, z = (float(value) for value in turn[:3, :3] @ camera.target + turn[:3, 3])
    return replace(camera, target=(x, y, z))


def _carried(camera: Orbit | MatrixCamera, change: Array) -> Orbit | MatrixCamera:
    """The camera, moved along with the model by `change` [4, 4]; matrices stay."""
    return camera.carried(change) if isinstance(camera, Orbit) else camera
