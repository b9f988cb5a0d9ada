"""The playback of the document in view, and the resulting pose."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, field

from viewer.animation.clock import Loop
from viewer.animation.pose import Layer, Pose, moves
from viewer.scene.animation import Animation, Composition, listing_order
from viewer.scene.camera import Camera
from viewer.scene.display import upright
from viewer.scene.document import Document
from viewer.scene.items import AnimationItem
from viewer.scene.material import ClipTime
from viewer.scene.mesh.vertices import VertexMotion
from viewer.scene.skeleton import Skeleton
from viewer.session.clips import ClipList, renewed
from viewer.session.documents import OpenDocuments
from viewer.session.view import DocumentView
from viewer.view.first_view import first_clip
from viewer.view.playlist import Playback, PlaylistEntry, animation_named, valid
from viewer.view.view_snapshot import PoseCache, billboard_axes


class DocumentPlayback(Struct, eq=False):
    """The playable animations of the document in view, and the resulting pose. `last_pose` keeps the pose at
    the time of the clock.
    """

    documents: OpenDocuments
    _clip_list: ClipList = field(default_factory=ClipList)
    last_pose: PoseCache = field(default_factory=PoseCache)

    @property
    def _view(self) -> DocumentView:
        return self.documents.view

    @property
    def animations(self) -> tuple[Animation, ...]:
        """The playable animations: first the animations of the document in view, then the animations of the
        other open files, if the document in view has bones. Each file counts once.
        """
        return self._clip_list.of(self.documents.document, self.documents.opened)

    @property
    def keyed(self) -> Animation | None:
        """The playing animation whose keys the timeline shows; None in the rest pose."""
        playlist = self._view.playlist
        return playlist[min(self._view.timeline.layer, len(playlist) - 1)].animation if playlist else None

    @property
    def selected(self) -> tuple[Animation, ...]:
        """The animations that are selected in the list, in the order of the list."""
        offered = self.animations
        chosen = {each.number for each in self._view.selection.together(AnimationItem)}
        return tuple(offered[number] for number in listing_order(offered) if number in chosen)

    def source(self, animation: Animation) -> Document | None:
        """Find the document that an animation was read from."""
        shown = self.documents.document
        attached = shown.attached if shown else ()
        return next(
            (
                each
                for each in (*attached, *self.documents.opened)
                if animation is each.content
                or (isinstance(each.content, Skeleton) and animation in each.animations)
            ),
            shown,
        )

    @property
    def current(self) -> Playback:
        """The playlist and the clock of the document in view, with its skeleton."""
        view, model = self._view, self.documents.model
        to_world = None if model is None else upright(model.to_world, view.up)
        return Playback(view.playlist, view.clock, self.documents.skeleton, to_world)

    @property
    def duration(self) -> float:
        """Length of the longest playing animation in seconds."""
        return self.current.duration

    def animation(self, name: str) -> Animation:
        """Find an animation by its name, `#number`, or file name. ResourceError lists similar names."""
        return animation_named(self.animations, name)

    def idle(self) -> Animation | None:
        """Choose the animation that a window plays first: a stand or idle animation; without one, the first
        animation. None if there are no animations.
        """
        return first_clip(self.animations)

    def usual(self) -> tuple[PlaylistEntry, ...]:
        """Return the playlist of an output without chosen animations. For an M2 model, it is the first clip,
        because the rest pose of such a model is never visible in the game. For any other model, the playlist
        is empty.
        """
        document = self.documents.document
        own = document.animations if document is not None else ()
        return (PlaylistEntry(own[0]),) if own and own[0].composition is Composition.PIVOT else ()

    def choose(self, animation: Animation | None) -> None:
        """Play only this animation, from its start; None to show the rest pose."""
        self.play((PlaylistEntry(animation),) if animation else ())

    def play(self, playlist: Iterable[PlaylistEntry]) -> None:
        """Play these animations together, from the start."""
        self._view.playlist = tuple(playlist)
        self._view.timeline.fit()
        self.untrim()
        self._view.clock.seek(0.0)

    def mix(self, playlist: Iterable[PlaylistEntry]) -> None:
        """Play these animations together. The time and the playback range are kept as far as possible.

        ResourceError if a weight is not finite. A start bone that does not exist is dropped.
        """
        trimmed, bones = self.trimmed, len(self.documents.skeleton) if self.documents.skeleton else 0
        self._view.playlist = tuple(valid(each, bones) for each in playlist)
        if not trimmed or self._view.clock.range is None or self._view.clock.range[1] > self.duration:
            self.untrim()

    @property
    def trimmed(self) -> bool:
        """Whether the playback range is shorter than the clip."""
        return self.current.trimmed

    def untrim(self) -> None:
        """Play the whole clip."""
        self._view.clock.range = (0.0, self.duration) if self._view.playlist else None

    @property
    def looped(self) -> bool:
        """Whether clips repeat at their end."""
        return self.current.looped

    def repeat(self, loop: Loop) -> None:
        """Set what happens at the end of a clip. The pose in view stays the same."""
        at = self._view.clock.shown(self.duration)
        self._view.clock.loop = loop
        self._view.clock.show(at, self.duration)

    def layers(self) -> tuple[Layer, ...]:
        """Return the layers to pose at the time of the clock, plain layers first, then additive layers."""
        return self.current.layers(self._view.clock.time)

    def clip_time(self) -> ClipTime:
        """Return the clip time of the first layer at the time of the clock. Animated properties use it."""
        return self.current.clip_time(self._view.clock.time)

    @property
    def file_camera(self) -> Camera | None:
        """The active camera of the file at the current time; None if the user's camera is active."""
        cameras = self.documents.model.cameras if self.documents.model else ()
        number = self._view.file_camera_number
        return None if number is None or number >= len(cameras) else cameras[number].at(self.clip_time())

    def posed(self) -> Pose | None:
        """Return the pose at the time of the clock. Billboards are turned to the camera of the view.

        The result is None if there are neither bones nor vertex animations. The same object is returned until
        one of its inputs changes.
        """
        skeleton, view = self.documents.skeleton, self._view
        axes = billboard_axes(skeleton, self.documents.model, view, view.camera)
        return self.last_pose.of(skeleton, self.layers(), axes)

    def posed_alone(self) -> Pose | None:
        """Return the current pose with billboards as the animation leaves them, not turned to a camera."""
        return self.last_pose.of(self.documents.skeleton, self.layers(), None)

    @property
    def moves(self) -> VertexMotion:
        """The current pose and morph weights, from which the positions of the model's vertices follow."""
        return moves(self.posed(), self._view.morphs)

    def keep_playing(self) -> None:
        """Update the playlist with reloaded animations of the same names; drop missing animations."""
        self.mix(renewed(self._view.playlist, self.animations))
