"""The playing animations as a function of the clock's time."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from viewer.animation.clock import Clock
from viewer.animation.pose import Layer
from viewer.scene.material import ClipTime
from viewer.view.playlist import Playlist


class Playback(Struct, frozen=True, eq=False):
    """A playlist, and the clock whose range and loop it follows."""

    playlist: Playlist
    clock: Clock

    @property
    def duration(self) -> float:
        """Seconds of the longest animation that plays."""
        return max((chosen.animation.duration for chosen in self.playlist), default=0.0)

    @property
    def trimmed(self) -> bool:
        """Whether less than the whole clip plays."""
        return self.clock.range not in (None, (0.0, self.duration))

    @property
    def looped(self) -> bool:
        """Whether clips begin again at their end."""
        return self.clock.loop != "once"

    def layers(self, time: float) -> tuple[Layer, ...]:
        """The layers of the pose at `time` seconds of the clock: plain layers, then additive layers."""
        own = self.trimmed or self.clock.loop == "pingpong"
        at = replace(self.clock, time=time).shown(self.duration) if own else time
        ordered = sorted(self.playlist, key=lambda chosen: chosen.additive)
        return tuple(
            Layer(each.animation, at, each.weight_at(time), each.additive, self.looped, each.start_bone)
            for each in ordered
        )

    def clip_time(self, time: float) -> ClipTime:
        """The clip time at `time` seconds of the clock, for properties that follow the first layer."""
        layer = next(iter(self.layers(time)), None)
        return ClipTime(time) if layer is None else layer.clip_time(time)
