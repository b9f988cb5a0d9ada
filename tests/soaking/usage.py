"""What a program holds: GL objects, documents, descriptors, threads and memory."""

from __future__ import annotations

import gc
import os
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import _lru_cache_wrapper
from typing import Any

import moderngl
from msgspec import Struct, field

from tests.fuzzing.memory import resident
from tests.soaking.memory_kinds import memory_kinds
from viewer.lru import RecentValues
from viewer.scene.document import Document

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


class Usage(Struct, frozen=True):
    """The counts at one time; `memory` is the resident memory in bytes. `documents` are those in memory, open
    or not, `kinds` the numbers of GL objects by class, and `memory_kinds` the bytes as `memory_kinds` tells
    them apart."""

    gl_objects: int
    descriptors: int
    threads: int
    memory: int
    documents: int = 0
    kinds: Mapping[str, int] = field(default_factory=dict)
    memory_kinds: Mapping[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        made = f"{self.gl_objects} GL objects, {self.documents} documents"
        return (
            f"{made}, {self.descriptors} descriptors, {self.threads} threads, {self.memory / 2**20:.1f} MiB"
        )


def usage(context: moderngl.Context | None = None) -> Usage:
    """The counts now, after what nobody uses any more is freed, and what caches of limited size hold, which
    takes longer than a soak to fill them. GL objects of the `context` that were lost without a release count
    too.
    """
    _empty_caches()
    gc.collect()
    lost = [] if context is None else _lost(context)
    _trim()
    kinds = Counter(type(each).__name__ for each in gc.get_objects() if _is_alive(each))
    kinds += Counter(f"lost {type(each).__name__}" for each in lost)
    return Usage(
        gl_objects=kinds.total(),
        descriptors=len(os.listdir("/proc/self/fd")),
        threads=threading.active_count(),
        memory=resident(),
        documents=sum(type(each) is Document for each in gc.get_objects()),
        kinds=kinds,
        memory_kinds=memory_kinds(),
    )


def growth(counts: Sequence[Usage]) -> list[str]:
    """What has grown over the counts, a line each.

    All documents are closed: any that is alive in the last count is told. Passes keep the GL objects that
    they made at their first use, so these count only if they grow each time; memory counts beyond `DRIFT`.
    """
    first, last = counts[0], counts[-1]
    objects = [each.gl_objects for each in counts]
    lines = [f"GL objects: {objects}"] if objects == sorted({*objects}) else []
    lines += [f"{last.documents} closed documents in memory"] if last.documents else []
    pairs = {
        "descriptors": (first.descriptors, last.descriptors),
        "threads": (first.threads, last.threads),
    }
    lines += [f"{name}: {old} before, {new} after" for name, (old, new) in pairs.items() if new > old]
    if last.memory > first.memory * (1 + DRIFT):
        lines.append(f"memory: {last.memory / first.memory - 1:.1%} more")
    return lines


def by_kind(first: Usage, last: Usage) -> list[str]:
    """Every kind of memory in MiB and the kinds of GL objects whose number has changed, a line each."""
    objects = sorted({*first.kinds, *last.kinds})
    pairs = [(name, first.kinds.get(name, 0), last.kinds.get(name, 0)) for name in objects]
    lines = [f"{name}: {old} before, {new} after" for name, old, new in pairs if old != new]
    memory = [
        f"{name}: {first.memory_kinds.get(name, 0) / 2**20:.1f} MiB before, {new / 2**20:.1f} MiB after"
        for name, new in last.memory_kinds.items()
    ]
    return lines + memory


def _is_alive(item: object) -> bool:
    """Whether a GL object was made and not released; framebuffer 0 is the driver's own."""
    made = type(item) in GL_OBJECTS and not isinstance(getattr(item, "mglo", None), moderngl.InvalidObject)
    return made and not (isinstance(item, moderngl.Framebuffer) and item.glo == 0)


def _lost(context: moderngl.Context) -> list[Any]:
    """The GL objects whose Python objects died before a release. moderngl keeps them, and something in place
    of each that was released, which is dropped here.
    """
    found = [each for each in context.objects if not isinstance(each, moderngl.InvalidObject)]
    context.objects.clear()
    context.objects.extend(found)
    return found


def _empty_caches() -> None:
    """Empty the caches of limited size. A cache without a limit keeps its values, because it is a leak."""
    for each in gc.get_objects():
        if isinstance(each, RecentValues):
            each._kept.clear()
            each._bytes = 0
        elif isinstance(each, _lru_cache_wrapper) and each.cache_parameters()["maxsize"] is not None:
            each.cache_clear()


def _trim() -> None:
    """Give freed memory of the C library back to the system, which it would keep for later."""
    import ctypes

    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (AttributeError, OSError):
        return
