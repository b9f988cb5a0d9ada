"""Whole processes, from `exec` to exit."""

from __future__ import annotations

import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image

from tests import m2_files
from tests.benchmarks.measure import ROOT, Row, Rows, best_processes, character, peak_bytes
from tests.families.wow.blp.test_load import PALETTE, blp2
from tests.storage.test_image import plain_dds
from viewer.arrays import Array
from viewer.storage.png import png_pieces

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


def large_pictures(folder: Path) -> Rows:
    """The memory of drawing a model with a large picture, which software keeps as a texture with mips too.
    The drawn picture does not depend on the format of the file.
    """
    drawn = set()
    for suffix, written in LARGE.items():
        model, picture, out = folder / "Large.m2", folder / f"Skin{suffix}", folder / "large.png"
        model.write_bytes(_large_model(picture.name))
        picture.write_bytes(written(_large_pixels()))
        peak = peak_bytes("render", str(model), "-o", str(out))
        drawn.add(out.read_bytes())
        out.unlink()
        picture.unlink()
        name = f"render with a {suffix[1:].upper()} of {SIDE}², memory"
        yield Row(name, peak, MOST, 1.35, "600 MiB", bytes=True, aim=1)
    assert len(drawn) == 1, "the formats give different pictures"


def _large_model(picture: str) -> bytes:
    """A model of 1 MB with a texture."""
    used = m2_files.vertices()
    used["uv0"] = used["position"][:, :2] / 2
    return m2_files.model(
        vertices=np.concatenate((used, np.zeros(20_000, used.dtype))),
        textures=[{"type": 0, "flags": 3, "name": picture}],
        texture_lookup=[0, 0],
        materials=[{"blend": 0}],
        particles=[],
        ribbons=[],
    )


def _large_pixels() -> Array:
    """[SIDE, SIDE] u8: a pattern of palette indices that change from pixel to pixel."""
    across = np.arange(SIDE, dtype=np.uint16)
    pattern: Array = (across[:, None] * 5 ^ across * 3).astype(np.uint8)
    return pattern


def _colors(indices: Array, channels: list[int]) -> Array:
    """[SIDE, SIDE, 3] u8: the colours of PALETTE, with the channels (0 is blue) in this order."""
    palette = np.frombuffer(PALETTE, np.uint8).reshape(256, 4)
    return palette[:, channels][indices]


LARGE: dict[str, Callable[[Array], bytes]] = {
    ".png": lambda indices: b"".join(png_pieces(_colors(indices, [2, 1, 0]))),
    ".tga": lambda indices: (
        struct.pack("<3B9x2H2B", 0, 0, 2, SIDE, SIDE, 24, 0x20) + _colors(indices, [0, 1, 2]).tobytes()
    ),
    ".dds": lambda indices: plain_dds(
        _colors(indices, [0, 1, 2]).tobytes(), (SIDE, SIDE), 24, (0xFF0000, 0xFF00, 0xFF, 0)
    ),
    ".blp": lambda indices: blp2(1, 0, 8, [indices.tobytes()], SIDE, SIDE),
}
"""The files of a large picture [SIDE, SIDE] u8 of palette indices, by suffix; all have the same colours."""


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
        yield from large_pictures(Path(folder))
    info = ("-m", "viewer", "info", str(model), "--json")
    yield Row(
        f"info --json {model.name}",
        *best_processes(info, ("-c", "import numpy")),
        1.35,
        'python -c "import numpy"',
    )
    version = ("-m", "viewer", "--version")
    yield Row("--version", *best_processes(version, ("-c", "pass")), 3, "python -c pass")
