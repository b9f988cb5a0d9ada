"""Files that come in while the window goes on: the longest frame, against what a person notices."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

import moderngl

from tests.benchmarks.measure import Row, Rows, best, character
from tests.benchmarks.parse import LARGE, large_model
from tests.benchmarks.window import FRAME, settle
from viewer.app.loop import App
from viewer.app.viewport import DrawSurface
from viewer.gpu.target import RenderTarget
from viewer.render.passes.mesh_pass import DrawStatistics
from viewer.session.requests import Open
from viewer.session.state import State

SIZE = (640, 400)
RUNS = 3
PAUSE = 1e-3
BUDGET = 30e-3


def rows() -> Rows:
    """A large model beside a character that walks, from the request to the frame that has it in view."""
    with tempfile.TemporaryDirectory() as folder:
        large = Path(folder) / "large.mdl"
        large.write_bytes(large_model())
        longest = min(longest_frame(large) for _ in range(RUNS))
    yield Row(
        f"longest frame while {LARGE // 10**6} MB come in", longest, BUDGET, 3, "budget of 30 ms", aim=1
    )
    yield Row(
        "the same",
        longest,
        allocation(LARGE * 2 // 3),
        1.6,
        "its vertices in one buffer, allocated by the driver",
        aim=1,
    )


def allocation(size: int) -> float:
    """Seconds that the driver needs for a buffer of `size` bytes, which it clears."""
    context = moderngl.create_context(standalone=True, backend="egl", require=330)
    seconds = best(lambda: context.buffer(reserve=size).release())
    context.release()
    return seconds


def longest_frame(large: Path) -> float:
    """Seconds. The picture itself is not drawn: how long a large model takes is the GPU's business."""
    model, walk = character()
    context = moderngl.create_context(standalone=True, backend="egl", require=330)
    target = RenderTarget(context, SIZE)
    app = App(context, State(), DrawSurface(target.framebuffer, SIZE, SIZE), [str(model), str(walk)])
    settle(app)
    renderer: Any = app._viewport.renderer
    renderer.draw = lambda *what: DrawStatistics(0, 0)
    app.post(Open((str(large),)))
    longest, known = 0.0, len(app.state.documents.opened)
    while len(app.state.documents.opened) == known:
        start = time.perf_counter()
        app.frame(FRAME)
        longest = max(longest, time.perf_counter() - start)
        time.sleep(PAUSE)
    app.close()
    target.release()
    context.release()
    return longest
