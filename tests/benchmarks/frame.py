"""A frame: its work on the CPU against the budget that it may take, and its pixels against a floor."""

from __future__ import annotations

import itertools
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import moderngl

from tests.benchmarks.measure import CORPUS, Row, Rows, best, character
from tests.frames import frame_for
from viewer.animation.pose import Layer, pose
from viewer.gpu.target import RenderTarget, clear
from viewer.paths import folder
from viewer.render.renderer import Renderer
from viewer.scene.animation import Animation
from viewer.scene.camera import Orbit
from viewer.scene.display import DisplayOptions
from viewer.scene.model import Model
from viewer.scene.texture_images import decode_textures
from viewer.storage.documents import open_document
from viewer.view.camera import matrices
from viewer.view.framing import fit, posed_bounds

SIZE, LARGE = (640, 360), (1280, 720)
POSE_BUDGET = 0.35e-3
FRAME_BUDGET = 1.5e-3
PLAIN = DisplayOptions(grid=False, axes=False, background=(0.2, 0.2, 0.25, 1.0), samples=0)
"""The model alone."""
AIDED = DisplayOptions(axes=False, samples=0)
"""The model over the gradient and the ground."""
SHADED = DisplayOptions(axes=False, samples=0, shadow=True)
"""The model over the gradient and the ground, with its shadow."""
FOUR_LINES = """in vec3 eye_normal;
in vec2 uv;
uniform sampler2D diffuse_map;
out vec4 color;
void main() { color = texture(diffuse_map, uv) * (0.4 + 0.6 * max(eye_normal.z, 0.0)); }
"""
"""A fragment shader of a texture and a light from the viewer."""


def rows() -> Rows:
    """Posing many bones; posing and drawing a character that walks; what its pixels take."""
    model, walk = character()
    many = (CORPUS / "made-by-engine/bones200_mapped3.mdl", CORPUS / "made-by-engine/bones200_wave.ani")
    chain = many if CORPUS.is_dir() else (model, walk)
    yield Row(f"pose of {chain[0].name}, CPU", pose_time(*chain), POSE_BUDGET, 1, "budget of 0.35 ms")
    yield Row(
        f"frame of {model.name} walking, CPU", frame_time(model, walk), FRAME_BUDGET, 1, "budget of 1.5 ms"
    )
    yield from pixel_rows(folder("assets") / "urho3d" / "Models")


def pixel_rows(samples: Path) -> Rows:
    """The pixels of a textured sample that dances, in wall time: the driver draws before the clock stops."""
    files = samples / "Beacon.mdl", samples / "Beacon_Dance.ani"
    with tempfile.TemporaryDirectory() as copy:
        simple = Path(shutil.copytree(folder("shaders"), Path(copy) / "shaders"))
        (simple / "mesh.frag").write_text(FOUR_LINES)
        with drawing(*files, PLAIN) as ours, drawing(*files, PLAIN, simple) as floor:
            mesh, four_lines = alternately(ours, floor)
    yield Row(
        "frame of a textured sample that dances", mesh, four_lines, 3.5, "four lines in place of mesh.frag"
    )
    with drawing(*files, AIDED) as ours, drawing(*files, PLAIN) as floor:
        aided, alone = alternately(ours, floor)
    yield Row("the same over gradient and ground", aided, alone, 1.5, "the same without them")
    with drawing(*files, SHADED) as ours, drawing(*files, AIDED) as floor:
        shaded, aided = alternately(ours, floor)
    yield Row("the same with a shadow on the ground", shaded, aided, 3, "the same without the shadow")
    with drawing(None, None, AIDED) as ours, cleared() as floor:
        background, filled = alternately(ours, floor)
    yield Row("background, no samples", background, filled, 2.5, "clearing colour and depth")


def alternately(ours: Callable[[], object], floor: Callable[[], object]) -> tuple[float, float]:
    """The shortest time of both, measured turn by turn."""
    turns = [(best(ours, 0.3), best(floor, 0.3)) for _ in range(8)]
    first, second = zip(*turns, strict=True)
    return min(first), min(second)


@contextmanager
def drawing(
    model: Path | None, clip: Path | None, options: DisplayOptions, shaders: Path | None = None
) -> Iterator[Callable[[], None]]:
    """A function that draws the next frame of a model under a resting camera, or of nothing.

    `shaders` is a folder in place of the program's own.
    """
    context = moderngl.create_context(standalone=True, backend="egl", require=330)
    renderer, target = Renderer(context), RenderTarget(context, LARGE, options.samples)
    renderer.composer.root = shaders or renderer.composer.root
    shown = open_document(model) if model else None
    content = shown.model if shown else None
    mesh = renderer.upload(content, decode_textures(shown)) if shown and content else None
    moved = open_document(clip).content if clip else None
    extent = posed_bounds(content) if content else None
    camera, clock = fit(Orbit(), extent, LARGE) if content else Orbit(), itertools.count()
    whole = matrices(camera, content.to_world, LARGE, extent) if content else None

    def once() -> None:
        posed = None
        if content is not None and content.skeleton is not None and isinstance(moved, Animation):
            posed = pose(content.skeleton, [Layer(moved, next(clock) / 60)])
        frame = frame_for(mesh, LARGE, posed, options, camera, extent, seen=whole)
        with context:
            renderer.draw(mesh, frame, target.framebuffer)
            context.finish()

    for _ in range(16):  # every material has its own program then
        once()
    yield once
    for owned in (target, mesh, renderer, context):
        if owned is not None:
            owned.release()


@contextmanager
def cleared() -> Iterator[Callable[[], None]]:
    """A function that clears a target."""
    context = moderngl.create_context(standalone=True, backend="egl", require=330)
    target = RenderTarget(context, LARGE, 0)

    def once() -> None:
        with context:
            clear(target.framebuffer, LARGE)
            context.finish()

    yield once
    target.release()
    context.release()


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
        renderer.draw(mesh, frame_for(mesh, SIZE, posed, display_options, camera, extent), target.framebuffer)

    spent = best(once, 3, time.thread_time)
    for owned in (target, mesh, renderer, context):
        owned.release()
    return spent
