"""The GPU data of one emitter: its block, its table, and the number of births to draw."""

from __future__ import annotations

import math

import moderngl
import numpy as np

from viewer.animation.effects.bone_path import (
    BoneMotion,
    BonePath,
    bone_motion,
    path,
    sound,
    turned_offset,
    window,
)
from viewer.animation.effects.carried import CarrierState, particle_size
from viewer.animation.effects.emission import Emission, emission
from viewer.animation.effects.motion_reach import MotionReach, Sphere, motion_reach
from viewer.animation.effects.random_hash import seed_of
from viewer.arrays import Array
from viewer.budget import BUDGET
from viewer.gpu.bindings import Bindings
from viewer.render.effects.carried_resources import carried_by
from viewer.render.effects.emitter_buffers import EmitterBuffers, variant
from viewer.render.view_parameters import EffectTime, layers_key
from viewer.scene.items import EmitterItem
from viewer.scene.maths import compose
from viewer.scene.model import Model


class EmitterResources:
    """The GPU data of one emitter.

    It is baked when the animation or the emitter's parameters change; `prepare` uploads one small block per
    frame.
    """

    def __init__(self, ctx: moderngl.Context, model: Model, number: int) -> None:
        self.emitter = model.emitters[number]
        self.number = number
        self.item = EmitterItem(number)
        self._model = model
        self.defines = variant(self.emitter)
        self.carried = tuple(carried_by(ctx, self.emitter))
        self._offset = turned_offset(self.emitter)
        self._key: tuple[object, ...] | None = None
        self._window = 0.0
        self._buffers = EmitterBuffers(ctx)
        self.emission: Emission | None = None
        self.path: BonePath | None = None
        self.count = self.newest = self.seed = 0
        self._reach: MotionReach | None = None
        self._born = Sphere(np.zeros(3), math.inf)

    def prepare(self, effect_time: EffectTime, most: int = BUDGET.particles) -> int:
        """Prepare the emitter for a time; return the number of births that may be alive, at most `most`.

        If there are more, the newest are kept.
        """
        time, effects = effect_time.of(self.item), effect_time.effects
        schedule, way = self._baked(effect_time, time)
        self.count = min(schedule.candidates(time, effects.cold), most) if schedule.longest > 0 else 0
        if not self.count and not self.carried:
            return 0
        born, now = schedule.at(time), self._buffers.now
        self.newest = born.newest
        frame = self.frame(effect_time)
        size = particle_size(self.emitter, effects.size(self.item), frame)
        now["frame_now"] = frame
        own = way.stretch.fold(time)[0]
        now["drift_now"][0, 3] = own
        if "follows" in self.emitter.flags:
            now["drift_now"][0, :3] = way.carried(own)
        now["now"] = born.base, born.time, born.part, size
        now["counts"][0, 3] = born.newest % schedule.loop if schedule.loop else 0
        self._buffers.write(born.newest)
        return self.count

    def sphere(self) -> Sphere:
        """Return a sphere in the file's axes around all particles. The emitter must be prepared."""
        assert self.emission is not None and self.path is not None, "prepare must be called first"
        if self._reach is None:
            self._reach = motion_reach(self.emitter, self.emission)
            self._born = self._reach.along(self.path)
        inside, frame = "model space" in self.emitter.flags, self._buffers.frame
        return self._reach.whole(self._reach.around(frame) if inside else self._born, self.size)

    def frame(self, effect_time: EffectTime) -> Array:
        """Return the matrix [3, 4] from the emitter's space to the file's axes."""
        return sound(compose(effect_time.skin(self.emitter.bone), self._offset))

    def carrier(self, effect_time: EffectTime) -> CarrierState:
        """Return the state of this emitter that its child emitters need. The emitter must be prepared."""
        assert self.emission is not None and self.path is not None, "prepare must be called first"
        return CarrierState(
            self.emitter,
            self.number,
            self.seed,
            self.emission,
            self.path,
            self.newest,
            self.frame(effect_time),
            effect_time.of(self.item),
            effect_time.effects.cold,
            effect_time.effects.size(self.item),
        )

    @property
    def origin(self) -> Array:
        """Origin [3] of the emitter in the file's axes in this frame."""
        return self._buffers.frame[:, 3]

    @property
    def size(self) -> float:
        """The factor by which particle sizes are multiplied in this frame."""
        return self._buffers.size

    @property
    def bindings(self) -> Bindings:
        """The uniform block and the table."""
        return self._buffers.bindings

    def release(self) -> None:
        """Release the block, the table and the child emitters."""
        self._buffers.release()
        for each in self.carried:
            each.release()

    def _baked(self, effect_time: EffectTime, time: float) -> tuple[Emission, BonePath]:
        effects = effect_time.effects
        layer = effect_time.layers[0] if effect_time.layers else None
        animation = None if layer is None else layer.animation
        looped = layer is None or layer.looped
        above: BoneMotion | None = None
        key: tuple[object, ...] = (animation, looped, effects.seed, effects.rate(self.item), effects.period)
        if "model space" not in self.emitter.flags or self.carried:
            above = bone_motion(self._model.skeleton, self.emitter.bone, effect_time.layers)
            faces = above is not None and above.faces and effect_time.view is not None
            view = effect_time.view.tobytes() if faces and effect_time.view is not None else None
            key = (*key, layers_key(effect_time.layers), view)
        current = self.path is not None and (self.path.stretch.exact or window(time, 0).start == self._window)
        if self._key != key or not current or self.emission is None or self.path is None:
            seed = self.seed = seed_of(effects.seed, self.number)
            rate = effects.rate(self.item)
            self.emission = emission(self.emitter, animation, looped, rate, seed, effects.period)
            longer = max((each.bake(seed) for each in self.carried), default=0.0)
            fast, around = "burst" in self.emitter.flags, (time, self.emission.longest + longer)
            self.path = path(above, self._offset, self.emitter.follow, effect_time.view, fast, around)
            self._buffers.bake(self.emitter, self.emission, self.path, seed)
            self._key, self._window, self._reach = key, window(time, 0).start, None
        return self.emission, self.path
