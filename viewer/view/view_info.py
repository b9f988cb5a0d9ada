"""Facts about the drawn picture for the panels: items under the pointer, and positions of items in the
picture.

Positions are fractions of the picture's width and height, from its upper left corner.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import numpy as np
from msgspec import Struct, field

from viewer.arrays import Array
from viewer.scene.items import EffectItem, Item
from viewer.scene.material import Image
from viewer.scene.mesh.surface_points import SurfacePoint
from viewer.scene.reading_context import ReadingContext
from viewer.view.item_points import Marker
from viewer.view.texture_shot import TextureShot, UvLayer

PicturePosition = tuple[float, float]


class PickResult(Struct, frozen=True):
    """The items at `position` in the picture; a click selects the first item. `point` is the point of the
    surface or particle in viewer space. `surface` is the point of the mesh of the document in view. `corner`
    is the nearest corner of the triangle at this point, if the pointer is close to the corner.
    """

    position: PicturePosition
    items: tuple[Item, ...] = ()
    point: tuple[float, float, float] | None = None
    surface: SurfacePoint | None = None
    corner: SurfacePoint | None = None


class GizmoAxis(Struct, frozen=True):
    """An end of the axes gizmo. `radius` is a fraction of the picture's height; `view` is the named view that
    a click selects.
    """

    position: PicturePosition
    radius: float
    view: str


class PanelPicture(Struct, frozen=True):
    """A picture for panels: `glo` is the GL name of a texture of `size` (width, height), first row on top.
    `levels` are the sizes of the mip levels in the file; `encoding` is the stored pixel format.
    """

    glo: int
    size: tuple[int, int]
    levels: tuple[tuple[int, int], ...] = ()
    encoding: str = ""


Preview = PanelPicture | str
"""The thumbnail of a file. If there is no thumbnail, it is a text with the reason; the text is empty while
the thumbnail is being made.
"""


class PanelPictures(Protocol):
    """The pictures of the document in view; textures have the numbers of `scene.model.pictured`."""

    def small(self, number: int) -> PanelPicture:
        """The thumbnail of a texture."""

    def view(self, place: str, shot: TextureShot) -> PanelPicture:
        """The picture of a shot, bottom row first. The picture has no levels if the texture has no image.
        `place` names the widget that shows the picture; each widget has one picture.
        """

    def image(self, number: int) -> Image | None:
        """The decoded image of a texture; None if it has none."""

    def bounds(self, layers: Iterable[UvLayer]) -> Array | None:
        """The box [2, 2] around a texture and the layers; None if there is nothing to draw in the layers."""

    def points(
        self, layers: Iterable[UvLayer], uv: tuple[float, float], repeats: bool
    ) -> tuple[SurfacePoint, ...]:
        """The points of the mesh at which the layers show the point `uv` of a texture. With `repeats`, the
        texture repeats.
        """

    def preview(self, path: str, context: ReadingContext) -> Preview:
        """The thumbnail of an image file, which is made in the background."""


class LiveEffect(Struct, frozen=True, eq=False):
    """The live particles or edges of an emitter or ribbon in a picture.

    `rows` [N] are the live particles in the order of their births, or the edges from the bone backwards. The
    rows have the fields that the verb `bake` writes. `cost` is in milliseconds.
    """

    item: EffectItem
    rows: Array
    cost: float


class ShownDistance(Struct, frozen=True, eq=False):
    """A measured distance: `ends` [2, 3] as `ViewInfo.joints`, and its text."""

    ends: Array
    text: str


class ViewInfo(Struct, frozen=True, eq=False):
    """Facts about one picture. `size` is its width and height in pixels. `joints` [B, 3] are the positions of
    the bones in the picture, and their depths 0..1; NaN for bones behind the camera. `levels` is the drawn
    level of each geometry, chosen for `distance` in the unit of `Lod.distance`. `gallery` has the pictures of
    the model's textures; `live` describes the selected emitter or ribbon. `markers` are the visible markers,
    and `marker_positions` [S, 3] their positions, as in `joints`. `differing` is the share 0..1 of pixels
    that differ between compared models (None: unknown). `distances` are the measured distances.
    """

    size: tuple[int, int] = (0, 0)
    triangles: int = 0
    draws: int = 0
    joints: Array = field(default_factory=lambda: np.empty((0, 3)))
    gizmo_axes: tuple[GizmoAxis, ...] = ()
    levels: tuple[int, ...] = ()
    distance: float | None = None
    gallery: PanelPictures | None = None
    live: LiveEffect | None = None
    markers: tuple[Marker, ...] = ()
    marker_positions: Array = field(default_factory=lambda: np.empty((0, 3)))
    differing: float | None = None
    distances: tuple[ShownDistance, ...] = ()
