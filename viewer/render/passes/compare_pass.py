"""Draws several models into one picture: side by side, with a slider between two, or as difference.

Side by side, the models can show the distances between their vertices in colours, or their bones the
differences of the poses.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import moderngl
import numpy as np
from msgspec.structs import replace

from viewer.arrays import Array, Color, Size
from viewer.gpu.drawable import Drawable
from viewer.gpu.pipeline import Pipeline
from viewer.gpu.target import RenderTarget, clear
from viewer.render.frame import Frame
from viewer.render.mesh.mesh_resources import MeshResources
from viewer.render.overlays.segments import ACCENT
from viewer.render.renderer import Renderer
from viewer.render.statistics import DrawStatistics
from viewer.scene.choices import CompareMode, Shading
from viewer.scene.comparison import Comparison, Pane, panes
from viewer.scene.display import DisplayOptions
from viewer.scene.model import Primitive

if TYPE_CHECKING:
    from viewer.animation.motion.clip_difference import ClipDifference
    from viewer.scene.vertex_distances import VertexDistances

DIVIDERS: tuple[Color, Color] = ((0.36, 0.385, 0.43, 1.0), (0.60, 0.625, 0.66, 1.0))
"""Colours between the panes: in the dark theme, in the light theme."""
LINE = 1.5
"""Thickness of the slider's line in points."""
BRIGHT = 1.5
"""A background counts as bright if the sum of its red, green and blue is larger than this."""
NOTHING = 2
"""Largest difference of a channel (0..255) that counts as rounding, as in `compare.frag`."""
COPY, SLIDER, DIFFERENCE = range(3)


Shown = tuple[MeshResources | None, Frame]
"""A compared model and its frame. The model is None if it is not loaded."""


class ComparePass:
    """Draws models into one picture. Owns the picture's render target and one target per model."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer
        self._whole = Drawable(renderer.composer, ("outline.vert", "compare.frag"))
        self._targets: list[RenderTarget] = []
        self._picture: RenderTarget | None = None
        self._made_for: tuple[object, ...] = ()
        self._channels = 3
        self.statistics: list[DrawStatistics] = []

    def draw(
        self,
        shown: Sequence[Shown],
        comparison: Comparison,
        size: Size,
        samples: int = 0,
        distances: VertexDistances | None = None,
        motion: ClipDifference | None = None,
    ) -> RenderTarget:
        """Draw the models into a picture of `size` (width, height), each with `samples` per pixel.

        The returned target is valid until the next call. `statistics` then holds the statistics of each
        model. `distances` are the vertex distances of two models for `CompareMode.DISTANCE`; None if they are
        not computed yet. `motion` is the difference of the clips of two models for `CompareMode.MOTION`.
        """
        if comparison.mode is CompareMode.DISTANCE:
            shown = _measured(shown, distances)
        if comparison.mode is CompareMode.MOTION:
            shown = _moved(shown, motion, comparison.by_distance)
        found = panes(comparison, len(shown), size[0])
        sizes = [(pane.width, size[1]) for pane in found]
        picture = self._fitting(sizes, size, samples)
        self.statistics = [
            self._renderer.draw(mesh, frame, target.framebuffer)
            for (mesh, frame), target in zip(shown, self._targets, strict=True)
        ]
        textures = [target.resolve() for target in self._targets]
        frame = shown[0][1]
        light = _is_light(frame.options)
        self._channels = 4 if frame.options.translucent else 3
        clear(picture.framebuffer, size, DIVIDERS[int(light)])
        if comparison.side_by_side:
            for texture, pane in zip(textures, found, strict=True):
                self._copy(picture, texture, pane)
        else:
            slider = comparison.mode is CompareMode.SLIDER
            self._whole.program.set(
                mode=SLIDER if slider else DIFFERENCE,
                split=float(found[1].start),
                thickness=LINE * frame.density,
                edge=ACCENT,
                paper=float(light),
                opaque=not frame.options.translucent,
            )
            self._fill(picture, textures[0], textures[1])
        return picture

    def differing(self) -> float:
        """Return the share 0..1 of pixels that differ between the first two models of the last picture."""
        first, second = (target.read()[..., : self._channels] for target in self._targets[:2])
        return share_of_difference(first, second)

    def release(self) -> None:
        """Release the targets and the vertex array."""
        self._drop()
        self._whole.release()

    def _copy(self, picture: RenderTarget, texture: moderngl.Texture, pane: Pane) -> None:
        self._whole.program.set(mode=COPY, left=pane.left)
        picture.framebuffer.viewport = (pane.left, 0, pane.width, picture.size[1])
        self._fill(picture, texture, texture)

    def _fill(self, picture: RenderTarget, first: moderngl.Texture, second: moderngl.Texture) -> None:
        bindings = {"first_picture": first, "second_picture": second}
        pipeline = Pipeline(
            self._whole.array, picture.framebuffer, bindings, depth=None, depth_write=False, cull="none"
        )
        pipeline.draw(Primitive.TRIANGLES, 3)

    def _fitting(self, sizes: list[Size], size: Size, samples: int) -> RenderTarget:
        if self._picture is None or self._made_for != (sizes, size, samples):
            self._drop()
            for each in sizes:
                self._targets.append(RenderTarget(self._renderer.ctx, each, samples))
            self._picture = RenderTarget(self._renderer.ctx, size)
            self._made_for = (sizes, size, samples)
        return self._picture

    def _drop(self) -> None:
        for target in (*self._targets, *([self._picture] if self._picture else [])):
            target.release()
        self._targets, self._picture = [], None


def _measured(shown: Sequence[Shown], distances: VertexDistances | None) -> list[Shown]:
    """Upload the distances and choose the shading that shows them."""
    for number, (mesh, _) in enumerate(shown):
        if mesh is not None:
            mesh.distances.show(distances.models[number].shares if distances and number < 2 else ())
    return [
        (mesh, replace(frame, options=replace(frame.options, shading=Shading.DISTANCE)))
        for mesh, frame in shown
    ]


def _moved(shown: Sequence[Shown], motion: ClipDifference | None, by_distance: bool) -> Sequence[Shown]:
    """Draw the bones of two models in the colours of their differences."""
    poses = [frame.pose for _, frame in shown]
    if motion is None or len(poses) != 2 or poses[0] is None or poses[1] is None:
        return shown
    found = motion.shares(poses[0], poses[1], by_distance)
    return [
        (mesh, replace(frame, bone_shares=shares)) for (mesh, frame), shares in zip(shown, found, strict=True)
    ]


def _is_light(options: DisplayOptions) -> bool:
    """Return whether the background is bright. This decides the colour of lines on the background."""
    background = options.background
    if background is None:
        return options.light_theme and options.shading is not Shading.SILHOUETTE
    return background[3] > 0 and sum(background[:3]) > BRIGHT


def share_of_difference(first: Array, second: Array) -> float:
    """Return the share 0..1 of pixels with a channel that differs by more than rounding.

    The pictures are [height, width, channels] u8.
    """
    away = np.abs(first.astype(np.int16) - second)
    return float((away > NOTHING).any(axis=-1).mean())
