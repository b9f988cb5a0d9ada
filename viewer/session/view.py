"""The user's settings for one open document: camera, time, timeline, playlist, hidden parts and selection."""

from __future__ import annotations

from typing import Literal

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from viewer.animation.clock import Clock
from viewer.animation.motion.ground import AT_REST, Ground
from viewer.arrays import Array
from viewer.scene.camera import MatrixCamera, Orbit
from viewer.scene.choices import UpAxis
from viewer.scene.display import EffectOptions, ModelDisplay
from viewer.scene.document import Document, Worn
from viewer.scene.material import Image
from viewer.scene.model import Model, hidden_by_default, show_alone
from viewer.session.check_result import CheckResult
from viewer.session.history import History
from viewer.session.texture_view import TextureView
from viewer.view.measures import Measures
from viewer.view.playlist import Playlist
from viewer.view.selection import Selection

TimelineRows = Literal["animated", "all", "selected"]

CLOSEST = 1e-3
"""The smallest visible range in seconds."""
MARGIN = 0.02
"""The margin around a whole clip, as a fraction of its length."""


class TimelineView(Struct):
    """The view state of the timeline and the curves.

    `view` is the visible range in seconds, None for the whole clip. With `follow`, the visible range moves
    along with the time. With `frames`, times are shown as frame numbers. `rows` are the listed bones. `layer`
    is the playlist index of the animation whose keys are shown. `fade` is the duration of a cross-fade in
    seconds. With `heat`, rows are coloured by the angular speed of their bone, and `contacts` shows when feet
    stand on the ground.
    """

    view: tuple[float, float] | None = None
    follow: bool = True
    frames: bool = False
    rows: TimelineRows = "animated"
    layer: int = 0
    fade: float = 0.3
    heat: bool = False
    contacts: bool = False

    def visible_range(self, duration: float) -> tuple[float, float]:
        """Return the visible range in seconds for a clip of `duration` seconds. It is never empty, and at
        first has a small margin.
        """
        if self.view is not None:
            return self.view
        length = max(duration, CLOSEST)
        return -MARGIN * length, (1 + MARGIN) * length

    def zoom(self, at: float, factor: float, duration: float) -> None:
        """Multiply the length of the visible range by `factor`. The time `at` keeps its position on the
        screen.
        """
        start, end = self.visible_range(duration)
        least, most = CLOSEST / (end - start), 20 * max(duration, CLOSEST) / (end - start)
        factor = max(least, min(factor, max(most, least)))
        self.view = (at + (start - at) * factor, at + (end - at) * factor)

    def pan(self, seconds: float, duration: float) -> None:
        """Move the visible range by `seconds`; a part of the clip stays visible."""
        start, end = self.visible_range(duration)
        inside = 0.1 * (end - start)
        seconds = max(-end + inside, min(seconds, max(duration, CLOSEST) - start - inside))
        self.view = (start + seconds, end + seconds)

    def keep_in_sight(self, before: float, at: float, duration: float) -> None:
        """With `follow`, scroll the visible range to the time `at`, but only if the earlier time `before` was
        visible.
        """
        start, end = self.visible_range(duration)
        if self.follow and self.view is not None and start <= before <= end and not start <= at <= end:
            self.view = (at - MARGIN * (end - start), at + (1 - MARGIN) * (end - start))

    def fit(self) -> None:
        """Make the whole clip visible."""
        self.view = None


class DocumentView(ModelDisplay, eq=False):
    """The view of one open document.

    `own_camera` is the user's camera, `home` the first camera of the document. `file_camera_number` is the
    number of the file's active camera, `matrix_camera` its current matrices. `clock.time` is never wrapped.
    `playlist` has the playing animations; it is empty in the rest pose. `textures` are files by texture
    number: the user's choices for textures without a file name. `presented` is set after the camera is placed
    and the first clip is chosen. `fitted` is the camera that was last fitted to the playing clips; while the
    camera equals it, the user has not moved the camera. `borrowed` is set if `home` belongs to another
    document. `checked` is the result of the check, or None if it is not finished. `measures` are the measured
    distances, and `texture_view` is what the Texture panel shows. `display` is the chosen display of a
    creature or look of a character (None: none); the document wears it a few frames later. `instead` says
    what the first picture shows in place of the usual one. `added` are the paths of the files whose models
    are to be joined to the model; the document has them a few frames later. `put_away` are the numbers of the
    geometries that the user has hidden, and that come back together. `ground` is the ground by which the
    contacts of feet are judged. `beside` is the view of the other side while the document is compared with
    itself; `is_right` is set in the view of the right side.
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
    measures: Measures = ()
    display: Worn = None
    added: tuple[str, ...] = ()
    instead: tuple[str, ...] = ()
    texture_view: TextureView = field(default_factory=TextureView)
    put_away: set[int] = field(default_factory=set)
    ground: Ground = AT_REST
    beside: DocumentView | None = None
    is_right: bool = False

    @classmethod
    def of(cls, document: Document | None) -> DocumentView:
        """Make the first view of a document. In this view, the parts that the file hides are hidden."""
        model = document.model if document is not None else None
        view = cls(hidden=hidden_by_default(model))
        if document is not None and isinstance(document.content, Image):
            view.texture_view.channels = "RGBA"
        view.display = document.worn if document is not None else None
        view.added = document.added if document is not None else ()
        return view

    @property
    def second(self) -> DocumentView:
        """The view of the other side of a comparison of the document with itself. It begins as a copy."""
        if self.beside is None:
            self.beside = replace(
                self,
                **{name: getattr(self, name).copy() for name in ("morphs", "hidden", "textures", "put_away")},
                clock=replace(self.clock),
                timeline=replace(self.timeline),
                selection=Selection(),
                history=History(),
                texture_view=TextureView(),
                beside=None,
                is_right=not self.is_right,
            )
        return self.beside

    @property
    def camera(self) -> Orbit | MatrixCamera:
        """The camera of the picture: the active camera of the file, or the user's camera if no file camera is
        active. An assignment to the property sets the user's camera and makes it active.
        """
        if self.file_camera_number is None or self.matrix_camera is None:
            return self.own_camera
        return self.matrix_camera

    @camera.setter
    def camera(self, camera: Orbit | MatrixCamera) -> None:
        self.own_camera, self.file_camera_number, self.matrix_camera = camera, None, None

    @property
    def orbit(self) -> Orbit | None:
        """The user's own camera, even while a camera of the file is active; None if the user's camera is not
        an orbit camera.
        """
        return self.own_camera if isinstance(self.own_camera, Orbit) else None

    def follow_display(self, before: Document, after: Document) -> None:
        """Show and hide the geometries whose visibility differs between two displays of a document."""
        if before.model is None or after.model is None:
            return
        for number, (old, new) in enumerate(
            zip(before.model.geometries, after.model.geometries, strict=False)
        ):
            if old.shown != new.shown:
                (self.hidden.discard if new.shown else self.hidden.add)(number)
                self.put_away.discard(number)

    def show_variant(self, model: Model, geoset: int) -> None:
        """Show a geoset and hide the other variants of its group."""
        show_alone(model, geoset, self.hidden)
        self.put_away.clear()

    def see(self, view: str, turned: float = 0.0, flat_axes: bool = False) -> None:
        """Turn the camera to the named `view`, then by `turned` degrees of yaw. See `Orbit.seen_from` for
        `flat_axes`.
        """
        self.camera = (self.orbit or Orbit()).seen_from(view, flat_axes).turned(turned, 0.0)

    def turn_up(self, model: Model, up: UpAxis) -> None:
        """Let another axis of the file point up.

        The user's cameras keep their direction and still point at the same part of the model.
        """
        before, self.up = self.to_world(model), up
        turn = self.to_world(model) @ np.linalg.inv(before)
        self.own_camera, self.home = _following(self.own_camera, turn), _following(self.home, turn)
        self.fitted = None if self.fitted is None else _following(self.fitted, turn)

    def stand_alone(self, model: Model) -> None:
        """End the alignment: draw the model where its file places it.

        The cameras move along, so the picture stays the same.
        """
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
        """Copy from another view the values that do not depend on its document: the camera, the playback
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
    """Turn the target of a camera by `turn` [4, 4]. A matrix camera stays unchanged."""
    if not isinstance(camera, Orbit):
        return camera
    x, y, z = (float(value) for value in turn[:3, :3] @ camera.target + turn[:3, 3])
    return replace(camera, target=(x, y, z))


def _carried(camera: Orbit | MatrixCamera, change: Array) -> Orbit | MatrixCamera:
    """Move a camera by the matrix `change` [4, 4], which moves the model. A matrix camera stays unchanged."""
    return camera.carried(change) if isinstance(camera, Orbit) else camera
