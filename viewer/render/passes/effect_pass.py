"""Draws the ribbons and particles of a frame: opaque effects before the mesh, blended effects after it."""

from __future__ import annotations

from viewer.render.frame import Frame
from viewer.render.mesh.mesh_resources import MeshResources
from viewer.render.statistics import DrawStatistics
from viewer.render.view_parameters import ViewParameters


class EffectPass:
    """Draws the effects of a mesh in one frame. Particle models are computed once."""

    def __init__(self, mesh: MeshResources, frame: Frame, view_parameters: ViewParameters) -> None:
        options, effects, view = frame.options, frame.display.effects, view_parameters.view
        if mesh.particles.has_model_particles:
            mesh.write(frame.pose, options, frame.display, view, view_parameters.projection)
        self._mesh, self._options, self._effects = mesh, options, effects
        self._effect_time, self._view_parameters = frame.effect_time, view_parameters
        self._particle_members = mesh.particles.members(options, effects, self._effect_time, view)

    def draw_solid(self) -> DrawStatistics:
        """Draw the opaque particle models. They must be drawn before the mesh, because parts of the mesh may
        blend.
        """
        particles = self._mesh.particles
        return particles.draw_solid(
            self._particle_members, self._options, self._effects, self._effect_time, self._view_parameters
        )

    def draw(self) -> DrawStatistics:
        """Draw the blended effects.

        The grid must be drawn before the effects: effects write no depth, so the grid would cover them.
        """
        options, effects, effect_time = self._options, self._effects, self._effect_time
        drawn = self._mesh.ribbons.draw(options, effects, effect_time, self._view_parameters)
        return drawn + self._mesh.particles.draw(
            self._particle_members, options, effects, effect_time, self._view_parameters
        )
