"""Draws the ribbons and particles of a frame: opaque effects before the mesh, blended effects after it."""

from __future__ import annotations

from viewer.animation.pose import Pose
from viewer.render.mesh.mesh_resources import MeshResources
from viewer.render.statistics import DrawStatistics
from viewer.render.view_parameters import EffectTime, ViewParameters
from viewer.scene.display import DisplayOptions, ModelDisplay


class EffectPass:
    """Draws the effects of a mesh in one frame. Particle models are computed once."""

    def __init__(
        self,
        mesh: MeshResources,
        options: DisplayOptions,
        display: ModelDisplay,
        pose: Pose | None,
        effect_time: EffectTime,
        view_parameters: ViewParameters,
    ) -> None:
        if mesh.particles.has_model_particles:
            mesh.write(pose, options, display, view_parameters.view, view_parameters.projection)
        self._mesh, self._options, self._effects = mesh, options, display.effects
        self._effect_time, self._view_parameters = effect_time, view_parameters
        self._particle_members = mesh.particles.members(
            options, display.effects, effect_time, view_parameters.view
        )

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
