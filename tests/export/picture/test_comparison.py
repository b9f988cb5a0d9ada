"""The pictures of two posts at the same moments."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tests.synthetic import write_pair
from viewer.arrays import Array
from viewer.export.picture import frames
from viewer.export.picture.comparison import compared
from viewer.export.picture.frames import FrameShot
from viewer.render.renderer import Renderer
from viewer.scene.camera import MatrixCamera, Orbit
from viewer.scene.choices import CompareMode
from viewer.scene.comparison import Comparison
from viewer.session.state import State
from viewer.storage.documents import open_document
from viewer.view.camera import matrices

SIZE = (48, 32)


def test_models_are_compared_at_each_moment_and_nothing_is_left(tmp_path: Path, ctx: Any) -> None:
    """The second post does not bend: they differ where the first has moved."""
    document = open_document(str(write_pair(tmp_path)))
    states = [State(), State()]
    for state in states:
        state.put(document)
    states[0].playback.choose(states[0].playback.animations[0])
    renderer = Renderer(ctx)
    assert document.model is not None
    meshes = [renderer.upload(document.model) for _ in states]
    views = [state.snapshot() for state in states]
    bounds = frames.extent(views, [0.0, 0.5])
    camera = frames.fitted(views, [0.0, 0.5], [Orbit()] * 2, SIZE)[0]
    shots = [FrameShot(0.0, camera), FrameShot(0.5, camera)]
    made = compared(renderer, meshes, views, shots, bounds, SIZE, Comparison(CompareMode.DIFFERENCE))
    at_rest, bent = made
    assert at_rest.pixels.shape == (32, 48, 4)
    assert at_rest.differing == 0.0 and bent.differing is not None and bent.differing > 0.005
    (side,) = compared(renderer, meshes, views, shots[:1], bounds, SIZE, Comparison(CompareMode.SIDE))
    assert side.differing is None and np.array_equal(side.pixels[:, :23], side.pixels[:, 25:])
    cut_short = compared(renderer, meshes, views, shots, bounds, SIZE, Comparison(CompareMode.SLIDER))
    next(cut_short)
    cut_short.close()
    for mesh in meshes:
        mesh.release()
    renderer.release()


def test_the_options_of_the_first_model_are_those_of_the_picture(tmp_path: Path, ctx: Any) -> None:
    pixels = pictures(tmp_path, ctx, [(1.0, 0.0, 0.0, 0.5), (0.0, 0.0, 0.0, 1.0)])
    assert np.abs(pixels[0, 0].astype(int) - (255, 0, 0, 128)).max() <= 2, "the alpha is straight"


def test_the_pane_of_a_document_without_a_model_is_empty(tmp_path: Path, ctx: Any) -> None:
    black = (0.0, 0.0, 0.0, 1.0)
    for stated in (False, True):
        pixels = pictures(tmp_path, ctx, [black, black], models=1, stated=stated)[..., :3]
        assert pixels[:, :23].any() and not pixels[:, 25:].any()


def pictures(
    tmp_path: Path, ctx: Any, backgrounds: list[Any], models: int = 2, stated: bool = False
) -> Array:
    """Two posts side by side, or one beside a document without a model, on these backgrounds; seen by an
    orbit or by a stated matrix.
    """
    document = open_document(str(write_pair(tmp_path)))
    states = [State(), State()]
    for number, (state, background) in enumerate(zip(states, backgrounds, strict=True)):
        if number < models:
            state.put(document)
        state.options.background, state.options.grid = background, False
    renderer = Renderer(ctx)
    assert document.model is not None
    meshes = [renderer.upload(document.model) if number < models else None for number in range(2)]
    views = [state.snapshot() for state in states]
    camera = frames.fitted(views[:1], [0.0], [Orbit()], SIZE)[0]
    if stated:
        seen = matrices(camera, document.model.to_world, SIZE, frames.extent(views[:1], [0.0]))
        camera = MatrixCamera(seen.view[:3], seen.projection)
    shots, comparison = [FrameShot(0.0, camera)], Comparison(CompareMode.SIDE)
    (made,) = compared(renderer, meshes, views, shots, None, SIZE, comparison)
    for mesh in meshes:
        if mesh is not None:
            mesh.release()
    renderer.release()
    return made.pixels
