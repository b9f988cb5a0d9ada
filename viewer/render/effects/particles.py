"""The particles of a model: each emitter in turn, as quads or models, with its child emitters."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from types import MappingProxyType

import moderngl
import numpy as np

from viewer.arrays import Array
from viewer.budget import BUDGET
from viewer.gpu.shader import Composer
from viewer.render.effects.carried_resources import STATE, STATE_ROW, CarriedResources
from viewer.render.effects.emitter_resources import EmitterResources
from viewer.render.effects.model_particles import ModelParticles
from viewer.render.effects.particle_rows import CARRIED, ROW, VARYINGS, live, live_carried
from viewer.render.effects.quads import Drawn, Quads, kinds, unit_length
from viewer.render.mesh.geometry_resources import GeometryResources
from viewer.render.mesh.materials import GpuMaterials
from viewer.render.mesh.mesh_programs import FrameKind
from viewer.render.statistics import DrawStatistics
from viewer.render.view_parameters import EffectTime, ViewParameters
from viewer.scene.emitter import Emitter, ModelReference
from viewer.scene.model import Model
from viewer.view.camera import frustum
from viewer.view.effect_bounds import particle_reach

PICTURES = 256
"""Largest number of times that the particles of an emitter may cover the whole picture. The fog of login
screens covers the picture 55 times.
"""


def most_particles(
    emitter: Emitter, size: float, origin: Array, unit: float, view_parameters: ViewParameters
) -> int:
    """Return how many particles of an emitter may be drawn before they cover the picture `PICTURES` times.
    The estimate assumes that every particle has its largest size, multiplied by `size`, and is as far from
    the camera as the emitter's `origin` [3] in the file's axes. `unit` is the length of a unit of the file's
    axes in eye space.
    """
    view, projection = view_parameters.view, view_parameters.projection
    width, height = view_parameters.framebuffer.size
    distance = float(np.linalg.norm(view[:3, :3] @ origin + view[:3, 3]))
    depth = abs(projection[3, 2]) * distance + projection[3, 3]
    reach = particle_reach(emitter) * abs(size) * unit
    side = float(reach * abs(projection[1, 1]) * height / depth)
    side = math.inf if math.isnan(side) else side
    covered = min(side * side, width * height)
    return int(min(PICTURES * width * height / max(covered, 1.0), 1 << 30))


ParticleMembers = Mapping[int, Array]
"""Particles drawn as models, [N] of `model_particles.MEMBER`, by emitter number."""
NO_NAMED: Mapping[ModelReference[Model], GeometryResources] = MappingProxyType({})


class Particles:
    """The particles of one model.

    Textures belong to `materials`, programs to the composer, the `Frame` block to the geometry. `named` are
    the models that are drawn as particles, and the models whose emitters are carried by particles.
    """

    def __init__(
        self,
        composer: Composer,
        model: Model,
        materials: GpuMaterials,
        frame: moderngl.Buffer,
        named: Mapping[ModelReference[Model], GeometryResources] = NO_NAMED,
    ) -> None:
        count = min(len(model.emitters), BUDGET.emitters)
        self.emitters = [EmitterResources(composer.ctx, model, number) for number in range(count)]
        self._materials = materials
        self._named = named
        self._model_particles = {
            each.number: ModelParticles(named[each.emitter.shape], each.emitter.shape)
            for each in self.emitters
            if each.emitter.shape is not None and each.emitter.shape in named
        }
        self._quads = Quads(composer, frame)

    def arrive(self) -> Iterator[float]:
        """Build the programs and textures for the first draw in small steps. Each step yields 1."""
        for each in self.emitters:
            model_particles = self.model_particles(each)
            if model_particles is not None:
                model_particles.arrive()
                yield 1.0
            for part in (*((each,) if model_particles is None else ()), *each.carried):
                self._texture(part)
                for tail in kinds(part):
                    self._quads.program(part, tail)
                    yield 1.0

    @property
    def has_model_particles(self) -> bool:
        """Whether an emitter draws its particles as models."""
        return bool(self._model_particles)

    def model_particles(self, each: EmitterResources) -> ModelParticles | None:
        """Return the `ModelParticles` that draw the emitter's particles if these are models, else None."""
        return self._model_particles.get(each.number)

    def members(self, view_parameters: ViewParameters) -> ParticleMembers:
        """Return the particles drawn as models. The mesh must have been written for the view."""
        found: dict[int, Array] = {}
        if not self._model_particles or not view_parameters.options.with_materials:
            return found
        for each in self.prepared(view_parameters.effect_time):
            model_particles = self.model_particles(each)
            if model_particles is not None:
                found[each.number] = model_particles.members(each, self.live(each), view_parameters)
        return found

    def draw_solid(
        self,
        particle_members: ParticleMembers,
        view_parameters: ViewParameters,
    ) -> DrawStatistics:
        """Draw the opaque parts of particle models. They must be drawn before everything that blends."""
        total = DrawStatistics()
        for number, members in particle_members.items():
            time = self._time(number, view_parameters.effect_time)
            total += self._model_particles[number].draw(members, time, view_parameters, solid=True)
        return total

    def draw(
        self,
        particle_members: ParticleMembers,
        view_parameters: ViewParameters,
    ) -> DrawStatistics:
        """Draw the particles that the options show, and the blended parts of `particle_members`.

        Emitters whose particles are all outside the view are skipped. The `Frame` block must already describe
        the view `view_parameters`.
        """
        if not view_parameters.options.with_materials:
            return DrawStatistics()
        total, unit = DrawStatistics(), unit_length(view_parameters.view)
        seen = frustum(view_parameters.view, view_parameters.projection)
        frame_kind = FrameKind.of(view_parameters.options, view_parameters.lights.of_effects)
        for each in self.prepared(view_parameters.effect_time):
            model_particles, origin = self.model_particles(each), each.origin
            if model_particles is None:
                if not seen.excludes(each.sphere()):
                    total += self._draw(each, origin, unit, view_parameters, frame_kind)
            elif each.number in particle_members:
                time = self._time(each.number, view_parameters.effect_time)
                total += model_particles.draw(
                    particle_members[each.number], time, view_parameters, solid=False
                )
            for part in self.carried(each, view_parameters.effect_time):
                total += self._draw(part, origin, unit, view_parameters, frame_kind)
        return total

    def draw_numbers(
        self,
        particle_members: ParticleMembers,
        view_parameters: ViewParameters,
    ) -> None:
        """Draw particle numbers instead of colours, see `pick_particle.frag`.

        A child particle is drawn with the number of its carrier.
        """
        if not view_parameters.options.with_materials:
            return
        unit = unit_length(view_parameters.view)
        seen = frustum(view_parameters.view, view_parameters.projection)
        for each in self.prepared(view_parameters.effect_time):
            model_particles, origin = self.model_particles(each), each.origin
            if model_particles is None:
                if not seen.excludes(each.sphere()):
                    self._draw_numbers(each, origin, unit, view_parameters)
            elif each.number in particle_members:
                model_particles.draw_numbers(particle_members[each.number], each.number, view_parameters)
            for part in self.carried(each, view_parameters.effect_time):
                self._draw_numbers(part, origin, unit, view_parameters)

    def prepared(self, effect_time: EffectTime) -> list[EmitterResources]:
        """Prepare the shown emitters; return those that have particles or child emitters, in draw order.

        Emitters beyond the budget of particles per frame are left out.
        """
        found, left = [], BUDGET.particles
        for each in sorted(self.emitters, key=lambda each: each.emitter.priority):
            shown = effect_time.effects.draws(each.item)
            if shown and (each.prepare(effect_time, left) or each.carried):
                left -= each.count
                found.append(each)
        return found

    def carried(self, each: EmitterResources, effect_time: EffectTime) -> list[CarriedResources]:
        """Prepare the child emitters of a prepared emitter; return the child emitters that have particles."""
        if not each.carried:
            return []
        owner, found = each.carrier(effect_time), []
        for part in each.carried:
            count = part.ask(owner)
            if count:
                states = self._quads.captured(each, STATE, STATE_ROW, count, ("ASKED",), part.asked)
                part.put(states, owner)
                found.append(part)
        return found

    def live(self, each: EmitterResources) -> Array:
        """Return the live particles of a prepared emitter, [N] of `PARTICLE`, oldest first."""
        return live(each, self._quads.captured(each, VARYINGS, ROW))

    def live_carried(self, each: EmitterResources, effect_time: EffectTime) -> Array:
        """Return the live child particles of a prepared emitter, [N] of `CARRIED`."""
        found = [np.empty(0, CARRIED)]
        for part in self.carried(each, effect_time):
            found.append(live_carried(part, self._quads.captured(part, VARYINGS, ROW)))
        return np.concatenate(found)

    def _time(self, number: int, effect_time: EffectTime) -> float:
        return effect_time.of(self.emitters[number].item)

    def _draw(
        self,
        each: Drawn,
        origin: Array,
        unit: float,
        view_parameters: ViewParameters,
        frame_kind: FrameKind,
    ) -> DrawStatistics:
        """Draw the quads of an emitter with this `origin` [3] in the file's axes."""
        most = most_particles(each.emitter, each.size, origin, unit, view_parameters)
        texture, framebuffer = self._texture(each), view_parameters.framebuffer
        return self._quads.draw(each, texture, framebuffer, unit, most, frame_kind)

    def _draw_numbers(self, each: Drawn, origin: Array, unit: float, view_parameters: ViewParameters) -> None:
        """Draw the particle numbers of an emitter with this `origin` [3] in the file's axes."""
        most = most_particles(each.emitter, each.size, origin, unit, view_parameters)
        self._quads.draw_numbers(each, self._texture(each), view_parameters.framebuffer, unit, most)

    def _texture(self, each: Drawn) -> moderngl.Texture:
        """Return the texture of an emitter. The texture of a child emitter comes from the model to which the
        child emitter belongs.
        """
        materials = (
            self._materials if isinstance(each, EmitterResources) else self._named[each.reference].materials
        )
        return materials.particle_texture(each.emitter.texture, each.emitter.blending)

    def release(self) -> None:
        """Release all GPU data except textures and programs."""
        self._quads.release()
        for each in self.emitters:
            each.release()
        for model_particles in self._model_particles.values():
            model_particles.release()
