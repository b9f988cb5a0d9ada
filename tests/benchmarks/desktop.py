"""The real window under a virtual display: from `exec` to the first frame with the model, and at rest."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from tests.benchmarks.measure import ROOT, Row, Rows, alternated, character, with_bytecode

RUNS = 5
REST = 5.0
"""Seconds over which the idle window is watched."""
SETTLED = 3.0
PATIENCE = 20
"""Seconds that a busy machine may need until the window is at rest."""

BARE = """
import time
import moderngl, pyglet
pyglet.options.shadow_window = False
from imgui_bundle import ImVec2, imgui
window = pyglet.window.Window(1280, 800, config=pyglet.gl.Config(
    major_version=3, minor_version=3, forward_compatible=True, double_buffer=True, depth_size=0))
context = moderngl.create_context(require=330)
imgui.create_context()
imgui.get_io().display_size = ImVec2(1280, 800)
imgui.backends.opengl3_init("#version 330")
imgui.backends.opengl3_new_frame()
imgui.new_frame()
imgui.show_demo_window()
imgui.render()
context.screen.use()
context.clear()
imgui.backends.opengl3_render_draw_data(imgui.get_draw_data())
window.flip()
context.finish()
print(time.perf_counter())
"""

OURS = """
import sys, time
from viewer.commands import cli
run = cli.main
import viewer.window.window as own
frame = own.Window._frame
def shown(window, app, dt):
    frame(window, app, dt)
    if app.state.documents.opened and not app.loading and app.running:
        window._ctx.finish()
        print(time.perf_counter())
        app.running = False
own.Window._frame = shown
run(sys.argv[1:])
"""


def rows() -> Rows:
    """Nothing where there is no virtual display."""
    if shutil.which("Xvfb") is None:
        print("window: skipped, it needs Xvfb", file=sys.stderr)
        return
    model, _ = character()
    with display() as environment:
        yield Row(
            f"window with {model.name} visible",
            *alternated(
                [partial(_first_frame, environment, *each) for each in ((OURS, str(model)), (BARE,))], RUNS
            ),
            1.75,
            "bare pyglet window, one ImGui frame",
            aim=1.35,
        )
        yield Row("CPU of an idle window", _idle(environment, model), REST, 0.03, "of the time it is open")


@contextmanager
def display() -> Iterator[dict[str, str]]:
    """The environment of a virtual display, with settings of its own."""
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x800x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as pipe, tempfile.TemporaryDirectory() as folder:
        number = pipe.readline().strip()
        settings = str(Path(folder) / "settings.json")
        yield with_bytecode(folder) | {"DISPLAY": f":{number}", "RIGSCOPE_SETTINGS": settings}
        server.terminate()
        server.wait(10)


def _first_frame(environment: dict[str, str], code: str, *words: str) -> float:
    """The time from the start of such a process to what it prints: when its frame was there."""
    start = time.perf_counter()  # one clock for all processes
    command = [sys.executable, "-c", code, *words]
    done = subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE)
    return float(done.stdout) - start


def _idle(environment: dict[str, str], model: Path) -> float:
    """Seconds of CPU that a window takes in `REST` seconds in which nothing happens."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / model.name
        shutil.copy(model, copy)  # alone: nothing plays
        program = subprocess.Popen([sys.executable, "-m", "viewer", str(copy)], cwd=ROOT, env=environment)
        try:
            time.sleep(SETTLED)
            before = _cpu(program.pid)
            for _ in range(PATIENCE):
                time.sleep(1.0)
                last, before = before, _cpu(program.pid)
                if before == last:
                    break
            time.sleep(REST)
            return max(_cpu(program.pid) - before, 1e-3)
        finally:
            program.terminate()
            program.wait(10)


def _cpu(process: int) -> float:
    """Seconds of CPU that a process of Linux took so far."""
    numbers = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(numbers[11]) + int(numbers[12])) / os.sysconf("SC_CLK_TCK")
