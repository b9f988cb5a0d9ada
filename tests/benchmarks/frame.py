"""A frame's work on the CPU: thread time, against the budget that a frame may take."""

from __future__ import annotations

import itertools
import time
from pathlib import Path

import moderngl

from tests.benchmarks.measure import CORPUS, Row, Rows, best, character
from viewer.animation.pose import Layer, pose
from viewer.formats import open_document
from viewer.gpu.target import RenderTarget
from viewer.render.framing import fit, posed_bounds
from viewer.render.renderer import Frame, Renderer
from viewer.scene.animation import Animation
from viewer.scene.camera import Orbit
from viewer.scene.display import DisplayOptions
from viewer.scene.model import Model

SIZE = (640, 360)
POSE_BUDGET = 0.35e-3
FRAME_BUDGET = 1.5e-3


def rows() -> Rows:
    """Posing many bones; posing and drawing a character that walks."""
    model, walk = character()
    many = (CORPUS / "made-by-engine/bones200_mapped3.mdl", CORPUS / "made-by-engine/bones200_wave.ani")
    chain = many if CORPUS.is_dir() else (model, walk)
    yield Row(f"pose of {chain[0].name}, CPU", pose_time(*chain), POSE_BUDGET, 1, "budget of 0.35 ms")
    yield Row(
        f"frame of {model.name} walking, CPU", frame_time(model, walk), FRAME_BUDGET, 1, "budget of 1.5 ms"
    )


def opened(model: Path, walk: Path) -> tuple[Model, Animation]:
    """The model and its animation."""
    drawn, moved = open_document(model).content, open_document(walk).content
    assert isinstance(drawn, Model) and isinstance(moved, Animation)
    return drawn, moved


def pose_time(model: Path, walk: Path) -> float:
    """Thread time of one pose, at ever other times."""
    drawn, moved = opened(model, walk)
    assert drawn.skeleton is not None
    skeleton, clock = drawn.skeleton, itertools.count()
    return best(lambda: pose(skeleton, [Layer(moved, next(clock) / 97)]), 2, time.thread_time)


def frame_time(model: Path, walk: Path) -> float:
    """Thread time of pose, upload and draw calls; the pixels are the driver's business."""
    drawn, moved = opened(model, walk)
    skeleton, clock = drawn.skeleton, itertools.count()
    context = moderngl.create_context(standalone=True, backend="egl", require=330)
    renderer = Renderer(context)
    mesh, target = renderer.upload(drawn), RenderTarget(context, SIZE, 0)
    display_options, extent = DisplayOptions(), posed_bounds(drawn)
    camera = fit(Orbit(), extent, SIZE)

    def once() -> None:
        posed = pose(skeleton, [Layer(moved, next(clock) / 60)]) if skeleton else None
        renderer.draw(mesh, Frame(posed, display_options, camera, extent), target.framebuffer, SIZE)

    spent = best(once, 3, time.thread_time)
    for owned in (target, mesh, renderer, context):
        owned.release()
    return spent
