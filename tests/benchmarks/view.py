"""What the 3D view costs beside the picture: picking, the outline, the properties; thread time."""

from __future__ import annotations

import itertools
import time
from pathlib import Path

import moderngl
import numpy as np

from tests.benchmarks.frame import opened
from tests.benchmarks.measure import CORPUS, Row, Rows, best, character
from tests.benchmarks.panels import frame_time
from tests.view.test_clip_points import figure, view_of
from viewer.animation.pose import Layer, pose
from viewer.formats import open_document
from viewer.render.pick import Picker, PickView, nearest_bone
from viewer.render.renderer import Renderer
from viewer.scene.animation import Animation, Track
from viewer.scene.camera import Orbit
from viewer.scene.display import DisplayOptions
from viewer.scene.items import BoneItem
from viewer.session.state import State
from viewer.ui.outline.outline_panel import OutlinePanel
from viewer.ui.properties.properties_panel import PropertiesPanel
from viewer.view.camera import matrices
from viewer.view.clip_points import clip_points
from viewer.view.framing import enclose, fit, posed_bounds

SIZE = (1280, 800)
PICK_BUDGET = 2e-3
PANEL_BUDGET = 1e-3
FIT_BUDGET, FITTED_BONES, FITTED_SECONDS = 30e-3, 200, 10.0


def rows() -> Rows:
    """Fitting the camera to a clip, picking in a character that walks, panels of many bones."""
    yield Row("framing over a clip, 200 bones × 10 s", fit_time(), FIT_BUDGET, 1, "budget of 30 ms")
    model, walk = character()
    yield Row(f"picking in {model.name} walking", pick_time(model, walk), PICK_BUDGET, 1, "budget of 2 ms")
    many = CORPUS / "made-by-engine/bones200_mapped3.mdl"
    state = State()
    state.put(open_document(many if many.is_file() else model))
    state.selection.pick(BoneItem(3))
    for name, panel in (("outline", OutlinePanel()), ("properties", PropertiesPanel())):
        yield Row(f"{name}, a bone selected", frame_time(state, panel), PANEL_BUDGET, 1, "budget of 1 ms")


def fit_time() -> float:
    """Thread time of fitting the camera to a clip that moves all bones of a model that is loaded."""
    view = view_of(figure(FITTED_BONES), moving(FITTED_BONES, FITTED_SECONDS))
    return best(lambda: enclose(Orbit(), clip_points(view), SIZE), 2, time.thread_time)


def moving(bones: int, seconds: float) -> Animation:
    """A clip that turns and moves every bone, 30 keys a second."""
    dice, times = np.random.default_rng(1), np.linspace(0, seconds, int(seconds * 30))
    names = tuple(f"bone {number}" for number in range(bones))
    turns = dice.normal((0, 0, 0, 20), 1, (bones, len(times), 4)).astype(np.float32)
    turns /= np.linalg.norm(turns, axis=2, keepdims=True)
    tracks = [Track(name, "rotation", times, values) for name, values in zip(names, turns, strict=True)]
    steps = dice.normal(1, 0.1, (bones, len(times), 3)).astype(np.float32)
    tracks += [Track(name, "position", times, values) for name, values in zip(names, steps, strict=True)]
    return Animation("moving", seconds, tuple(tracks), names)


def pick_time(model: Path, walk: Path) -> float:
    """Thread time of a question and its answer, geometry and bones; every time in another pose."""
    drawn, moved = opened(model, walk)
    assert drawn.skeleton is not None
    skeleton, clock = drawn.skeleton, itertools.count()
    context = moderngl.create_context(standalone=True, backend="egl", require=330)
    renderer = Renderer(context)
    mesh, picker = renderer.upload(drawn), Picker(renderer.composer)
    extent = posed_bounds(drawn)
    whole = matrices(fit(Orbit(), extent, SIZE), drawn.to_world, SIZE, extent)
    pixel = np.array(SIZE) / 2
    poses = [pose(skeleton, [Layer(moved, number / 60)]) for number in range(64)]

    def once() -> None:
        posed = poses[next(clock) % len(poses)]
        picker.ask(mesh, PickView(drawn, posed, DisplayOptions(), whole, SIZE), pixel)
        nearest_bone(skeleton, posed, whole, SIZE, pixel)
        picker.answer()

    spent = best(once, 2, time.thread_time)
    for owned in (picker, mesh, renderer, context):
        owned.release()
    return spent
