"""When particles, ribbons and the models that particles are are seen, and from where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from viewer.animation.pose import Layer, Pose
from viewer.arrays import Array
from viewer.dataclass import dataclass
from viewer.scene.material import ClipTime
from viewer.scene.maths import IDENTITY


@dataclass(frozen=True, slots=True, eq=False)
class EffectTime:
    """When particles and ribbons are seen: `time` in seconds, never wrapped, which is that of all `layers`;
    `pose` is what these make. `view` [3, 3] turns the file's axes into eye space, for billboards."""

    time: float = 0.0
    layers: tuple[Layer, ...] = ()
    pose: Pose | None = None
    view: Array | None = None

    def skin(self, bone: int) -> Array:
        """[3, 4] what moves things that hang on a bone; the identity where there is no such bone."""
        known = self.pose is not None and 0 <= bone < len(self.pose.skin)
        return self.pose.skin[bone] if known and self.pose is not None else IDENTITY

    def moment(self, time: float) -> ClipTime:
        """When it is at `time` seconds, for what follows the first layer."""
        return replace(self.layers[0], time=time).moment(time) if self.layers else ClipTime(time)


def layers_key(layers: Sequence[Layer]) -> tuple[object, ...]:
    """What of the layers decides where bones are at any time."""
    return tuple(
        (each.animation, each.weight, each.additive, each.looped, each.start_bone) for each in layers
    )


@dataclass(frozen=True, slots=True, eq=False)
class ViewParameters:
    """How models are seen: `view` and `projection` [4, 4] from the file's axes to clip space, eye space as
    GL's, the winding of front faces on the screen, and the lights [n] of `LIGHT` that shine."""

    view: Array
    projection: Array
    front_face: str
    lights: Array
