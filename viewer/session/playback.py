"""What is shown: the opened files, what of them plays, time and camera; and the pose that follows."""

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
    """`documents` are the opened files, `current` the number of the one in view.

    `clock.time` is never wrapped. `playlist` is what plays, empty for the rest pose. `home` is the camera
    that the document in view began with. While a camera of the file is looked through, `camera` is what it
    shows, and `free` the one to go back to.
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
        """The skeleton in view: the model's, or a document that is nothing but a skeleton."""
        document = self.document
        content = document.content if document is not None else None
        found = content.skeleton if isinstance(content, Model) else content
        return found if isinstance(found, Skeleton) else None

    @property
    def lods(self) -> int:
        """How many levels of detail the model has: those of its richest geometry."""
        return max((len(geometry.lods) for geometry in self.model.geometries), default=0) if self.model else 0

    @property
    def animations(self) -> tuple[Animation, ...]:
        """What can be played: the document's own, then those of other opened files, each file once."""
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
        """The animation of that name, `#number`, or file name; ResourceError lists the near ones."""
        return named(self.animations, name)

    def idle(self) -> Animation | None:
        """What a window plays first: a stand or idle animation, else the first one."""
        return idle(self.animations)

    def choose(self, animation: Animation | None) -> None:
        """Play this one alone, from its start; None: the rest pose."""
        self.play((PlaylistEntry(animation),) if animation else ())

    def play(self, playlist: Iterable[PlaylistEntry]) -> None:
        """Play these together, from the start."""
        self.playlist = tuple(playlist)
        self.timeline.fit()
        self.untrim()
        self.clock.seek(0.0)

    def mix(self, playlist: Iterable[PlaylistEntry]) -> None:
        """Play these together from now on; the time and the stretch that plays stay, as far as they can.

        ResourceError for a weight that is no finite number; start bones that do not exist are let go.
        """
        trimmed, bones = self.trimmed, len(self.skeleton) if self.skeleton else 0
        self.playlist = tuple(valid(each, bones) for each in playlist)
        if not trimmed or self.clock.range is None or self.clock.range[1] > self.duration:
            self.untrim()

    @property
    def trimmed(self) -> bool:
        """Whether less than the whole clip plays."""
        return self.clock.range not in (None, (0.0, self.duration))

    def untrim(self) -> None:
        """Play the whole clip."""
        self.clock.range = (0.0, self.duration) if self.playlist else None

    @property
    def looped(self) -> bool:
        """Whether clips begin again at their end."""
        return self.clock.loop != "once"

    def _turning(self) -> float:
        """The clock's time; as it is shown where less than the clip plays, or to and fro."""
        own = self.trimmed or self.clock.loop == "pingpong"
        return self.clock.shown(self.duration) if own else self.clock.time

    def layers(self, time: float | None = None) -> tuple[Layer, ...]:
        """What is posed at `time` seconds (None: the clock's): plain layers, then additive ones."""
        at = self._turning() if time is None else time
        now = self.clock.time if time is None else time
        return layers(self.playlist, at, now, self.looped)

    @property
    def playing(self) -> Layer | None:
        """The layer that materials follow: the first."""
        return next(iter(self.layers()), None)

    def moment(self, time: float | None = None) -> ClipTime:
        """When it is at `time` seconds (None: the clock's), for what follows the first layer that plays."""
        layer = next(iter(self.layers(time)), None)
        now = self.clock.time if time is None else time
        return ClipTime(now) if layer is None else layer.moment(now)

    @property
    def through(self) -> Camera | None:
        """The camera of the file that is looked through, as it is now."""
        cameras = self.model.cameras if self.model else ()
        number = self.look.through
        return None if number is None or number >= len(cameras) else cameras[number].at(self.moment())

    @property
    def orbit(self) -> Orbit | None:
        """The user's own camera, also while another is looked through; None where that is no orbit."""
        return next((each for each in (self.camera, self.free) if isinstance(each, Orbit)), None)

    def posed(self, time: float | None = None, camera: Orbit | MatrixCamera | None = None) -> Pose | None:
        """The pose at `time`, its billboards turned to `camera` (None: the State's); None where nothing can
        move: no bones, and no animation of vertices that plays.

        That of the clock's time is the same object until something of it changes.
        """
        skeleton, model = self.skeleton, self.model
        if skeleton is None or skeleton.billboards is None or not skeleton.billboards.any():
            return self._pose(time, None)
        return self._pose(time, eye_axes(camera or self.camera, model.to_world if model else np.eye(4)))

    def posed_alone(self) -> Pose | None:
        """The pose now, its billboards as if there were no camera."""
        return self._pose(None, None)

    def _pose(self, time: float | None, view: np.ndarray[Any, Any] | None) -> Pose | None:
        playing = self.layers(time)
        skeleton = self.skeleton or BONELESS
        if not len(skeleton) and not any(layer.animation.moves_vertices for layer in playing):
            return None
        return pose(skeleton, playing, view) if time is not None else self._posed.of(skeleton, playing, view)

    @property
    def moves(self) -> VertexMotion:
        """What moves the model's vertices now."""
        return moves(self.posed(), self.look.morphs)

    def keep_playing(self) -> None:
        """Hold on to the animations of the playlist by name where their objects are new, drop those gone."""
        self.mix(renewed(self.playlist, self.animations))


def foremost(documents: Sequence[Document]) -> int | None:
    """The number of the one that comes into view of several that are opened together: the first model, else
    the first that is more than an animation; None where there is none."""
    models = (number for number, each in enumerate(documents) if each.model is not None)
    others = (number for number, each in enumerate(documents) if not isinstance(each.content, Animation))
    return next(models, next(others, None))
