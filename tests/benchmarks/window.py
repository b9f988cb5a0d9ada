"""The window's frames without a display: all panels open, and a large file that comes in."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, cast

from msgspec.structs import replace

from tests.benchmarks.made import LARGE, large_model
from tests.benchmarks.measure import SAMPLES, Row, Rows, best, budget, character, cpu, offscreen
from tests.benchmarks.panels import BONES, CHUNKS, KEYS, many_chunks, many_keys, playing
from viewer.app.loop import App
from viewer.app.viewport import DrawSurface
from viewer.render.passes.mesh_pass import DrawStatistics
from viewer.scene.choices import CompareMode
from viewer.scene.items import ByteItem
from viewer.session.layouts import PANELS
from viewer.session.requests import Open
from viewer.session.state import State
from viewer.view.playlist import PlaylistEntry

SIZE, FRAME = (1280, 800), 1 / 60


@contextmanager
def window(state: State, *files: Path) -> Iterator[App]:
    """The program with these files open."""
    with offscreen(SIZE) as target:
        app = App(
            target.framebuffer.ctx, state, DrawSurface(target.framebuffer, SIZE, SIZE), [*map(str, files)]
        )
        settle(app)
        yield app
        app.close()


def settle(app: App) -> None:
    """Frames until nothing is being read and the panels are at their places."""
    app.frame(0.0)
    while app.loading:
        app.frame(0.0)
    for _ in range(10):
        app.frame(FRAME)


def rows() -> Rows:
    """A character that walks, with each panel in front of its dock once: the slowest of them. Its time in all
    threads, also those of a driver that draws in software. And many keys beside many chunks.
    """
    model, walk = character()
    with window(State(), model, walk) as app:
        times = {}
        for panel in PANELS:
            app.state.interface.bring(panel.name)
            settle(app)
            times[panel.name] = cpu(lambda: app.frame(FRAME))
        slowest = max(times, key=times.__getitem__)
        name = f"frame of {model.name}, all panels"
        yield Row(f"{name}, {slowest} in front", times[slowest], 3e-3, 4, "3 ms", aim=1)
        finish = app.surface.framebuffer.ctx.finish
        size, draw = app._picture_size(), app._viewport.draw
        ours = best(lambda: (app.frame(FRAME), finish()), clock=time.process_time)
        options = replace(app.state.options)  # the window keeps a picture of its own options
        floor = best(lambda: (draw(app.state, options, size), finish()), clock=time.process_time)
        yield Row(f"{name}, all threads", ours, floor, 6, "its picture alone")
    chunks = many_chunks()
    state = playing(replace(many_keys(), data=chunks.data, root=chunks.root))
    state.view.selection.picked = ByteItem(CHUNKS * 16)
    with window(state) as app:
        for name in ("timeline", "chunks"):
            app.state.interface.bring(name)
            settle(app)
        name = f"frame of {BONES} bones × {KEYS} keys, {CHUNKS} chunks open"
        yield budget(name, cpu(lambda: app.frame(FRAME)), 6e-3)


def still_rows() -> Rows:
    """A still picture of the sample: a key that is typed into the palette, and a pointer that moves beside
    the picture. Time in all threads, also those of a driver that draws in software.
    """
    with window(State(), SAMPLES / "Beacon.mdl") as app:
        state, renderer, finish = app.state, app._viewport.renderer, app.surface.framebuffer.ctx.finish
        state.view.clock.playing, state.interface.palette = False, True
        settle(app)

        def typed() -> None:
            app.host.input.text("a")
            app.frame(FRAME)
            finish()
            app.host.input.key("BACKSPACE", True)
            app.host.input.key("BACKSPACE", False)
            app.frame(FRAME)
            finish()

        viewport: Any = app._viewport
        shown, draw = viewport.draw(state, state.options, app._picture_size()), viewport.draw
        ours = best(typed, 2.0, time.process_time)
        viewport.draw = lambda *given: shown
        floor = best(typed, 2.0, time.process_time)
        viewport.draw = draw
        yield Row("a key typed over a still picture", ours, floor, 1.1, "without the 3D view", aim=1)
        state.interface.palette = False
        settle(app)
        drawn, draw_model = [0], renderer.draw

        def counted(*given: Any) -> DrawStatistics:
            drawn[0] += 1
            return draw_model(*given)

        cast(Any, renderer).draw = counted
        for place in range(10):
            app.host.input.pointer(2.0 + place, 2.0)
            app.frame(FRAME)
        name = "ten moves of a pointer beside a still picture, drawings of it"
        yield Row(name, drawn[0], 1, 0.5, "1 drawing", counts=True)


def beside_rows() -> Rows:
    """The sample with one clip, and beside itself with two: both sides are posed, drawn and compared. The
    second row draws bones, in the colours of their differences, and lists them.
    """
    for mode, panel, name, most in (
        (CompareMode.SIDE, "timeline", "two clips beside each other, CPU", 1.9),
        (CompareMode.MOTION, "differences", "the same with bones and their differences", 2.2),
    ):
        with window(State(), SAMPLES / "Beacon.mdl") as app:
            state, bones = app.state, mode is CompareMode.MOTION
            first, second = state.playback.animations[:2]
            state.playback.choose(first)
            state.view.clock.play()
            state.options.skeleton = bones
            state.interface.bring("timeline")
            settle(app)
            alone = cpu(partial(app.frame, FRAME), 3)
            state.compare_with_itself()
            state.compare(mode)
            state.view.second.playlist = (PlaylistEntry(second),)
            state.interface.bring(panel)
            while state.comparison_result is None or state.comparison_result.motion is None:
                app.frame(FRAME)
            settle(app)
            floor = "a frame of one clip with bones" if bones else "a frame of one clip"
            yield Row(name, cpu(partial(app.frame, FRAME), 3), alone, most, floor)


def loading_rows() -> Rows:
    """A large model beside a character that walks, from the request to the frame that has it in view."""
    with tempfile.TemporaryDirectory() as folder:
        large = large_model(folder)
        longest = min(_longest_frame(large) for _ in range(3))
    name = f"longest frame while {LARGE // 10**6} MB come in"
    yield Row(name, longest, 30e-3, 3, "30 ms", aim=1)


def _longest_frame(large: Path) -> float:
    """Seconds. The picture itself is not drawn: how long a large model takes is the GPU's business."""
    with window(State(), *character()) as app:
        renderer: Any = app._viewport.renderer
        renderer.draw = lambda *what: DrawStatistics(0, 0)
        app.post(Open((str(large),)))
        longest, known = 0.0, len(app.state.documents.opened)
        while len(app.state.documents.opened) == known:
            start = time.perf_counter()
            app.frame(FRAME)
            longest = max(longest, time.perf_counter() - start)
            time.sleep(1e-3)
    return longest
