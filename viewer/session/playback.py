"""The playback of the document in view, and the pose that follows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import field
from msgspec.structs import replace

from viewer.animation.clock import Loop
from viewer.animation.pose import Layer, Pose, moves, pose
from viewer.arrays import Array
from viewer.scene.animation import Animation
from viewer.scene.camera import Camera, MatrixCamera, Orbit
from viewer.scene.document import Document
from viewer.scene.material import ClipTime
from viewer.scene.model import Model
from viewer.scene.skeleton import BONELESS, Skeleton
from viewer.scene.up_axis import UpAxis
from viewer.scene.vertices import VertexMotion
from viewer.session.clips import ClipList, PoseCache, renewed
from viewer.session.documents import OpenDocuments
from viewer.view.first_view import first_clip, first_view
from viewer.view.playback import Playback
from viewer.view.playlist import PlaylistEntry, named, valid
from viewer.view.up_axis_guess import first_up
from viewer.view.view_snapshot import ViewSnapshot, billboard_axes

STOOD_UP = "The bones show that +Z is up: the model is stood up, see View › Up axis"


class PlaybackState(OpenDocuments, eq=False):
    """The playable animations of the document in view, and the pose that follows."""

    _clip_list: ClipList = field(default_factory=ClipList)
    _posed: PoseCache = field(default_factory=PoseCache)

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
        """The number of levels of detail: the number of the geometry with the most levels."""
        return max((len(geometry.lods) for geometry in self.model.geometries), default=0) if self.model else 0

    @property
    def animations(self) -> tuple[Animation, ...]:
        """The playable animations: the animations of the document, then of the other open files, each file
        once.
        """
        return self._clip_list.of(self.document, self.documents)

    def source(self, animation: Animation) -> Document | None:
        """The document that an animation was read from."""
        attached = self.document.attached if self.document else ()
        return next(
            (each for each in (*attached, *self.documents) if animation is each.content), self.document
        )

    @property
    def _playback(self) -> Playback:
        return Playback(self.playlist, self.clock)

    @property
    def duration(self) -> float:
        """Seconds of the longest animation that plays."""
        return self._playback.duration

    def animation(self, name: str) -> Animation:
        """The animation with that name, `#number`, or file name; ResourceError lists similar names."""
        return named(self.animations, name)

    def idle(self) -> Animation | None:
        """The animation that a window plays first: a stand or idle animation, else the first one."""
        return first_clip(self.animations)

    def begin_view(self, orbit: Orbit, time: float | None = None, turned: bool = False) -> None:
        """See the document for the first time, in the direction of `orbit` (`turned`: chosen by the user).

        `time` in seconds is the user's choice; None: the first moment at which something is seen.
        """
        first = first_view(self.snapshot(), orbit)
        if time is None:
            self.clock.seek(first.time)
        self._stand(first.up)
        self.camera = orbit if turned else first.orbit
        if not turned and not orbit.ortho and first.file_camera is not None:
            self.view.file_camera_number = first.file_camera

    def stand(self) -> None:
        """Choose the axis that is up, unless it is chosen already."""
        self._stand(first_up(self.snapshot()))

    def _stand(self, up: UpAxis) -> None:
        if self.view.up is None and up is not UpAxis.FILE and self.document is not None:
            self.document.report.note(STOOD_UP)
        self.view.up = up

    @property
    def stood_up(self) -> bool:
        """Whether the model was stood up because of its bones."""
        return self.document is not None and STOOD_UP in self.document.report.notes

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
        return self._playback.trimmed

    def untrim(self) -> None:
        """Play the whole clip."""
        self.clock.range = (0.0, self.duration) if self.playlist else None

    @property
    def looped(self) -> bool:
        """Whether clips repeat at their end."""
        return self._playback.looped

    def repeat(self, loop: Loop) -> None:
        """Change what happens at the end of a clip, and keep the pose that is shown."""
        at = self.clock.shown(self.duration)
        self.clock.loop = loop
        self.clock.show(at, self.duration)

    def layers(self, time: float | None = None) -> tuple[Layer, ...]:
        """The layers to pose at `time` seconds (None: the clock's): plain layers, then additive layers."""
        return self._playback.layers(self.clock.time if time is None else time)

    @property
    def playing(self) -> Layer | None:
        """The first layer, which animated materials follow."""
        return next(iter(self.layers()), None)

    def clip_time(self, time: float | None = None) -> ClipTime:
        """The clip time at `time` seconds (None: the clock's), for properties that follow the first layer."""
        return self._playback.clip_time(self.clock.time if time is None else time)

    @property
    def file_camera(self) -> Camera | None:
        """The active camera of the file at this time."""
        cameras = self.model.cameras if self.model else ()
        number = self.view.file_camera_number
        return None if number is None or number >= len(cameras) else cameras[number].at(self.clip_time())

    @property
    def orbit(self) -> Orbit | None:
        """The user's own camera, even while a camera of the file is in use; None if it is not an orbit."""
        camera = self.view.camera
        return camera if isinstance(camera, Orbit) else None

    def posed(self, time: float | None = None, camera: Orbit | MatrixCamera | None = None) -> Pose | None:
        """The pose at `time`, with billboards turned to `camera` (None: the State's).

        None if nothing can move: no bones and no vertex animation. The pose of the clock's time is the same
        object until something that it depends on changes.
        """
        return self._pose(time, billboard_axes(self.skeleton, self.model, self.view, camera or self.camera))

    def posed_alone(self) -> Pose | None:
        """The current pose, with billboards as they are without a camera."""
        return self._pose(None, None)

    def _pose(self, time: float | None, view: Array | None) -> Pose | None:
        playing = self.layers(time)
        skeleton = self.skeleton or BONELESS
        if not len(skeleton) and not any(layer.animation.moves_vertices for layer in playing):
            return None
        return pose(skeleton, playing, view) if time is not None else self._posed.of(skeleton, playing, view)

    def snapshot(self) -> ViewSnapshot:
        """All values that pictures of the document in view depend on, as a copy: the State may change
        meanwhile.
        """
        view = self.view
        return ViewSnapshot(
            self.model,
            self.skeleton,
            replace(self.options),
            view.copied(),
            Playback(view.playlist, replace(view.clock)),
            self.camera,
            view.file_camera_number,
        )

    @property
    def moves(self) -> VertexMotion:
        """The pose and the morph weights that move the model's vertices now."""
        return moves(self.posed(), self.view.morphs)

    def keep_playing(self) -> None:
        """Update the playlist with reloaded animations of the same names; drop missing animations."""
        self.mix(renewed(self.playlist, self.animations))


def foremost(documents: Sequence[Document]) -> int | None:
    """The index of the document that comes into view when several are opened together.

    It is the first model, else the first document that is not only an animation; None if there is no such
    document.
    """
    models = (number for number, each in enumerate(documents) if each.model is not None)
    others = (number for number, each in enumerate(documents) if not isinstance(each.content, Animation))
    return next(models, next(others, None))
