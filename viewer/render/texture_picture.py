"""Draws a texture, and over it the UV layouts of the geometries that use it."""

from __future__ import annotations

from collections.abc import Iterable

import moderngl
import numpy as np
from msgspec import Struct

from viewer.arrays import Array, Color, Size
from viewer.gpu.drawable import Drawable
from viewer.gpu.pipeline import Pipeline
from viewer.gpu.shader import Composer
from viewer.gpu.target import clear
from viewer.scene.choices import CHANNELS
from viewer.scene.mesh.uv_layout import UvMesh, moved
from viewer.scene.model import Primitive
from viewer.view.framing import bounds_of
from viewer.view.texture_shot import TextureShot, UvLayer
from viewer.view.uv_meshes import WHOLE, Key, UvMeshes, key_of

CRISP = 2.0
"""A texel is drawn as a sharp square if it is at least this many pixels wide."""
SAMPLES = 4
ADDRESS = {"wrap": 0, "mirror": 1, "clamp": 2, "border": 3}
DARK, LIGHT = ((0.09, 0.095, 0.105), (0.82, 0.84, 0.86)), ((0.86, 0.87, 0.89), (0.16, 0.17, 0.19))
"""The colours of the background and of outlines, for the dark and for the light theme."""
MOST_TILES = 16
"""In each direction, at most this number of repetitions of the texture is shown."""
SHADOW: Color = (0.0, 0.0, 0.0, 0.6)
SHIFTS = ((1.0, 0.0), (0.0, 1.0))
"""The offsets in pixels of the dark copies of a line. The copies make the line visible on every texture."""
DENSE, FAINTEST = 5.0, 0.25
"""The mean length of edges in pixels below which lines fade, and their least opacity."""
UNCHOSEN = 0.45
"""The opacity of the layouts of other geometries while a geometry is selected."""
SLACK = 5e-3
"""A layout may extend this far beyond the drawn repetitions of the texture, in texture coordinates, before
another repetition is drawn.
"""


class UvLines(Struct, frozen=True, eq=False):
    """The lines of a UV layout on the GPU. `count` is the number of their indices, `edge` the mean length of
    an edge, `box` [2, 2] the bounds. `edge` and `box` are in the texture coordinates of the mesh, before the
    material moves these coordinates.
    """

    lines: Drawable
    count: int
    edge: float
    box: Array


class TexturePicture:
    """Draws pictures of the textures of one model. It owns the lines of the layouts, which stay on the GPU;
    the programs belong to the composer.
    """

    def __init__(self, composer: Composer, meshes: UvMeshes) -> None:
        self._composer, self._meshes = composer, meshes
        self._plane = Drawable(composer, ("background.vert", "texture.frag"))
        self._layouts: dict[Key, UvLines | None] = {}
        self._blank = composer.ctx.texture((1, 1), 4, bytes((96, 96, 96, 255)))

    def draw(
        self, shot: TextureShot, texture: moderngl.Texture | None, framebuffer: moderngl.Framebuffer
    ) -> None:
        """Draw a shot on a framebuffer of the shot's size. `texture` has the shot's mip level and the smaller
        levels. Without an image, `texture` is None, and a grey texture is drawn.
        """
        clear(framebuffer, shot.size)
        found = [(each, lines) for each in shot.layers if (lines := self._lines(each)) is not None]
        boxes = [_moved_box(lines.box, layer) for layer, lines in found]
        self._draw_plane(framebuffer, shot, texture or self._blank, tiles(boxes))
        for layer, lines in sorted(found, key=lambda each: each[0].chosen):
            self._draw_lines(framebuffer, shot, layer, lines)

    def release(self) -> None:
        """Release all lines, the plane, and the grey texture that stands for a missing image."""
        for lines in self._layouts.values():
            if lines is not None:
                lines.lines.release()
        self._layouts.clear()
        self._plane.release()
        self._blank.release()

    def _draw_plane(
        self, framebuffer: moderngl.Framebuffer, shot: TextureShot, texture: moderngl.Texture, area: Array
    ) -> None:
        backdrop, ink = LIGHT if shot.light else DARK
        wide = 1.0 / max(_texels_per_pixel(shot, texture.size), 1e-9)
        self._plane.program.set(
            size=_floats(shot.size),
            low=shot.low,
            high=shot.high,
            tiles=tuple(area.ravel().tolist()),
            address=tuple(ADDRESS.get(each, 0) for each in shot.address),
            channels=CHANNELS.index(shot.channels),
            crisp=wide >= CRISP,
            lod=float(max(-np.log2(wide), 0.0)),
            backdrop=backdrop,
            ink=ink,
        )
        pipeline = Pipeline(
            self._plane.array,
            framebuffer,
            {"first_picture": texture},
            depth=None,
            depth_write=False,
            cull="none",
        )
        pipeline.draw(Primitive.TRIANGLES, 3)

    def _draw_lines(
        self, framebuffer: moderngl.Framebuffer, shot: TextureShot, layer: UvLayer, lines: UvLines
    ) -> None:
        """Draw the lines of a layer, and below them their dark copies."""
        wide = _pixels(lines.edge, shot, layer) / DENSE
        strength = max(min(wide, 1.0), FAINTEST)
        if not layer.chosen and any(each.chosen for each in shot.layers):
            strength *= UNCHOSEN
        move_u, move_v = layer.moves.tolist()
        shadows = [(SHADOW, shift) for shift in SHIFTS] if wide >= 1.0 else []
        for color, shift in (*shadows, (layer.color, (0.0, 0.0))):
            alpha = color[3] * strength
            lines.lines.program.set(
                size=_floats(shot.size),
                low=shot.low,
                high=shot.high,
                move_u=tuple(move_u),
                move_v=tuple(move_v),
                shift=shift,
                wire_color=(*(part * alpha for part in color[:3]), alpha),
            )
            pipeline = Pipeline(
                lines.lines.array,
                framebuffer,
                blend="premulalpha",
                depth=None,
                depth_write=False,
                cull="none",
            )
            pipeline.draw(Primitive.LINES, lines.count)

    def _lines(self, layer: UvLayer) -> UvLines | None:
        """The lines of a layer, uploaded at the first use; None if it has none."""
        key = key_of(layer)
        if key not in self._layouts:
            mesh = self._meshes.mesh(layer)
            self._layouts[key] = None if mesh is None else self._upload(mesh)
        return self._layouts[key]

    def _upload(self, mesh: UvMesh) -> UvLines:
        ends = mesh.points[mesh.edges]
        lines = Drawable(
            self._composer,
            ("uv_lines.vert", "wire.frag"),
            mesh.points.astype(np.float32),
            ("2f4", "in_uv"),
            indices=mesh.edges,
        )
        edge = float(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1).mean())
        return UvLines(lines, mesh.edges.size, edge, bounds_of(ends.reshape(-1, 2)))


def tiles(boxes: Iterable[Array]) -> Array:
    """[2, 2]: a range of texture coordinates, in whole repetitions of the texture. It contains the layouts,
    whose bounds are `boxes`, each [2, 2]. The range contains the texture itself, 0 to 1.
    """
    whole = np.concatenate([WHOLE, *boxes])
    low, high = bounds_of(whole[np.isfinite(whole).all(axis=1)])
    return np.stack((np.floor(low + SLACK), np.ceil(high - SLACK))).clip(-MOST_TILES, MOST_TILES + 1)


def _moved_box(box: Array, layer: UvLayer) -> Array:
    """Return the corners [4, 2] of a box [2, 2], moved by the matrix by which the layer's material moves
    texture coordinates.
    """
    corners = np.array([(u, v) for u in box[:, 0] for v in box[:, 1]])
    return moved(corners, layer.moves)


def _texels_per_pixel(shot: TextureShot, count: Size) -> float:
    """The number of texels that a pixel of the picture covers, along the axis with more texels per pixel.
    `count` is the size of the texture in texels.
    """
    spans = (abs(high - low) for low, high in zip(shot.low, shot.high, strict=True))
    return max(span * texels / pixels for span, texels, pixels in zip(spans, count, shot.size, strict=True))


def _pixels(length: float, shot: TextureShot, layer: UvLayer) -> float:
    """Convert a length in the mesh's texture coordinates, before the layer moves them, to pixels."""
    scale = float(np.abs(layer.moves[:, :2]).max())
    return length * scale * shot.size[0] / max(abs(shot.high[0] - shot.low[0]), 1e-9)


def _floats(size: Size) -> tuple[float, float]:
    return float(size[0]), float(size[1])
