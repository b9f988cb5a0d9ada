"""The playing animations, their cross-fades, and their layers at a time of the clock."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from viewer.animation.clock import Clock, Span
from viewer.animation.pose import Layer
from viewer.animation.retarget import retargeted
from viewer.animation.root_motion import in_place
from viewer.arrays import Array
from viewer.errors import ResourceError
from viewer.scene import names
from viewer.scene.animation import Animation
from viewer.scene.display import up_vector
from viewer.scene.material import ClipTime
from viewer.scene.skeleton import Skeleton


class Fade(Struct, frozen=True):
    """A change of weight. At the clock's time `begin` the weight is `start`; the change takes `seconds` of
    the clock.
    """

    start: float
    begin: float
    seconds: float

    def progress(self, time: float) -> float:
        """The finished fraction 0..1 at the clock's `time`. If the clock runs backwards, the change is
        finished as well.
        """
        return min(abs(time - self.begin) / self.seconds, 1.0) if self.seconds > 0 else 1.0


class PlaylistEntry(Struct, frozen=True):
    """A playing animation with its `weight` 0..1. If `additive`, the difference of the animation from the
    rest pose is added. If `start_bone` is set, only this bone and the bones below it move. While a `fade`
    lasts, the weight moves from the start value of the fade to `weight`.
    """

    animation: Animation
    weight: float = 1.0
    additive: bool = False
    start_bone: int | None = None
    fade: Fade | None = None

    def weight_at(self, time: float) -> float:
        """The weight at the clock's `time`."""
        if self.fade is None:
            return self.weight
        return self.fade.start + (self.weight - self.fade.start) * self.fade.progress(time)


Playlist = tuple[PlaylistEntry, ...]


def valid(entry: PlaylistEntry, bones: int) -> PlaylistEntry:
    """Adapt an entry to a skeleton with `bones` bones by dropping a missing start bone.

    ResourceError for a weight that is not finite.
    """
    if not math.isfinite(entry.weight):
        raise ResourceError(f"the weight {entry.weight} is not a finite number")
    lost = entry.start_bone is not None and not 0 <= entry.start_bone < bones
    return replace(entry, start_bone=None) if lost else entry


def faded(playlist: Playlist, animation: Animation, time: float, seconds: float) -> Playlist:
    """Return a playlist in which `animation` fades in from `time` and every other entry fades out. Additive
    entries stay.

    Source: Urho3D `AnimationController::PlayExclusive`.
    """
    leaving = tuple(
        each if each.additive else replace(each, weight=0.0, fade=Fade(each.weight_at(time), time, seconds))
        for each in playlist
        if each.animation is not animation or each.additive
    )
    before = [each for each in playlist if each.animation is animation and not each.additive]
    start = before[0].weight_at(time) if before else 0.0
    coming = replace(
        before[0] if before else PlaylistEntry(animation), weight=1.0, fade=Fade(start, time, seconds)
    )
    return (*leaving, coming)


def settled(playlist: Playlist, time: float) -> Playlist:
    """Return the playlist after finished fades and faded-out entries are removed."""
    still = (each for each in playlist if each.weight > 0 or each.fade is None or _fading(each, time))
    return tuple(each if _fading(each, time) else replace(each, fade=None) for each in still)


def _fading(entry: PlaylistEntry, time: float) -> bool:
    return entry.fade is not None and entry.fade.progress(time) < 1


def animation_named(offered: Sequence[Animation], name: str) -> Animation:
    """Return the animation with this name, `#number` or file name. ResourceError, with similar names, if
    there is none.
    """
    known = [each.name for each in offered]
    if name in known:
        return offered[known.index(name)]
    if name.startswith("#") and name[1:].isdecimal() and int(name[1:]) < len(offered):
        return offered[int(name[1:])]
    for each in offered:
        file = os.path.basename(each.source)
        if name in (file, os.path.splitext(file)[0]) or names.path_key(name) == names.path_key(each.source):
            return each
    return offered[names.find_name("animation", name, known)]


class Playback(Struct, frozen=True, eq=False):
    """A playlist, and the clock that sets its time, range and loop.

    Clips in place, and clips for another skeleton, need the `skeleton` and the matrix `to_world` [4, 4] from
    the file's axes to viewer space.
    """

    playlist: Playlist
    clock: Clock
    skeleton: Skeleton | None = None
    to_world: Array | None = None

    @property
    def duration(self) -> float:
        """The length in seconds of the longest playing animation."""
        return max((chosen.animation.duration for chosen in self.playlist), default=0.0)

    @property
    def span(self) -> Span:
        """The first and the last second of the played range."""
        return self.clock.range or (0.0, self.duration)

    @property
    def trimmed(self) -> bool:
        """Whether less than the whole clip plays."""
        return self.clock.range not in (None, (0.0, self.duration))

    @property
    def looped(self) -> bool:
        """Whether clips start again at their end."""
        return self.clock.loop != "once"

    def layers(self, time: float) -> tuple[Layer, ...]:
        """The layers of the pose at `time` seconds of the clock: plain layers, then additive layers."""
        own = self.trimmed or self.clock.loop == "pingpong"
        at = replace(self.clock, time=time).shown(self.duration) if own else time
        ordered = sorted(self.playlist, key=lambda chosen: chosen.additive)
        return tuple(
            Layer(
                each.animation,
                at,
                each.weight_at(time),
                each.additive,
                self.looped,
                each.start_bone,
                adapted=self.adapted(each.animation),
            )
            for each in ordered
        )

    def adapted(self, animation: Animation) -> Animation:
        """The clip whose keys move the bones: the animation itself, after two changes where they apply. An
        animation for another skeleton is converted; if clips play in place, the motion of the root is
        removed.
        """
        found = self.converted(animation)
        if self.skeleton is None or self.to_world is None or not self.clock.in_place:
            return found
        return in_place(self.skeleton, found, up_vector(self.to_world))

    def converted(self, animation: Animation) -> Animation:
        """The animation for the bones of the skeleton, with the motion of its root."""
        if self.skeleton is None or self.to_world is None:
            return animation
        return retargeted(animation, self.skeleton, self.to_world)

    def clip_time(self, time: float) -> ClipTime:
        """The clip time of the first layer at `time` seconds of the clock."""
        layer = next(iter(self.layers(time)), None)
        return ClipTime(time) if layer is None else layer.clip_time(time)
