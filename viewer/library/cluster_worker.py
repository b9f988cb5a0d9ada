"""What a worker of a Dask cluster does with a chunk of files: a process of its own performs the task."""

from __future__ import annotations

import pickle
import threading
import time
from typing import Any, NamedTuple

from viewer import __version__
from viewer.errors import ViewerError
from viewer.library.messages import Surroundings, pickled
from viewer.library.worker_pool import Outcome, WorkerPool

PATIENCE = 1.0
"""Seconds of one wait for outcomes."""


class Limits(NamedTuple):
    """The limits of a file: seconds (None: no limit), and bytes of memory."""

    seconds: float | None
    memory: int


class Chunk(NamedTuple):
    """Calls of a pickled task of the batch of this name."""

    batch: str
    version: str
    task: bytes
    limits: Limits
    surroundings: Surroundings
    calls: tuple[tuple[Any, ...], ...]


_pools: dict[int, tuple[str, WorkerPool]] = {}
"""The process of each thread, and the batch that it belongs to."""


def perform(message: bytes) -> bytes:
    """The seconds that a file of a pickled chunk took, and the outcomes of all, pickled.

    ViewerError if this worker has another version of the program.
    """
    chunk: Chunk = pickle.loads(message)
    if chunk.version != __version__:
        raise ViewerError(f"a worker has rigscope {__version__}, this is {chunk.version}")
    pool, begun, first = _pool(chunk), time.monotonic(), 0
    for call in chunk.calls:
        pool.submit(*call)
    outcomes: list[Outcome] = []
    while pool.pending:
        outcomes += pool.poll(PATIENCE)
        if 0 < len(outcomes) < len(chunk.calls) and not first:  # that may have been the start of the process
            begun, first = time.monotonic(), len(outcomes)
    return pickled(((time.monotonic() - begun) / max(len(outcomes) - first, 1), outcomes))


def release(batch: str) -> None:
    """End the processes of a batch."""
    for thread, (name, pool) in list(_pools.items()):
        if name == batch:
            _pools.pop(thread, None)
            pool.close()


def _pool(chunk: Chunk) -> WorkerPool:
    """The pool of this thread for a batch; that of another batch is closed."""
    thread = threading.get_ident()
    known = _pools.get(thread)
    if known is not None and known[0] == chunk.batch:
        return known[1]
    if known is not None:
        known[1].close()
    pool = WorkerPool(chunk.task, 1, *chunk.limits, nice=0, surroundings=chunk.surroundings)
    _pools[thread] = chunk.batch, pool
    return pool
