from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from PIL import Image as Picture

from tests.frames import frame_for
from tests.synthetic import QUAD, model_of, vertex_buffer
from viewer.animation.pose import Layer, Pose, pose
from viewer.gpu.target import RenderTarget
from viewer.render.renderer import Renderer
from viewer.scene.animation import Animation
from viewer.scene.camera import MatrixCamera, Orbit
from viewer.scene.choices import Shading
from viewer.scene.display import DisplayOptions, ModelDisplay
from viewer.scene.model import Model
from viewer.storage.documents import open_document

FRONT = Orbit(yaw=0.0, pitch=0.0, distance=8.0)
SILHOUETTES = {
    "sil_jack_walk_0.5": ("Data/Models/Jack.mdl", "Data/Models/Jack_Walk.ani", 0.5),
    "sil_ninja_walk_0.4": (
        "Data/Models/NinjaSnowWar/Ninja.mdl",
        "Data/Models/NinjaSnowWar/Ninja_Walk.ani",
        0.4,
    ),
    "sil_bones200_0.35": ("made-by-engine/bones200_mapped3.mdl", "made-by-engine/bones200_wave.ani", 0.35),
    "sil_morph_wave1": ("made-by-engine/morphs4_2buffers.mdl", "", 0.0),
}


def draw(
    renderer: Renderer,
    model: Model | None,
    options: DisplayOptions,
    camera: Any = FRONT,
    size: tuple[int, int] = (32, 32),
    pose: Pose | None = None,
    display: ModelDisplay | None = None,
) -> np.ndarray:
    target = RenderTarget(renderer.ctx, size, options.samples)
    mesh = None if model is None else renderer.upload(model)
    frame = frame_for(model, size, pose, options, camera, display=display)
    renderer.draw(mesh, frame, target.framebuffer)
    pixels = target.read()
    target.release()
    if mesh is not None:
        mesh.release()
    return pixels


def test_the_default_background_is_a_dark_gradient(renderer: Renderer) -> None:
    pixels = draw(renderer, None, DisplayOptions()).astype(int)
    assert pixels[0, 0, :3].sum() > pixels[-1, 0, :3].sum() > 0
    assert (pixels[..., 3] == 255).all() and pixels[..., :3].max() < 110


def test_a_background_colour_fills_the_picture(renderer: Renderer) -> None:
    display_options = DisplayOptions(background=(1.0, 0.5, 0.0, 1.0))
    assert (draw(renderer, None, display_options) == (255, 128, 0, 255)).all()


def test_a_transparent_background_has_no_colour(renderer: Renderer) -> None:
    display_options = DisplayOptions(background=(1.0, 1.0, 1.0, 0.0), grid=False, axes=False)
    pixels = draw(renderer, model_of(vertex_buffer(position=QUAD)), display_options)
    assert not pixels[0, 0].any() and pixels[16, 16, 3] == 255


def test_the_grid_is_drawn_when_wanted(renderer: Renderer) -> None:
    model = model_of(vertex_buffer(position=QUAD))
    camera = Orbit(distance=8.0, pitch=30.0)
    with_grid, without = (
        draw(renderer, model, DisplayOptions(grid=on, axes=False), camera) for on in (True, False)
    )
    assert (with_grid != without).any()


def test_statistics_count_triangles_and_draws(renderer: Renderer) -> None:
    target = RenderTarget(renderer.ctx, (8, 8))
    mesh = renderer.upload(model_of(vertex_buffer(position=QUAD)))
    frame = frame_for(mesh, (8, 8), None, DisplayOptions(wireframe=True), FRONT)
    drawn = renderer.draw(mesh, frame, target.framebuffer)
    assert (drawn.triangles, drawn.draws) == (2, 2)
    mesh.release()
    target.release()


def test_passes_do_not_leak_state_into_the_next_frame(renderer: Renderer) -> None:
    model = model_of(vertex_buffer(position=QUAD))
    plain = DisplayOptions(samples=0)
    first = draw(renderer, model, plain)
    draw(renderer, model, DisplayOptions(samples=0, wireframe=True))
    assert (draw(renderer, model, plain) == first).all()


def posed(model: Model, corpus: Any, clip: str, time: float) -> Pose | None:
    if model.skeleton is None or not clip:
        return None
    animation = open_document(corpus / "urho3d" / clip).content
    assert isinstance(animation, Animation)
    return pose(model.skeleton, [Layer(animation, time)])


@pytest.mark.parametrize("name", SILHOUETTES)
def test_silhouettes_are_those_of_the_engine(renderer: Renderer, corpus: Any, oracle: Any, name: str) -> None:
    file, clip, time = SILHOUETTES[name]
    model = open_document(corpus / "urho3d" / file).model
    assert model is not None
    numbers = json.loads((oracle / "urho3d" / "pictures" / f"{name}.json").read_text())
    camera = MatrixCamera(np.array(numbers["view"]).reshape(3, 4), np.array(numbers["gpuProj"]).reshape(4, 4))
    with Picture.open(oracle / "urho3d" / "pictures" / f"{name}.png") as picture:
        engine = np.array(picture.convert("RGB")).min(axis=2) > 250
    display_options = DisplayOptions(shading=Shading.SILHOUETTE, samples=0)
    size = engine.shape[1], engine.shape[0]
    display = ModelDisplay(morphs={0: 1.0})
    pose = posed(model, corpus, clip, time)
    ours = draw(renderer, model, display_options, camera, size, pose, display)[..., 0] > 127
    assert engine.any()
    assert (ours & engine).sum() / (ours | engine).sum() >= 0.995
