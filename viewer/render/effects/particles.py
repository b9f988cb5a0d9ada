"""The particle pass: emitter after emitter, as quads or models, with their child emitters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

import moderngl
import numpy as np

from viewer.animation.effects.approximations import MOST
from viewer.arrays import Array
from viewer.gpu.shader import Composer
from viewer.render.effects.carried_resources import STATE, STATE_ROW, CarriedResources
from viewer.render.effects.emitter_resources import EmitterResources
from viewer.render.effects.model_particles import ModelParticles
from viewer.render.effects.particle_rows import CARRIED, ROW, VARYINGS, live, live_carried
from viewer.render.effects.quads import Drawn, Quads, kinds, unit_length
from viewer.render.geometry_resources import GeometryResources
from viewer.render.materials import GpuMaterials
from viewer.render.statistics import DrawStatistics
from viewer.render.view_parameters import EffectTime, ViewParameters
from viewer.scene.display import PAINTED, DisplayOptions
from viewer.scene.effects import EffectOptions
from viewer.scene.emitter import MOST_EMITTERS
from viewer.scene.model import Model
from viewer.scene.reference import ModelReference

Crowds = Mapping[int, Array]
"""By the number of the emitter: its particles that are drawn as models, [N] of `model_particles.MEMBER`."""
NO_NAMED: Mapping[ModelReference[Model], GeometryResources] = MappingProxyType({})


class Particles:
    """The emitters of one model.

    Textures belong to `paint`, programs to the composer, the `Frame` block to the geometry; `named` are the
    models that particles use as model or carry.
    """

    def __init__(
        self,
        composer: Composer,
        model: Model,
        paint: GpuMaterials,
        frame: moderngl.Buffer,
        named: Mapping[ModelReference[Model], GeometryResources] = NO_NAMED,
    ) -> None:
        count = min(len(model.emitters), MOST_EMITTERS)
        self.emitters = [EmitterResources(composer.ctx, model, number) for number in range(count)]
        self._paint = paint
        self._named = named
        self._crowds = {
            each.number: ModelParticles(named[each.emitter.shape], each.emitter.shape)
            for each in self.emitters
            if each.emitter.shape is not None and each.emitter.shape in named
        }
        self._quads = Quads(composer, frame)

    def arrive(self) -> Iterator[float]:
        """Build the programs and textures for the first draw, one after another."""
        for each in self.emitters:
            crowd = self.crowd(each)
            if crowd is not None:
                crowd.arrive()
                yield 1.0
            for part in (*((each,) if crowd is None else ()), *each.carried):
                self._texture(part)
                for tail in kinds(part):
                    self._quads.program(part, tail)
                    yield 1.0

    @property
    def crowded(self) -> bool:
        """Whether any particles are drawn as models."""
        return bool(self._crowds)

    def crowd(self, each: EmitterResources) -> ModelParticles | None:
        """The drawer of an emitter's particles if they are models."""
        return self._crowds.get(each.number)

    def members(
        self, look: DisplayOptions, effects: EffectOptions, instant: EffectTime, view: Array
    ) -> Crowds:
        """The particles that are drawn as models. The mesh must have been written for `view` [4, 4]."""
        found: dict[int, Array] = {}
        for each in self.prepared(effects, instant) if self._crowds and look.shading in PAINTED else ():
            crowd = self.crowd(each)
            if crowd is not None:
                rows = self.live(each)
                found[each.number] = crowd.members(each, rows, instant, view)
        return found

    def draw_solid(
        self,
        crowds: Crowds,
        look: DisplayOptions,
        effects: EffectOptions,
        instant: EffectTime,
        sight: ViewParameters,
    ) -> DrawStatistics:
        """Draw the opaque parts of particle models: they come before all blended draws."""
        total = DrawStatistics()
        for number, members in crowds.items():
            time = self._time(number, effects, instant)
            total += self._crowds[number].draw(members, time, look, sight, solid=True)
        return total

    def draw(
        self,
        crowds: Crowds,
        look: DisplayOptions,
        effects: EffectOptions,
        instant: EffectTime,
        sight: ViewParameters,
    ) -> DrawStatistics:
        """Draw the particles that `look` and `effects` show, and the blended parts of `crowds`.

        `sight` holds the view of the `Frame` block.
        """
        if look.shading not in PAINTED:
            return DrawStatistics()
        total, unit = DrawStatistics(), unit_length(sight.view)
        for each in self.prepared(effects, instant):
            crowd = self.crowd(each)
            if crowd is None:
                total += self._quads.draw(each, self._texture(each), sight.framebuffer, unit)
            elif each.number in crowds:
                time = self._time(each.number, effects, instant)
                total += crowd.draw(crowds[each.number], time, look, sight, solid=False)
            for part in self.carried(each, effects, instant):
                total += self._quads.draw(part, self._texture(part), sight.framebuffer, unit)
        return total

    def draw_numbers(
        self,
        crowds: Crowds,
        look: DisplayOptions,
        effects: EffectOptions,
        instant: EffectTime,
        sight: ViewParameters,
    ) -> None:
        """Draw the particle number of each pixel instead of colours, see `pick_particle.frag`.

        Child particles get the number of their carrier.
        """
        if look.shading not in PAINTED:
            return
        unit = unit_length(sight.view)
        for each in self.prepared(effects, instant):
            crowd = self.crowd(each)
            if crowd is None:
                self._quads.draw_numbers(each, self._texture(each), sight.framebuffer, unit)
            elif each.number in crowds:
                crowd.draw_numbers(crowds[each.number], each.number, look, sight)
            for part in self.carried(each, effects, instant):
                self._quads.draw_numbers(part, self._texture(part), sight.framebuffer, unit)

    def prepared(self, effects: EffectOptions, instant: EffectTime) -> list[EmitterResources]:
        """The shown emitters that have particles or child particles, in draw order.

        If there are too many particles for one picture, the remaining emitters are left out.
        """
        found, left = [], MOST
        for each in sorted(self.emitters, key=lambda each: each.emitter.priority):
            shown = effects.draws(each.item)
            if shown and (each.prepare(instant, effects, left) or each.carried):
                left -= each.count
                found.append(each)
        return found

    def carried(
        self, each: EmitterResources, effects: EffectOptions, instant: EffectTime
    ) -> list[CarriedResources]:
        """The child emitters of a prepared emitter that have particles."""
        if not each.carried:
            return []
        owner, found = each.carrier(instant, effects), []
        for part in each.carried:
            count = part.ask(owner)
            if count:
                states = self._quads.captured(each, STATE, STATE_ROW, count, ("ASKED",), part.asked)
                part.put(states, owner)
                found.append(part)
        return found

    def live(self, each: EmitterResources) -> Array:
        """[N] of `PARTICLE`, oldest first: the live particles of a prepared emitter."""
        return live(each, self._quads.captured(each, VARYINGS, ROW))

    def live_carried(self, each: EmitterResources, effects: EffectOptions, instant: EffectTime) -> Array:
        """[N] of `CARRIED`: the live child particles of a prepared emitter."""
        found = [np.empty(0, CARRIED)]
        for part in self.carried(each, effects, instant):
            found.append(live_carried(part, self._quads.captured(part, VARYINGS, ROW)))
        return np.concatenate(found)

    def _time(self, number: int, effects: EffectOptions, instant: EffectTime) -> float:
        return effects.time(self.emitters[number].item, instant.time)

    def _texture(self, each: Drawn) -> moderngl.Texture:
        """The texture of an emitter: of the model, or of the model whose emitters are carried."""
        paint = self._paint if isinstance(each, EmitterResources) else self._named[each.reference].paint
        return paint.particle_texture(each.emitter.texture, each.emitter.blending)

    def release(self) -> None:
        """Release all GPU data except textures and programs."""
        self._quads.release()
        for each in self.emitters:
            each.release()
        for crowd in self._crowds.values():
            crowd.release()
