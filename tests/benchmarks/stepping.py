"""Stepping to the next file of a folder, against opening that file: the folder's size must not count."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from pathlib import Path

import moderngl

from tests.benchmarks.measure import SAMPLES, Row, Rows
from tests.benchmarks.window import FRAME, settle
from viewer.app.loop import App
from viewer.app.viewport import Surface
from viewer.gpu.target import RenderTarget
from viewer.render.mesh import DrawStatistics
from viewer.session.requests import CloseDocument, Open, OpenNeighbour, Request
from viewer.session.state import State

SIZE = (640, 400)
FILES, STEPS = 200, 24
PAUSE, LONGEST = 0.1, 30.0
LONG_AGO = 1_000_000_000
"""Seconds: a folder that changes while it is walked has to be listed again."""


def rows() -> Rows:
    """A folder of equal models: steps from file to file, each with the opening of another file beside it."""
    with tempfile.TemporaryDirectory() as folder:
        paths = _models(Path(folder))
        context = moderngl.create_context(standalone=True, backend="egl", require=330)
        target = RenderTarget(context, SIZE)
        app = App(context, State(), Surface(target.framebuffer, SIZE, SIZE), [str(paths[0])])
        settle(app)
        app._viewport.renderer.draw = lambda *what: DrawStatistics(0, 0)  # type: ignore[method-assign]
        steps, opened = [], []
        for number in range(1, STEPS + 1):
            steps.append(_seconds(app, OpenNeighbour(1), paths[number]))
            opened.append(_seconds(app, Open((str(paths[-number]),)), paths[-number]))
            app.post(CloseDocument())
            settle(app)
        app.close()
        target.release()
        context.release()
    yield Row(f"next of {FILES} files in a folder", min(steps), min(opened), 1.15, "opening it")


def _models(folder: Path) -> list[Path]:
    """One model under many names."""
    first = folder / "model0.mdl"
    shutil.copy(SAMPLES / "Beacon.mdl", first)
    paths = [first, *(folder / f"model{number}.mdl" for number in range(1, FILES))]
    for path in paths[1:]:
        os.link(first, path)
    os.utime(folder, (LONG_AGO, LONG_AGO))
    return paths


def _seconds(app: App, request: Request, path: Path) -> float:
    """From the request to the end of the frame that has the file in view. The picture itself is not drawn,
    and there are no frames while the file is read, because they would take turns with its thread.
    """
    app.post(request)
    start = time.perf_counter()
    while app.state.document is None or app.state.document.path != str(path):
        assert time.perf_counter() - start < LONGEST, f"{path} does not come into view"
        app.frame(FRAME)
        app._tasks.wait(PAUSE)
    return time.perf_counter() - start
