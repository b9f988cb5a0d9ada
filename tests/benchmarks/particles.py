"""Particles: what each costs as there are more of them, what a seek costs, and what the CPU does for them."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import moderngl
import numpy as np

from tests.benchmarks.measure import Row, Rows, best
from tests.benchmarks.ready_quads import ready_quads
from viewer.animation.effects.bone_path import path, turned_offset
from viewer.animation.effects.emission import emission
from viewer.animation.pose import Layer, pose
from viewer.animation.single_bone import chain
from viewer.gpu.target import RenderTarget
from viewer.render.effects.particle_capture import capture_particles
from viewer.render.frame import Frame
from viewer.render.renderer import Renderer
from viewer.render.view_parameters import EffectTime
from viewer.scene.animation import Animation, Composition, Track
from viewer.scene.camera import Orbit
from viewer.scene.display import DisplayOptions, ModelDisplay
from viewer.scene.effects import EffectOptions
from viewer.scene.emitter import Curve, Emitter
from viewer.scene.items import EmitterItem
from viewer.scene.model import Model
from viewer.scene.skeleton import Skeleton
from viewer.view.camera import matrices

SIZE = (1280, 720)
COUNTS = (1_000, 10_000, 100_000, 1_000_000)
MANY, TURNS = 100_000, 25
EMITTERS = 64
CAMERA = Orbit(distance=4.0)
EXTENT = np.array(((-1.0,) * 3, (1.0,) * 3))
DISPLAY = ModelDisplay(effects=EffectOptions(sizes={EmitterItem(0): 0.002}))
DEPTH = 6
BAKE_BUDGET, FRAME_BUDGET = 5e-3, 0.05e-3


def rows() -> Rows:
    """Frames of many particles, seeks, and the CPU's part."""
    with _renderer() as (renderer, target):
        yield from _counts(renderer, target)
        yield _ready(renderer, target)
        yield _seek(renderer, target)
        yield _sorted(renderer, target)
        yield _frame(renderer)
    yield _bake()


@contextmanager
def _renderer() -> Iterator[tuple[Renderer, RenderTarget]]:
    context = moderngl.create_context(standalone=True, backend="egl", require=330)
    renderer, target = Renderer(context), RenderTarget(context, SIZE, 0)
    yield renderer, target
    for owned in (target, renderer, context):
        owned.release()


def smoke(rate: float, **given: object) -> Emitter:
    """A second of life, small quads."""
    numbers = {"rate": rate, "lifespan": 1.0, "speed": 1.0, "vertical_range": 0.5, "horizontal_range": 3.0}
    curves = {name: Curve(np.zeros(1), np.array((value,))) for name, value in numbers.items()}
    parts = {"flags": ("model space",), "curves": lambda animation: curves, **given}
    return Emitter("plane", 0, (0.0, 0.0, 0.0), 0, 4, **parts)  # type: ignore[arg-type]


def _drawn(renderer: Renderer, target: RenderTarget, model: Model, times: Iterator[float]) -> float:
    """Wall time of a whole frame of 1280×720, the GPU's part included."""
    with _frames(renderer, target, model) as draw:
        return best(lambda: draw(next(times)), 1.0)


@contextmanager
def _frames(renderer: Renderer, target: RenderTarget, model: Model) -> Iterator[Callable[[float], None]]:
    """Draws a model at a time, and waits for the GPU."""
    mesh = renderer.upload(model)
    display_options = DisplayOptions(grid=False, axes=False, samples=0)

    def draw(time_: float) -> None:
        frame = Frame(None, display_options, CAMERA, EXTENT, time=time_, display=DISPLAY)
        renderer.draw(mesh, frame, target.framebuffer, SIZE)
        renderer.ctx.finish()

    draw(0.5)
    yield draw
    mesh.release()


def _counts(renderer: Renderer, target: RenderTarget) -> Rows:
    empty = _drawn(renderer, target, Model("nothing"), itertools.count(0.0, 0.01))
    each: list[float] = []
    for count in COUNTS:
        model = Model("smoke", emitters=(smoke(float(count)),))
        spent = _drawn(renderer, target, model, itertools.count(1.0, 0.01)) - empty
        each.append(spent / count * 1000)
        if len(each) > 1:
            name = f"{count:,} particles, a thousand of them"
            yield Row(name, each[-1], each[-2], 1.25, f"a thousand of {COUNTS[len(each) - 2]:,}")


def _ready(renderer: Renderer, target: RenderTarget) -> Row:
    """Frames and the floor in turns, in CPU time of all threads: the renderer is software."""
    model = Model("smoke", emitters=(smoke(float(MANY), flags=("model space", "unlit"), blending="add"),))
    mesh = renderer.upload(model)
    particles = capture_particles(mesh, EffectTime(1.0), DISPLAY)[0]
    mesh.release()
    eye = matrices(CAMERA, model.to_world, SIZE, EXTENT)
    spent: list[tuple[float, float]] = []
    with _frames(renderer, target, model) as draw, ready_quads(target, eye, particles, "add") as floor:
        for _ in range(TURNS):
            start = time.process_time()
            draw(1.0)
            middle = time.process_time()
            floor()
            spent.append((middle - start, time.process_time() - middle))
    ours, ready = np.min(spent, axis=0)
    return Row(f"{MANY:,} particles", ours, ready, 1.5, "the same quads from a ready buffer")


def _seek(renderer: Renderer, target: RenderTarget) -> Row:
    """Near and far in turns, so that what else the machine does hits both."""
    spent: dict[float, list[float]] = {1.0: [], 10_000.0: []}
    with _frames(renderer, target, Model("smoke", emitters=(smoke(10_000.0),))) as draw:
        for turn, time_ in itertools.product(range(40), spent):
            start = time.perf_counter()
            draw(time_ + turn % 2 / 2)
            spent[time_].append(time.perf_counter() - start)
    near, far = (min(each) for each in spent.values())
    return Row("seek to 10,000 s, 10,000 particles", far, near, 1.1, "seek to 1 s")


def _sorted(renderer: Renderer, target: RenderTarget) -> Row:
    """The order comes from the CPU: positions are captured, read back and sorted."""
    flags = (("model space",), ("model space", "sorted"))
    times = []
    for each in flags:
        model = Model("smoke", emitters=(smoke(10_000.0, flags=each, blending="alpha"),))
        times.append(_drawn(renderer, target, model, itertools.count(1.0, 0.01)))
    return Row("10,000 particles, sorted", times[1], times[0], 2, "unsorted")


def _frame(renderer: Renderer) -> Row:
    """Thread time of bringing an emitter to another time, without the driver's drawing."""
    model = Model("many", emitters=tuple(smoke(50.0) for _ in range(EMITTERS)))
    mesh, clock, effects = renderer.upload(model), itertools.count(1.0, 0.01), EffectOptions()

    def once() -> None:
        for _ in mesh.particles.prepared(effects, EffectTime(next(clock))):
            pass

    once()
    spent = best(once, 1.0, time.thread_time) / EMITTERS
    mesh.release()
    return Row("emitter brought to a time, CPU", spent, FRAME_BUDGET, 1, "budget of 0.05 ms")


def _bake() -> Row:
    """Schedule and birth frames of an emitter with animated tracks on a chain of turning bones."""
    skeleton, clip = _chain()
    times = np.linspace(0, 2, 20)
    waving = Curve(times, 20 + 10 * np.sin(times))
    names = ("rate", "speed", "lifespan", "gravity", "length", "width")
    emitter = smoke(1.0, flags=(), curves=lambda animation: dict.fromkeys(names, waving))
    layers = (Layer(clip, 0.0),)
    pose(skeleton, layers)
    offset = turned_offset(emitter)

    def once() -> None:
        emission(emitter, clip)
        path(chain(skeleton, DEPTH - 1, layers), offset)

    return Row(
        "bake an emitter on 6 turning bones",
        best(once, 1.0, time.thread_time),
        BAKE_BUDGET,
        1,
        "budget of 5 ms",
    )


def _chain() -> tuple[Skeleton, Animation]:
    names = tuple(f"bone {number}" for number in range(DEPTH))
    pivots = np.arange(DEPTH)[:, None] * (1.0, 0.0, 0.0)
    skeleton = Skeleton(
        names,
        np.arange(-1, DEPTH - 1, dtype=np.int32),
        np.diff(pivots, axis=0, prepend=0),
        np.tile((0.0, 0.0, 0.0, 1.0), (DEPTH, 1)),
        np.ones((DEPTH, 3)),
        np.concatenate((np.tile(np.eye(3), (DEPTH, 1, 1)), -pivots[:, :, None]), axis=2),
        pivots=pivots,
    )
    times = np.linspace(0, 2, 20)
    angles = np.sin(times * np.pi) / 4
    turns = np.stack((np.zeros(20), np.zeros(20), np.sin(angles), np.cos(angles)), axis=-1)
    tracks = tuple(Track(name, "rotation", times, turns) for name in names)
    return skeleton, Animation("wave", 2.0, tracks, names, composition=Composition.PIVOT)
