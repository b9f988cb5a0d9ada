"""What a program holds: GL objects, descriptors, threads and memory."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass

import moderngl

from tests.fuzzing.memory import resident

GL_OBJECTS = (
    moderngl.Buffer,
    moderngl.Framebuffer,
    moderngl.Program,
    moderngl.Query,
    moderngl.Renderbuffer,
    moderngl.Sampler,
    moderngl.Texture,
    moderngl.TextureArray,
    moderngl.VertexArray,
)
DRIFT = 0.05
"""The share by which memory may grow from a quarter of the time to its end."""


@dataclass(frozen=True)
class Usage:
    """The counts at one time; `memory` is the resident memory in bytes."""

    gl_objects: int
    descriptors: int
    threads: int
    memory: int

    def __str__(self) -> str:
        counts = f"{self.gl_objects} GL objects, {self.descriptors} descriptors, {self.threads} threads"
        return f"{counts}, {self.memory / 2**20:.1f} MiB"


def usage() -> Usage:
    """The counts now, after what nobody uses any more is freed."""
    gc.collect()
    _trim()
    return Usage(
        gl_objects=sum(_is_alive(each) for each in gc.get_objects()),
        descriptors=len(os.listdir("/proc/self/fd")),
        threads=threading.active_count(),
        memory=resident(),
    )


def growth(counts: Sequence[Usage]) -> list[str]:
    """What has grown over the counts, a line each.

    Passes keep the GL objects that they made at their first use, so these count only if they grow each time;
    memory counts beyond `DRIFT`.
    """
    first, last = counts[0], counts[-1]
    objects = [each.gl_objects for each in counts]
    lines = [f"GL objects: {objects}"] if objects == sorted({*objects}) else []
    pairs = {
        "descriptors": (first.descriptors, last.descriptors),
        "threads": (first.threads, last.threads),
    }
    lines += [f"{name}: {old} before, {new} after" for name, (old, new) in pairs.items() if new > old]
    if last.memory > first.memory * (1 + DRIFT):
        lines.append(f"memory: {last.memory / first.memory - 1:.1%} more")
    return lines


def _is_alive(item: object) -> bool:
    """Whether a GL object was made and not released; framebuffer 0 is the driver's own."""
    made = type(item) in GL_OBJECTS and not isinstance(getattr(item, "mglo", None), moderngl.InvalidObject)
    return made and not (isinstance(item, moderngl.Framebuffer) and item.glo == 0)


def _trim() -> None:
    """Give freed memory of the C library back to the system, which it would keep for later."""
    import ctypes

    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (AttributeError, OSError):
        return
