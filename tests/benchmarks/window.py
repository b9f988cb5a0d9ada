"""A whole frame of the window with all panels open: thread time, against the budget that it may take."""

from __future__ import annotations

import time

import moderngl
from msgspec.structs import replace

from tests.benchmarks.measure import Row, Rows, best, character
from tests.benchmarks.panels import BONES, CHUNKS, KEYS, many_chunks, many_keys
from viewer.app.loop import App
from viewer.app.viewport import DrawSurface
from viewer.gpu.target import RenderTarget
from viewer.scene.items import ByteItem
from viewer.session.layouts import PANELS
from viewer.session.state import State

SIZE = (1280, 800)
BUDGET, LARGE_BUDGET = 3e-3, 6e-3
FRAME = 1 / 60


def rows() -> Rows:
    """A character that walks, with each panel in front of its dock once: the slowest of them."""
    model, walk = character()
    context = moderngl.create_context(standalone=True, backend="egl", require=330)
    target = RenderTarget(context, SIZE)
    app = App(context, State(), DrawSurface(target.framebuffer, SIZE, SIZE), [str(model), str(walk)])
    settle(app)
    times = {}
    for panel in PANELS:
        app.state.interface.bring(panel.name)
        settle(app)
        times[panel.name] = best(lambda: app.frame(FRAME), 1, time.thread_time)
    slowest = max(times, key=times.__getitem__)
    name = f"frame of {model.name}, all panels, {slowest} in front"
    yield Row(name, times[slowest], BUDGET, 4, "budget of 3 ms", aim=1)
    yield all_threads(app, model.name)
    app.close()
    app = App(context, large(), DrawSurface(target.framebuffer, SIZE, SIZE))
    for panel in ("timeline", "chunks"):
        app.state.interface.bring(panel)
        settle(app)
    name = f"frame of {BONES} bones × {KEYS} keys, {CHUNKS} chunks open"
    yield Row(name, best(lambda: app.frame(FRAME), 1, time.thread_time), LARGE_BUDGET, 1, "budget of 6 ms")
    app.close()
    target.release()
    context.release()


def all_threads(app: App, name: str) -> Row:
    """The CPU time of a frame in all threads, also those of a driver that draws in software; the floor draws
    only the 3D view.
    """
    context, size = app.surface.framebuffer.ctx, app._picture_size()

    def frame() -> None:
        app.frame(FRAME)
        context.finish()

    def picture() -> None:
        app._viewport.draw(app.state, app.state.options, size)
        context.finish()

    ours, floor = (best(each, 1, time.process_time) for each in (frame, picture))
    return Row(f"frame of {name}, all panels, all threads", ours, floor, 6, "its picture alone")


def large() -> State:
    """Many keys that play and, in the same document, many chunks, of which one far down is selected."""
    state, chunks = State(), many_chunks()
    state.put(replace(many_keys(), data=chunks.data, root=chunks.root))
    state.playback.choose(state.playback.animations[0])
    state.view.clock.play()
    state.view.selection.picked = ByteItem(CHUNKS * 16)
    return state


def settle(app: App) -> None:
    """Frames until nothing is being read and the panels are at their places."""
    app.frame(0.0)
    while app.loading:
        app.frame(0.0)
    for _ in range(10):
        app.frame(FRAME)
