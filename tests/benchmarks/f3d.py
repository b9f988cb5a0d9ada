"""f3d 4 on the same model, if the variable F3D_PYTHON names an interpreter that has the wheel `f3d`.

Both sides are whole processes that draw one picture of 1280×720 off screen; f3d gets the model as GLB.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

from tests.benchmarks.measure import ROOT, Row, Rows, alternated, character, with_bytecode

VARIABLE = "F3D_PYTHON"
RUNS = 15
THEIRS = """
import sys
import f3d
engine = f3d.Engine.create_egl()
engine.window.size = 1280, 720
engine.scene.add(sys.argv[1])
engine.window.render_to_image().save(sys.argv[2])
"""


def rows() -> Rows:
    """The picture of a skinned model; nothing without f3d."""
    python = os.environ.get(VARIABLE)
    if not python:
        print(f"f3d: left out, {VARIABLE} names no Python with f3d", file=sys.stderr)
        return
    model, _ = character()
    with tempfile.TemporaryDirectory() as folder:
        environment, glb = with_bytecode(folder), str(Path(folder, "model.glb"))
        ours = [sys.executable, "-m", "viewer", "render", str(model), "--size", "1280x720", "-o"]
        export = [sys.executable, "-m", "viewer", "export", str(model), "-o", glb]
        subprocess.run(export, cwd=ROOT, env=environment, check=True, capture_output=True)
        sides = [*ours, str(Path(folder, "ours.png"))], [python, "-c", THEIRS, glb, f"{folder}/theirs.png"]
        times = alternated([partial(_seconds, side, environment) for side in sides], RUNS)
    yield Row(f"render {model.name} to 1280×720", *times, 0.75, "f3d 4, the same model as GLB", aim=0.5)


def _seconds(command: list[str], environment: dict[str, str]) -> float:
    """Seconds of the processor of a whole process: wall time depends on what else runs."""
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
