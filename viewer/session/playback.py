"""The playback state: the opened files, the playlist, time and camera, and the pose that follows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from typing import Any

import numpy as np

from viewer.animation.clock import Clock
from viewer.animation.pose import Layer, Pose, moves, pose
from viewer.dataclass import dataclass
from viewer.scene.animation import Animation
from viewer.scene.camera import Camera, MatrixCamera, Orbit, eye_axes
from viewer.scene.display import DisplayOptions
from viewer.scene.document import Document
from viewer.scene.material import ClipTime
from viewer.scene.model import Model
from viewer.scene.playlist import Playlist, PlaylistEntry, named, valid
from viewer.scene.skeleton import BONELESS, Skeleton
from viewer.scene.timeline import TimelineView
from viewer.scene.vertices import VertexMotion
from viewer.session.clips import ClipList, PoseCache, idle, layers, renewed


@dataclass(slots=True, eq=False)
class PlaybackState:
    """`documents` are the opened files, `current` is the index of the document in view.

    `clock.time` is never wrapped. `playlist` holds the playing clips and is empty for the rest pose. `home`
    is the first camera of the document in view. While the user looks through a camera of the file, `camera`
    is that view, and `free` is the camera to return to.
    """

    documents: list[Document] = field(default_factory=list)
    current: int = 0
    clock: Clock = field(default_factory=Clock)
    camera: Orbit | MatrixCamera = field(default_factory=Orbit)
    home: Orbit | MatrixCamera = field(default_factory=Orbit)
    free: Orbit | MatrixCamera | None = None
    look: DisplayOptions = field(default_factory=DisplayOptions)
    timeline: TimelineView = field(default_factory=TimelineView)
    playlist: Playlist = ()
    _playable: ClipList = field(default_factory=ClipList)
    _posed: PoseCache = field(default_factory=PoseCache)

    @property
    def document(self) -> Document | None:
        """The document in view."""
        documents, current = self.documents, self.current
        return documents[current] if current < len(documents) else None

    @property
    def model(self) -> Model | None:
        """The model in view."""
        document = self.document
        return document.model if document is not None else None

    @property
    def skeleton(self) -> Skeleton | None:
        """The skeleton in view: the model's, or a document that is only a skeleton."""
        document = self.document
        content = document.content if document is not None else None
        found = content.skeleton if isinstance(content, Model) else content
        return found if isinstance(found, Skeleton) else None

    @property
    def lods(self) -> int:
        """The number of levels of detail: that of the geometry with the most levels."""
        return max((len(geometry.lods) for geometry in self.model.geometries), default=0) if self.model else 0

    @property
    def animations(self) -> tuple[Animation, ...]:
        """The playable animations: the document's, then those of the other open files, each file once."""
        return self._playable.of(self.document, self.documents)

    def source(self, animation: Animation) -> Document | None:
        """The document that an animation was read from."""
        attached = self.document.attached if self.document else ()
        return next(
            (each for each in (*attached, *self.documents) if animation is each.content), self.document
        )

    @property
    def duration(self) -> float:
        """Seconds of the longest animation that plays."""
        return max((chosen.animation.duration for chosen in self.playlist), default=0.0)

    def animation(self, name: str) -> Animation:
        """The animation with that name, `#number`, or file name; ResourceError lists similar names."""
        return named(self.animations, name)

    def idle(self) -> Animation | None:
        """The animation that a window plays first: a stand or idle animation, else the first one."""
        return idle(self.animations)

    def choose(self, animation: Animation | None) -> None:
        """Play only this animation, from its start; None: the rest pose."""
        self.play((PlaylistEntry(animation),) if animation else ())

    def play(self, playlist: Iterable[PlaylistEntry]) -> None:
        """Play these animations together, from the start."""
        self.playlist = tuple(playlist)
        self.timeline.fit()
        self.untrim()
        self.clock.seek(0.0)

    def mix(self, playlist: Iterable[PlaylistEntry]) -> None:
        """Play these animations together and keep the time and the playback range as far as possible.

        ResourceError for a weight that is not finite; start bones that do not exist are dropped.
        """
        trimmed, bones = self.trimmed, len(self.skeleton) if self.skeleton else 0
        self.playlist = tuple(valid(each, bones) for each in playlist)
        if not trimmed or self.clock.range is None or self.clock.range[1] > self.duration:
            self.untrim()

    @property
    def trimmed(self) -> bool:
        """Whether the playback range is shorter than the clip."""
        return self.clock.range not in (None, (0.0, self.duration))

    def untrim(self) -> None:
        """Play the whole clip."""
        self.clock.range = (0.0, self.duration) if self.playlist else None

    @property
    def looped(self) -> bool:
        """Whether clips repeat at their end."""
        return self.clock.loop != "once"

    def _turning(self) -> float:
        """The clock's time, mapped into the playback range if it is trimmed or plays ping-pong."""
        own = self.trimmed or self.clock.loop == "pingpong"
        return self.clock.shown(self.duration) if own else self.clock.time

    def layers(self, time: float | None = None) -> tuple[Layer, ...]:
        """The layers to pose at `time` seconds (None: the clock's): plain layers, then additive ones."""
        at = self._turning() if time is None else time
        now = self.clock.time if time is None else time
        return layers(self.playlist, at, now, self.looped)

    @property
    def playing(self) -> Layer | None:
        """The first layer, which animated materials follow."""
        return next(iter(self.layers()), None)

    def moment(self, time: float | None = None) -> ClipTime:
        """The clip time at `time` seconds (None: the clock's), for properties that follow the first layer."""
        layer = next(iter(self.layers(time)), None)
        now = self.clock.time if time is None else time
        return ClipTime(now) if layer is None else layer.moment(now)

    @property
    def through(self) -> Camera | None:
        """The camera of the file that the user looks through, as it is at this time."""
        cameras = self.model.cameras if self.model else ()
        number = self.look.through
        return None if number is None or number >= len(cameras) else cameras[number].at(self.moment())

    @property
    def orbit(self) -> Orbit | None:
        """The user's own camera, even while a camera of the file is in use; None if it is not an orbit."""
        return next((each for each in (self.camera, self.free) if isinstance(each, Orbit)), None)

    def posed(self, time: float | None = None, camera: Orbit | MatrixCamera | None = None) -> Pose | None:
        """The pose at `time`, with billboards turned to `camera` (None: the State's).

        None if nothing can move: no bones and no vertex animation. The pose of the clock's time is the same
        object until something that it depends on changes.
        """
        skeleton, model = self.skeleton, self.model
        if skeleton is None or skeleton.billboards is None or not skeleton.billboards.any():
            return self._pose(time, None)
        return self._pose(time, eye_axes(camera or self.camera, model.to_world if model else np.eye(4)))

    def posed_alone(self) -> Pose | None:
        """The current pose, with billboards as they are without a camera."""
        return self._pose(None, None)

    def _pose(self, time: float | None, view: np.ndarray[Any, Any] | None) -> Pose | None:
        playing = self.layers(time)
        skeleton = self.skeleton or BONELESS
        if not len(skeleton) and not any(layer.animation.moves_vertices for layer in playing):
            return None
        return pose(skeleton, playing, view) if time is not None else self._posed.of(skeleton, playing, view)

    @property
    def moves(self) -> VertexMotion:
        """The pose and the morph weights that move the model's vertices now."""
        return moves(self.posed(), self.look.morphs)

    def keep_playing(self) -> None:
        """Update the playlist with reloaded animations of the same names; drop missing animations."""
        self.mix(renewed(self.playlist, self.animations))


def foremost(documents: Sequence[Document]) -> int | None:
    """The index of the document that comes into view when several are opened together.

    It is the first model, else the first document that is not only an animation; None if there is neither.
    """
    models = (number for number, each in enumerate(documents) if each.model is not None)
    others = (number for number, each in enumerate(documents) if not isinstance(each.content, Animation))
    return next(models, next(others, None))
