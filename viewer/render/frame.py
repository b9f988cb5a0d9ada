"""The input of a picture."""

from __future__ import annotations

from msgspec import Struct, field

from viewer.animation.pose import Layer, Pose
from viewer.arrays import Array
from viewer.render.view_parameters import EffectTime
from viewer.scene.camera import MatrixCamera, Orbit
from viewer.scene.display import DisplayOptions, ModelDisplay
from viewer.scene.items import Item
from viewer.scene.material import ClipTime
from viewer.scene.model import Model
from viewer.view.camera import Matrices
from viewer.view.selection import Selection


class Frame(Struct, frozen=True, eq=False):
    """The input of a picture: a pose (None: the rest pose), the display options, the display of
    the model, a camera.

    `extent` [2, 3] is the box in viewer space around the model, for the grid and the clipping planes; None:
    the box of the model at rest. `selection` is highlighted if it is given; `matrices` are the matrices of
    the camera if they are already known. `density`: pixels per point, for lines and dots. `time` in seconds
    (never wrapped) moves textures; animated materials follow `playing`, particles follow all `layers` (if
    empty: `playing`).
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

    @property
    def clip_time(self) -> ClipTime:
        """The time of the materials."""
        return self.layers[0].clip_time(self.time) if self.layers else ClipTime(self.time)

    def effect_time(self, view: Array) -> EffectTime:
        """The time of particles and ribbons, seen along `view` [4, 4]."""
        layers = self.layers or ((self.playing,) if self.playing else ())
        time = layers[0].time if layers else self.time
        return EffectTime(time, layers, self.pose, view[:3, :3])

    def stated(self, model: Model) -> Array | None:
        """[2, 3]: the file's box of the playing animation, else of the model."""
        own = self.playing.animation.bounds if self.playing else None
        return model.bounds if own is None else own

    def points_at(self, kind: type[Item]) -> tuple[int | None, int | None]:
        """The numbers of the selected and the hovered item; None for an item of another kind."""
        if self.selection is None:
            return None, None
        picked, hover = self.selection.picked, self.selection.hover
        return _number(picked, kind), _number(hover, kind)


def _number(item: Item | None, kind: type[Item]) -> int | None:
    return item.number if isinstance(item, kind) else None
