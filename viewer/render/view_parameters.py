"""The time and the camera view for which effects are drawn."""

from __future__ import annotations

from collections.abc import Sequence

import moderngl
from msgspec import Struct
from msgspec.structs import replace

from viewer.animation.pose import Layer, Pose
from viewer.arrays import Array
from viewer.render.mesh.lights import FrameLights
from viewer.scene.display import DisplayOptions, EffectOptions
from viewer.scene.items import EffectItem
from viewer.scene.material import ClipTime
from viewer.scene.maths import IDENTITY


class EffectTime(Struct, frozen=True, eq=False):
    """The time at which particles and ribbons are drawn, and their options `effects`.

    `time` is in seconds and never wrapped; it applies to all `layers`. `pose` is the pose of the layers.
    `view` [3, 3] rotates the file's axes to eye space, for billboards.
    """

    time: float = 0.0
    layers: tuple[Layer, ...] = ()
    pose: Pose | None = None
    view: Array | None = None
    effects: EffectOptions = EffectOptions()

    def of(self, item: EffectItem) -> float:
        """Return the time of one emitter or ribbon in seconds."""
        return self.effects.time(item, self.time)

    def skin(self, bone: int) -> Array:
        """Return the skin matrix [3, 4] of a bone; the identity if the bone does not exist."""
        known = self.pose is not None and 0 <= bone < len(self.pose.skin)
        return self.pose.skin[bone] if known and self.pose is not None else IDENTITY

    def clip_time(self, time: float) -> ClipTime:
        """Return the clip time at `time` in seconds, for properties that follow the first layer."""
        return replace(self.layers[0], time=time).clip_time(time) if self.layers else ClipTime(time)


def layers_key(layers: Sequence[Layer]) -> tuple[object, ...]:
    """Return a key of layers: equal keys mean equal bones at any time."""
    return tuple(
        (each.animation, each.adapted, each.weight, each.additive, each.looped, each.start_bone)
        for each in layers
    )


class ViewParameters(Struct, frozen=True, eq=False):
    """The view of models: framebuffer, matrices, front face winding, lights, options and time.

    `view` and `projection` [4, 4] together convert from the file's axes to clip space, with eye space as in
    OpenGL; `to_world` [4, 4] converts from the file's axes to viewer space.
    """

    framebuffer: moderngl.Framebuffer
    view: Array
    projection: Array
    front_face: str
    lights: FrameLights
    to_world: Array
    options: DisplayOptions
    effect_time: EffectTime
