"""A frame: its work on the CPU against the budget that it may take, and its pixels against a floor."""

from __future__ import annotations

import itertools
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from tests.benchmarks.measure import CORPUS, SAMPLES, Row, Rows, best, budget, character, cpu, offscreen
from tests.frames import frame_for
from viewer.animation.pose import Layer, pose, poses
from viewer.export.picture.frames import give_environment
from viewer.paths import folder
from viewer.render.renderer import Renderer
from viewer.scene.animation import Animation
from viewer.scene.camera import Orbit
from viewer.scene.choices import LightKind
from viewer.scene.display import DisplayOptions
from viewer.scene.environment import environment_of, octahedral
from viewer.scene.texture_images import decode_textures
from viewer.storage.documents import open_document
from viewer.view.camera import matrices
from viewer.view.framing import fit, posed_bounds
from viewer.view.motion_marks import Ghost, TrailPoint
from viewer.view.motion_marks import trails as make_trails

SIZE, LARGE = (640, 360), (1280, 720)
BEACON = SAMPLES / "Beacon.mdl", SAMPLES / "Beacon_Dance.ani"
PLAIN = DisplayOptions(grid=False, axes=False, background=(0.2, 0.2, 0.25, 1.0), samples=0)
"""The model alone."""
AIDED = DisplayOptions(axes=False, samples=0)
"""The model over the gradient and the ground."""
SHADED = DisplayOptions(axes=False, samples=0, shadow=True)
"""The model over the gradient and the ground, with its shadow."""
SURROUNDED = DisplayOptions(axes=False, samples=0, light=LightKind.ENVIRONMENT)
"""The model in the light of the built-in environment."""
OCCLUDED = DisplayOptions(axes=False, samples=0, occlusion=True)
"""The model with dark cavities."""
CHIME = folder("assets") / "ogre" / "models" / "Chime.mesh"
PICTURE = (1024, 2048)
"""Height and width of the picture of which an environment is made."""
FOUR_LINES = """in vec3 eye_normal;
in vec2 uv;
uniform sampler2D diffuse_map;
out vec4 color;
void main() { color = texture(diffuse_map, uv) * (0.4 + 0.6 * max(eye_normal.z, 0.0)); }
"""
"""A fragment shader of a texture and a light from the viewer."""


def rows() -> Rows:
    """Posing many bones; drawing a character that walks; the pixels of a sample that dances, in wall time."""
    model, walk = character()
    many = (CORPUS / "made-by-engine/bones200_mapped3.mdl", CORPUS / "made-by-engine/bones200_wave.ani")
    chain = many if CORPUS.is_dir() else (model, walk)
    yield budget(f"pose of {chain[0].name}, CPU", _pose_time(*chain), 0.35e-3)
    with drawing((model, walk), DisplayOptions(), SIZE, finish=False) as once:
        yield budget(f"frame of {model.name} walking, CPU", cpu(once, 3), 1.5e-3)
    with tempfile.TemporaryDirectory() as copy:
        simple = Path(shutil.copytree(folder("shaders"), Path(copy) / "shaders"))
        (simple / "mesh.frag").write_text(FOUR_LINES)
        with drawing(BEACON, PLAIN) as ours, drawing(BEACON, PLAIN, shaders=simple) as floor:
            times = _alternately(ours, floor)
    yield Row("frame of a textured sample that dances", *times, 3.5, "four lines in place of mesh.frag")
    for name, options, less, limit in (
        ("the same over gradient and ground", AIDED, PLAIN, 1.5),
        ("the same with a shadow on the ground", SHADED, AIDED, 3),
        ("the same in the light of an environment", SURROUNDED, AIDED, 1.8),
        ("the same with dark cavities", OCCLUDED, AIDED, 3),
    ):
        with drawing(BEACON, options) as ours, drawing(BEACON, less) as floor:
            yield Row(name, *_alternately(ours, floor), limit, "the same without")
    for name, marked, limit in (
        ("the same with three ghosts before and after", {"ghosts": 3}, 7),
        ("the same with trails of three bones", {"trails": 3}, 1.3),
    ):
        with drawing(BEACON, AIDED, **marked) as ours, drawing(BEACON, AIDED) as floor:
            yield Row(name, *_alternately(ours, floor), limit, "the same without")
    with drawing((CHIME, None), SURROUNDED) as ours, drawing((CHIME, None), AIDED) as floor:
        times = _alternately(ours, floor)
    yield Row("frame of a metal in an environment", *times, 2.8, "in the studio", aim=1.15)
    picture = np.random.default_rng(1).random((*PICTURE, 3), np.float32)
    made = cpu(lambda: environment_of(octahedral(picture)), 2)
    yield budget(f"an environment of {PICTURE[1]} × {PICTURE[0]}, CPU", made, 0.3)


def _alternately(ours: Callable[[], object], floor: Callable[[], object]) -> tuple[float, float]:
    """The shortest time of both, measured turn by turn."""
    first, second = zip(*[(best(ours, 0.3), best(floor, 0.3)) for _ in range(8)], strict=True)
    return min(first), min(second)


@contextmanager
def drawing(
    files: tuple[Path, Path | None],
    options: DisplayOptions,
    size: tuple[int, int] = LARGE,
    shaders: Path | None = None,
    finish: bool = True,
    ghosts: int = 0,
    trails: int = 0,
) -> Iterator[Callable[[], None]]:
    """A function that draws the next frame of a model and its clip, if it has one, and with `finish` waits
    for the pixels.

    `shaders` is a folder in place of the program's own. There are `ghosts` before and after each frame, and
    `trails` of the first bones.
    """
    shown, clip = open_document(files[0]), open_document(files[1]).content if files[1] else None
    model, clock = shown.model, itertools.count()
    assert model is not None
    skeleton, extent = model.skeleton, posed_bounds(model)
    camera = fit(Orbit(), extent, size)
    whole = matrices(camera, model.to_world, size, extent) if finish else None
    with offscreen(size) as target:
        context = target.framebuffer.ctx
        renderer = Renderer(context)
        renderer.composer.root = shaders or renderer.composer.root
        give_environment(renderer, options)
        mesh = renderer.upload(model, decode_textures(shown))

        beside = [step / 10 for step in range(-ghosts, ghosts + 1) if step]
        moved: dict[str, Any] = {}
        if skeleton is not None and isinstance(clip, Animation):
            shown_trails = [TrailPoint(bone) for bone in range(trails)]
            whole_clip = (0.0, clip.duration)
            moved["trails"] = make_trails(skeleton, [Layer(clip, 0.0)], shown_trails, whole_clip, 30.0)

        def once() -> None:
            time, posed = next(clock) / 60, None
            if skeleton is not None and isinstance(clip, Animation):
                layers = [Layer(clip, time)]
                posed = pose(skeleton, layers)
                moments = (
                    poses(skeleton, layers, np.array([time + each for each in beside])) if beside else ()
                )
                moved["ghosts"] = tuple(Ghost(*each) for each in zip(beside, moments, strict=True))
            frame = frame_for(mesh, size, posed, options, camera, extent, seen=whole, **moved)
            with context:
                renderer.draw(mesh, frame, target.framebuffer)
                if finish:
                    context.finish()

        for _ in range(16):  # every material has its own program then
            once()
        yield once
        mesh.release()
        renderer.release()


def _pose_time(model: Path, walk: Path) -> float:
    """Seconds of one pose, at ever other times."""
    drawn, moved, clock = open_document(model).model, open_document(walk).content, itertools.count()
    assert drawn is not None and drawn.skeleton is not None and isinstance(moved, Animation)
    skeleton = drawn.skeleton
    return cpu(lambda: pose(skeleton, [Layer(moved, next(clock) / 97)]), 2)
