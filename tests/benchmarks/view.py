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
from viewer.animation.pose import Layer, pose
from viewer.formats import open_document
from viewer.render.camera import matrices
from viewer.render.framing import fit, posed_bounds
from viewer.render.pick import Picker, PickView, nearest_bone
from viewer.render.renderer import Renderer
from viewer.scene.camera import Orbit
from viewer.scene.display import DisplayOptions
from viewer.scene.items import BoneItem
from viewer.session.state import State
from viewer.ui.outline.outline_panel import OutlinePanel
from viewer.ui.properties.properties_panel import PropertiesPanel

SIZE = (1280, 800)
PICK_BUDGET = 2e-3
PANEL_BUDGET = 1e-3


def rows() -> Rows:
    """Picking in a character that walks; outline and properties of many bones."""
    model, walk = character()
    yield Row(f"picking in {model.name} walking", pick_time(model, walk), PICK_BUDGET, 1, "budget of 2 ms")
    many = CORPUS / "made-by-engine/bones200_mapped3.mdl"
    state = State()
    state.put(open_document(many if many.is_file() else model))
    state.selection.pick(BoneItem(3))
    for name, panel in (("outline", OutlinePanel()), ("properties", PropertiesPanel())):
        yield Row(f"{name}, a bone selected", frame_time(state, panel), PANEL_BUDGET, 1, "budget of 1 ms")


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
