"""Draws the figure of a person beside the model."""

from __future__ import annotations

import moderngl
import numpy as np

from viewer.arrays import Color
from viewer.gpu.drawable import Drawable
from viewer.gpu.pipeline import Pipeline
from viewer.gpu.shader import Composer
from viewer.render.frame import Frame
from viewer.scene.model import Primitive
from viewer.view.figure import figure_beside, figure_triangles

INK: Color = (0.50, 0.60, 0.70, 1.0)


class FigureOverlay:
    """Draws the figure. Owns its vertices and vertex array; the program belongs to the composer."""

    def __init__(self, composer: Composer) -> None:
        self._figure = Drawable(composer, ("figure.vert", "wire.frag"), figure_triangles(), ("2f4", "in_at"))

    def draw(self, frame: Frame, framebuffer: moderngl.Framebuffer) -> None:
        """Draw the figure with the depth test on."""
        figure, matrices = figure_beside(frame.model, frame.display.placement), frame.matrices
        right = matrices.world_view[0, :3] * (1, 0, 1)
        length = float(np.linalg.norm(right))
        right = right / length if length > 1e-6 else np.array((1.0, 0.0, 0.0))
        self._figure.program.set(
            world_clip=matrices.world_clip,
            place=figure.place,
            right=tuple((right * figure.height).tolist()),
            wire_color=INK,
        )
        Pipeline(self._figure.array, framebuffer, cull="none").draw(Primitive.TRIANGLES)

    def release(self) -> None:
        """Release the vertices and the vertex array."""
        self._figure.release()
