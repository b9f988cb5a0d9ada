"""Draws the pictures of a comparison: several models seen by one camera at one time."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from contextlib import closing

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from viewer.arrays import Array, Size
from viewer.export.picture.frames import FrameShot, finished, frame_at
from viewer.render.mesh.mesh_resources import MeshResources
from viewer.render.passes.compare_pass import ComparePass
from viewer.render.renderer import Renderer
from viewer.scene.camera import seen_by
from viewer.scene.choices import CompareMode
from viewer.scene.comparison import Comparison
from viewer.scene.vertex_distances import VertexDistances
from viewer.view.view_snapshot import ViewSnapshot


class ComparedPicture(Struct, frozen=True, eq=False):
    """A picture of a comparison: `pixels` [height, width, 4] u8 as from `frames.pictures`.

    `differing` is the share 0..1 of pixels that differ between the models; None unless the mode shows
    differences.
    """

    pixels: Array
    differing: float | None = None


def compared(
    renderer: Renderer,
    meshes: Sequence[MeshResources | None],
    views: Sequence[ViewSnapshot],
    shots: Iterable[FrameShot],
    bounds: Array | None,
    size: Size,
    comparison: Comparison,
    distances: VertexDistances | None = None,
) -> Generator[ComparedPicture, None, None]:
    """Yield the picture of each shot of these models, drawn on request.

    The cameras of the shots belong to the first model. `bounds` [2, 3] is the box around all models.
    `distances` are the vertex distances between two models for `CompareMode.DISTANCE`. The render targets are
    released when the iterator ends or is closed.
    """
    compare_pass, options = ComparePass(renderer), views[0].options
    placed = [view.display.to_world(view.model) if view.model else np.eye(4) for view in views]
    try:
        for shot in shots:
            shown = [
                (
                    mesh,
                    frame_at(view, replace(shot, camera=seen_by(shot.camera, placed[0], to_world)), bounds),
                )
                for mesh, view, to_world in zip(meshes, views, placed, strict=True)
            ]
            target = compare_pass.draw(shown, comparison, size, options.samples, distances)
            differs = comparison.mode is CompareMode.DIFFERENCE
            share = compare_pass.differing() if differs else None
            yield ComparedPicture(finished(options, target), share)
    finally:
        compare_pass.release()


def pixels_of(pictures: Generator[ComparedPicture, None, None]) -> Generator[Array, None, None]:
    """Yield the pixels of `pictures`, which is closed at the end."""
    with closing(pictures):
        for each in pictures:
            yield each.pixels
