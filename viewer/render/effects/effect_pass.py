"""Draws the ribbons and particles of a frame: opaque ones before the mesh, blended ones after it."""

from __future__ import annotations

from viewer.animation.pose import Pose
from viewer.render.mesh_resources import MeshResources
from viewer.render.statistics import DrawStatistics
from viewer.render.view_parameters import EffectTime, ViewParameters
from viewer.scene.display import DisplayOptions, ModelDisplay


class EffectPass:
    """The effects of a mesh, prepared for drawing."""

    def __init__(
        self,
        mesh: MeshResources,
        look: DisplayOptions,
        display: ModelDisplay,
        pose: Pose | None,
        instant: EffectTime,
        sight: ViewParameters,
    ) -> None:
        if mesh.particles.crowded:
            mesh.write(pose, look, display, sight.view, sight.projection)
        self._mesh, self._look, self._effects = mesh, look, display.effects
        self._instant, self._sight = instant, sight
        self._crowds = mesh.particles.members(look, display.effects, instant, sight.view)

    def draw_solid(self) -> DrawStatistics:
        """Draw the opaque particle models: before the mesh, parts of which may blend."""
        particles = self._mesh.particles
        return particles.draw_solid(self._crowds, self._look, self._effects, self._instant, self._sight)

    def draw(self) -> DrawStatistics:
        """Draw the blended effects.

        The grid is drawn first, because it would cover effects that write no depth.
        """
        look, effects, instant = self._look, self._effects, self._instant
        drawn = self._mesh.ribbons.draw(look, effects, instant, self._sight)
        return drawn + self._mesh.particles.draw(self._crowds, look, effects, instant, self._sight)
