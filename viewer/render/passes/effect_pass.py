"""Draws the ribbons and particles of a frame: opaque effects before the mesh, blended effects after it."""

from __future__ import annotations

from viewer.render.frame import Frame
from viewer.render.mesh.mesh_resources import MeshResources
from viewer.render.statistics import DrawStatistics
from viewer.render.view_parameters import ViewParameters


class EffectPass:
    """Draws the effects of a mesh in one frame. Particle models are computed once."""

    def __init__(self, mesh: MeshResources, frame: Frame, view_parameters: ViewParameters) -> None:
        if mesh.particles.has_model_particles:
            view, projection = view_parameters.view, view_parameters.projection
            mesh.write(frame.pose, frame.options, frame.display, view, projection)
        self._mesh, self._view_parameters = mesh, view_parameters
        self._particle_members = mesh.particles.members(view_parameters)

    def draw_solid(self) -> DrawStatistics:
        """Draw the opaque particle models. They must be drawn before the mesh, because parts of the mesh may
        blend.
        """
        return self._mesh.particles.draw_solid(self._particle_members, self._view_parameters)

    def draw(self) -> DrawStatistics:
        """Draw the blended effects.

        The grid must be drawn before the effects: effects write no depth, so the grid would cover them.
        """
        drawn = self._mesh.ribbons.draw(self._view_parameters)
        return drawn + self._mesh.particles.draw(self._particle_members, self._view_parameters)
