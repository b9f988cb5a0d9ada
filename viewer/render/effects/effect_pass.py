"""The ribbons and particles of one frame: what covers before the mesh, what blends after it."""

from __future__ import annotations

from viewer.animation.pose import Pose
from viewer.render.mesh_resources import MeshResources
from viewer.render.statistics import DrawStatistics
from viewer.render.view_parameters import EffectTime, ViewParameters
from viewer.scene.display import DisplayOptions


class EffectPass:
    """Those of a mesh, which is made ready for drawing."""

    def __init__(
        self,
        mesh: MeshResources,
        look: DisplayOptions,
        pose: Pose | None,
        instant: EffectTime,
        sight: ViewParameters,
    ) -> None:
        if mesh.particles.crowded:
            mesh.write(pose, look, sight.view, sight.projection)
            mesh.use()
        self._mesh, self._look, self._instant, self._sight = mesh, look, instant, sight
        self._crowds = mesh.particles.members(look, instant, sight.view)

    def draw_solid(self) -> DrawStatistics:
        """What covers: before the mesh, of which something may blend."""
        return self._mesh.particles.draw_solid(self._crowds, self._look, self._instant, self._sight)

    def draw(self) -> DrawStatistics:
        """The rest. The ground comes before, it would else be drawn over what covers without being solid."""
        self._mesh.use()
        drawn = self._mesh.ribbons.draw(self._look, self._instant)
        return drawn + self._mesh.particles.draw(self._crowds, self._look, self._instant, self._sight)
