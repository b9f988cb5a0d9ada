"""What a picture of a texture shows: the part of the texture, the channels, and the layouts over it."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from msgspec import Struct

from viewer.arrays import Array, Color, Size
from viewer.scene.material import AT_FIRST, ClipTime, Material
from viewer.scene.mesh.uv_layout import TextureUse, uv_matrix
from viewer.scene.model import Model

WRAP = ("wrap", "wrap")
CHOSEN: Color = (1.0, 0.62, 0.20, 1.0)
"""The colour of the layout of the selected geometry."""
FIRST_HUE = 0.5
"""The hue of the first geometry, 0 to 1: cyan, which few textures have."""
WITHOUT = Material("")
GOLDEN = 0.618034
"""The step of the hue from one geometry to the next. This step makes the hues of neighbours different."""


class UvLayer(Struct, frozen=True):
    """The layout of one use of a texture at level `level` of its geometry.

    `matrix` are the six numbers (row-major) of the matrix [2, 3] that moves its texture coordinates. A
    `chosen` layer is drawn last and brighter.
    """

    use: TextureUse
    level: int
    matrix: tuple[float, ...]
    color: Color
    chosen: bool = False

    @property
    def moves(self) -> Array:
        """[2, 3]: the matrix that moves the texture coordinates."""
        return np.array(self.matrix).reshape(2, 3)


class TextureShot(Struct, frozen=True):
    """A picture of `size` pixels that shows a texture between the texture coordinates `low` (upper left
    corner) and `high`.

    `number` is the number of the texture, `level` the mip level. `address` are the texture's address modes.
    Pixels of the texture are sharp if they are at least `CRISP` pixels wide.
    """

    number: int
    level: int
    channels: str
    size: Size
    low: tuple[float, float]
    high: tuple[float, float]
    layers: tuple[UvLayer, ...] = ()
    address: tuple[str, str] = WRAP
    light: bool = False


def whole_shot(
    number: int,
    level: int,
    channels: str,
    size: Size,
    layers: tuple[UvLayer, ...] = (),
    texels: Size | None = None,
) -> TextureShot:
    """Make the shot of a whole texture in the middle of a picture of `size` pixels.

    `texels` is the size of the texture; its proportions stay. Without `texels` the texture has the
    proportions of the picture.
    """
    wide, high = (1.0, 1.0) if texels is None else (size[0] / texels[0], size[1] / texels[1])
    least = min(wide, high)
    half = wide / least / 2, high / least / 2
    low, end = (0.5 - half[0], 0.5 - half[1]), (0.5 + half[0], 0.5 + half[1])
    return TextureShot(number, level, channels, size, low, end, layers)


def geometry_color(number: int) -> Color:
    """Return the colour of the layout of a geometry: a soft colour whose hue depends on the geometry's
    number.
    """
    hue = (number * GOLDEN + FIRST_HUE) % 1.0 * 6.0
    red, green, blue = (
        1.0 - 0.55 * min(max(2.0 - abs((hue - shift) % 6.0 - 3.0), 0.0), 1.0) for shift in (0.0, 2.0, 4.0)
    )
    return red, green, blue, 1.0


def uv_layers(
    model: Model,
    uses: Iterable[TextureUse],
    lod: int,
    clip_time: ClipTime = AT_FIRST,
    geometries: frozenset[int] = frozenset(),
) -> tuple[UvLayer, ...]:
    """Make the layers of these uses at the level of detail `lod`, or else at the coarsest level. `geometries`
    are the numbers of the selected geometries.
    """
    layers = []
    for use in uses:
        levels = len(model.geometries[use.geometry].lods)
        if not levels:
            continue
        material = WITHOUT if use.material is None else model.materials[use.material]
        matrix = uv_matrix(material, use.unit, clip_time)
        own = use.geometry in geometries
        color = CHOSEN if own else geometry_color(use.geometry)
        layers.append(UvLayer(use, min(lod, levels - 1), tuple(matrix.ravel().tolist()), color, own))
    return tuple(layers)
