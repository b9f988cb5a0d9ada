"""Whole processes, from `exec` to exit."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image

from tests.benchmarks import race_files
from tests.benchmarks.measure import ROOT, Row, Rows, best_processes, character, peak_bytes
from tests.ogre_shapes import many_tracks
from viewer.storage.image import save_png

SIZE = (1280, 720)
SIDE, MOST = 8192, 600 << 20
FLOOR = f"""
import moderngl, numpy, sys
from PIL import Image
size = {SIZE}
context = moderngl.create_context(standalone=True, backend="egl", require=330)
depth = context.depth_renderbuffer(size, samples=4)
drawn = context.framebuffer([context.renderbuffer(size, samples=4)], depth)
resolved = context.framebuffer([context.renderbuffer(size)])
drawn.use()
drawn.clear(0.2, 0.3, 0.4, 1)
context.copy_framebuffer(resolved, drawn)
resolved.read(components=4)
pixels = numpy.fromfile(sys.argv[1], numpy.uint8).reshape(size[1], size[0], 3)
Image.fromarray(pixels).save(sys.argv[2], compress_level=1)
"""


def large_picture(folder: Path) -> Row:
    """The memory of drawing a model with a large picture, which software keeps as a texture with mips too."""
    mesh, name = race_files.character(folder / "large", 20, many_tracks(), parts=1, rings=1300), "skin0.png"
    across = np.arange(SIDE, dtype=np.uint32)
    pixels = (across[:, None] * 5 ^ across * 3)[..., None] >> np.array((0, 3, 6, 9), np.uint32)
    save_png(mesh.with_name(name), pixels.astype(np.uint8))
    del pixels
    peak = peak_bytes("render", str(mesh), "-o", str(folder / "large.png"))
    return Row(f"render with a picture of {SIDE}², memory", peak, MOST, 1.35, "600 MiB", bytes=True)


def rows() -> Rows:
    """A picture against an empty one; `info` against importing numpy; `--version` against Python alone."""
    model, _ = character()
    with tempfile.TemporaryDirectory() as folder:
        picture, pixels, other = (str(Path(folder) / name) for name in ("out.png", "pixels", "floor.png"))
        render = ("-m", "viewer", "render", str(model), "-o", picture, "--size", f"{SIZE[0]}x{SIZE[1]}")
        subprocess.run([sys.executable, *render], cwd=ROOT, check=True)
        with Image.open(picture) as drawn:
            np.asarray(drawn.convert("RGB")).tofile(pixels)
        yield Row(
            f"render {model.name} to {SIZE[0]}×{SIZE[1]}",
            *best_processes(render, ("-c", FLOOR, pixels, other)),
            1.4,
            "EGL context, 4 samples, clear, resolve, read back, PNG",
        )
        yield large_picture(Path(folder))
    info = ("-m", "viewer", "info", str(model), "--json")
    yield Row(
        f"info --json {model.name}",
        *best_processes(info, ("-c", "import numpy")),
        1.35,
        'python -c "import numpy"',
    )
    version = ("-m", "viewer", "--version")
    yield Row("--version", *best_processes(version, ("-c", "pass")), 3, "python -c pass")
