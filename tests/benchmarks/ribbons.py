"""Ribbons: what the CPU does for them, once for what plays and once for each picture."""

from __future__ import annotations

import itertools
import time

import moderngl

from tests.benchmarks.measure import Row, Rows, best
from viewer.animation.effects.ribbon import bake
from viewer.animation.pose import Layer
from viewer.formats import open_document
from viewer.paths import folder
from viewer.render.renderer import Renderer
from viewer.render.view_parameters import EffectTime
from viewer.scene.effects import EffectOptions

PUFF = folder("assets") / "m2" / "Creature" / "Puff" / "Puff.m2"
BAKE_BUDGET, FRAME_BUDGET = 5e-3, 0.05e-3


def rows() -> Rows:
    """The ribbon of the sample: 30 edges a second on a bone with a key every 50 ms."""
    document = open_document(PUFF)
    assert document.model is not None
    model, layers = document.model, (Layer(document.animations[0], 0.0),)

    def baked() -> None:
        bake(model.ribbons[0], model.skeleton, layers)

    spent = best(baked, 1.0, time.thread_time)
    yield Row("bake a ribbon of a loop of 4 s", spent, BAKE_BUDGET, 1, "budget of 5 ms")
    context = moderngl.create_context(standalone=True, backend="egl", require=330)
    renderer = Renderer(context)
    mesh, clock = renderer.upload(model), itertools.count(1.0, 0.01)

    def brought() -> None:
        mesh.ribbons.prepared(0, EffectOptions(), EffectTime(next(clock), layers))

    brought()
    spent = best(brought, 1.0, time.thread_time)
    yield Row("ribbon brought to a time, CPU", spent, FRAME_BUDGET, 1, "budget of 0.05 ms")
    for owned in (mesh, renderer, context):
        owned.release()
