"""Whole processes, from `exec` to exit."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.benchmarks.measure import Row, Rows, best_process, character

FLOOR = """
import moderngl, numpy, sys
from PIL import Image
context = moderngl.create_context(standalone=True, backend="egl", require=330)
target = context.framebuffer([context.renderbuffer((1280, 720))])
target.use()
target.clear(0.2, 0.3, 0.4, 1)
pixels = numpy.frombuffer(target.read(components=4), numpy.uint8).reshape(720, 1280, 4)[::-1]
Image.fromarray(pixels).save(sys.argv[1], compress_level=1)
"""


def rows() -> Rows:
    """A picture against an empty one; `info` against importing numpy."""
    model, _ = character()
    with tempfile.TemporaryDirectory() as folder:
        picture = str(Path(folder) / "out.png")
        yield Row(
            f"render {model.name} to 1280×720",
            best_process("-m", "viewer", "render", str(model), "-o", picture, "--size", "1280x720"),
            best_process("-c", FLOOR, picture),
            2.5,
            "EGL context, clear, read back, PNG",
        )
    yield Row(
        f"info --json {model.name}",
        best_process("-m", "viewer", "info", str(model), "--json"),
        best_process("-c", "import numpy"),
        2.0,
        'python -c "import numpy"',
    )
