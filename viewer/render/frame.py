"""A frame: the input from which the renderer draws one picture, and by which the window knows its picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import moderngl
import numpy as np
from msgspec import Struct, field
from msgspec.structs import astuple, replace

from viewer.animation.pose import Layer, Pose
from viewer.arrays import Array, Size
from viewer.render.mesh.lights import FrameLights
from viewer.render.view_parameters import EffectTime, ViewParameters
from viewer.scene.camera import MatrixCamera, Orbit
from viewer.scene.display import DisplayOptions, ModelDisplay
from viewer.scene.items import Item
from viewer.scene.material import ClipTime
from viewer.scene.mesh.surface_points import SurfaceMarks
from viewer.scene.model import NO_MODEL, Model
from viewer.view.camera import Matrices, matrices
from viewer.view.selection import Selection
from viewer.view.view_snapshot import ViewSnapshot

if TYPE_CHECKING:
    from viewer.view.motion_marks import Ghost, Trail


class Frame(Struct, frozen=True, eq=False):
    """A frame to draw: a model in a pose, seen by a camera at a time. `frame_of` makes it.

    If `pose` is None, the rest pose is drawn. `matrices` are the matrices of the camera for a picture of
    `size` (width, height) pixels. `extent` [2, 3] is the box around the model in viewer space, used by the
    grid and the clipping planes. `time` is in seconds and never wrapped; it animates textures. Animated
    materials follow the first of the `layers`; particles follow all of them. `selection` is highlighted, and
    `marks` are points and lines on the surface. `ghosts` are poses at other times, and `trails` paths of
    bones. `density` is pixels per point, for lines and dots. With `bone_shares` [B], all bones are drawn, in
    the colours of `share_colors`.
    """

    model: Model
    pose: Pose | None
    options: DisplayOptions
    display: ModelDisplay
    matrices: Matrices
    size: Size
    extent: Array
    time: float = 0.0
    layers: tuple[Layer, ...] = ()
    selection: Selection | None = None
    marks: SurfaceMarks = field(default_factory=SurfaceMarks)
    density: float = 1.0
    ghosts: tuple[Ghost, ...] = ()
    trails: tuple[Trail, ...] = ()
    bone_shares: Array | None = None

    @property
    def playing(self) -> Layer | None:
        """The first layer; None in the rest pose."""
        return self.layers[0] if self.layers else None

    @property
    def clip_time(self) -> ClipTime:
        """Clip time at which the materials are drawn."""
        return self.layers[0].clip_time(self.time) if self.layers else ClipTime(self.time)

    @property
    def effect_time(self) -> EffectTime:
        """The time of particles and ribbons."""
        time = self.layers[0].time if self.layers else self.time
        return EffectTime(
            time, self.layers, self.pose, self.matrices.towards_viewer[0][:3, :3], self.display.effects
        )

    def parameters(
        self, framebuffer: moderngl.Framebuffer, view: Array, projection: Array, lights: FrameLights
    ) -> ViewParameters:
        """The view of this frame's effects on a framebuffer, with matrices of `Matrices.towards_viewer`."""
        return ViewParameters(
            framebuffer,
            view,
            projection,
            self.matrices.front_face,
            lights,
            self.matrices.to_world,
            self.options,
            self.effect_time,
        )

    @property
    def stated(self) -> Array | None:
        """The bounds [2, 3] that the file states for the playing animation; if it states none, the bounds of
        the model.
        """
        own = self.layers[0].animation.bounds if self.layers else None
        return self.model.bounds if own is None else own

    def held(self) -> Frame:
        """A copy that later changes of the options and of the display do not affect."""
        return replace(self, options=replace(self.options), display=self.display.copied())

    def draws_as(self, held: Frame) -> bool:
        """Whether this frame and an earlier one that was `held` give the same picture of the same mesh."""
        return (
            len(self.layers) == len(held.layers)
            and all(map(_alike, self.layers, held.layers))
            and _alike(self.display.copied(), held.display)
            and _alike(*(replace(each, layers=(), display=NO_DISPLAY) for each in (self, held)))
        )

    def points_at(self, kind: type[Item]) -> tuple[int | None, int | None]:
        """Return the numbers of the selected and the hovered item. A number is None if the item is not of
        this `kind`.
        """
        if self.selection is None:
            return None, None
        picked, hover = self.selection.picked, self.selection.hover
        return _number(picked, kind), _number(hover, kind)


NO_DISPLAY = ModelDisplay()


def _alike(one: Struct, other: Struct) -> bool:
    """Whether all fields of two structs are equal, or for arrays and parts of models the same objects."""
    pairs = zip(astuple(one), astuple(other), strict=True)
    return all(a is b or (not isinstance(a, np.ndarray) and bool(a == b)) for a, b in pairs)


def frame_of(
    view: ViewSnapshot,
    time: float,
    size: Size,
    extent: Array,
    camera: Orbit | MatrixCamera | None = None,
    seen: Matrices | None = None,
    selection: Selection | None = None,
    marks: SurfaceMarks | None = None,
    density: float = 1.0,
) -> Frame:
    """Make the frame of a view at `time` seconds of its clock, for a picture of `size` pixels.

    `camera` is the camera of the picture; None for the camera of the view. `seen` are its matrices, if they
    are known. The camera does not clip the box `extent`. See `Frame` for the other arguments.
    """
    model, camera = view.model or NO_MODEL, camera or view.camera
    motion = None
    if view.options.ghosts or view.display.trails:
        # Imported late, because few frames have ghosts or trails.
        from viewer.view.motion_marks import motion_marks

        motion = motion_marks(view.last_pose)
    options = replace(view.options, light_theme=True) if view.display.on_light else view.options
    return Frame(
        model,
        view.pose(time, camera),
        options,
        view.display,
        seen or matrices(camera, view.display.to_world(model), size, extent),
        size,
        extent,
        time,
        view.playback.layers(time),
        selection,
        marks or SurfaceMarks(),
        density,
        motion.ghosts(view, time) if motion else (),
        motion.trails(view) if motion else (),
    )


def _number(item: Item | None, kind: type[Item]) -> int | None:
    return item.number if isinstance(item, kind) else None
