"""A frame: the input from which the renderer draws one picture."""

from __future__ import annotations

from msgspec import Struct, field

from viewer.animation.pose import Layer, Pose
from viewer.arrays import Array
from viewer.render.view_parameters import EffectTime
from viewer.scene.camera import MatrixCamera, Orbit
from viewer.scene.display import DisplayOptions, ModelDisplay
from viewer.scene.items import Item
from viewer.scene.material import ClipTime
from viewer.scene.mesh.surface_points import SurfaceMarks
from viewer.scene.model import Model
from viewer.view.camera import Matrices
from viewer.view.selection import Selection


class Frame(Struct, frozen=True, eq=False):
    """A frame to draw: pose, display options, camera and time.

    If `pose` is None, the rest pose is drawn. `extent` [2, 3] is the box around the model in viewer space,
    used by the grid and the clipping planes; None uses the box of the model at rest. `selection` is
    highlighted. `matrices` are the matrices of `camera`, or None if the caller has not computed them.
    `density` is pixels per point, for lines and dots. `time` is in seconds and never wrapped; it animates
    textures. Animated materials follow the clip `playing`; particles follow all `layers`, or `playing` if
    `layers` is empty. `marks` are points and lines on the surface.
    """

    pose: Pose | None
    options: DisplayOptions
    camera: Orbit | MatrixCamera
    extent: Array | None = None
    selection: Selection | None = None
    matrices: Matrices | None = None
    density: float = 1.0
    time: float = 0.0
    playing: Layer | None = None
    layers: tuple[Layer, ...] = ()
    display: ModelDisplay = field(default_factory=ModelDisplay)
    marks: SurfaceMarks = field(default_factory=SurfaceMarks)

    @property
    def clip_time(self) -> ClipTime:
        """Clip time at which the materials are drawn."""
        return self.layers[0].clip_time(self.time) if self.layers else ClipTime(self.time)

    def effect_time(self, view: Array) -> EffectTime:
        """Return the time of particles and ribbons for a camera with the matrix `view` [4, 4]."""
        layers = self.layers or ((self.playing,) if self.playing else ())
        time = layers[0].time if layers else self.time
        return EffectTime(time, layers, self.pose, view[:3, :3])

    def stated(self, model: Model) -> Array | None:
        """Return the bounds [2, 3] that the file states for the playing animation; if it states none, the
        bounds of the model.
        """
        own = self.playing.animation.bounds if self.playing else None
        return model.bounds if own is None else own

    def points_at(self, kind: type[Item]) -> tuple[int | None, int | None]:
        """Return the numbers of the selected and the hovered item. A number is None if the item is not of
        this `kind`.
        """
        if self.selection is None:
            return None, None
        picked, hover = self.selection.picked, self.selection.hover
        return _number(picked, kind), _number(hover, kind)


def _number(item: Item | None, kind: type[Item]) -> int | None:
    return item.number if isinstance(item, kind) else None
