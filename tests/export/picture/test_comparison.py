"""The pictures of two posts at the same moments."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tests.synthetic import write_pair
from viewer.export.picture import frames
from viewer.export.picture.comparison import compared
from viewer.export.picture.frames import FrameShot
from viewer.formats import open_document
from viewer.render.renderer import Renderer
from viewer.scene.camera import Orbit
from viewer.scene.choices import CompareMode
from viewer.scene.comparison import Comparison
from viewer.session.state import State

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
