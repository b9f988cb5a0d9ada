"""Batches on a Dask cluster, with the same tasks and results as on this machine.

Each thread of a Dask worker runs the task in a process of its own, with the limits of `WorkerPool`. A file
that hangs or takes too much memory therefore does not end the worker. If a worker is lost, Dask gives its
files to other workers.
"""

from __future__ import annotations

import gc
import logging
import multiprocessing
import pickle
import threading
import time
import warnings
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

from msgspec import Struct

from viewer import __version__
from viewer.errors import ResourceError, ViewerError
from viewer.library.outcome import Outcome
from viewer.library.workers.batches import TICK, outcomes_of
from viewer.library.workers.pool import (
    MEMORY,
    SECONDS,
    ProcessEndedError,
    WorkerPool,
    WorkerTask,
    process_context,
)
from viewer.library.workers.worker import Call, ProcessContext

if TYPE_CHECKING:
    from distributed import Client, Future

EXTRA = "pip install 'rigscope[cluster]'"
CONNECTING = 10.0
"""Seconds to wait for the scheduler's answer, and then for the first worker."""
TASK_SECONDS = 0.5
"""The time in seconds that a Dask task should take. A task has several calls if they are short, because Dask
needs milliseconds for each task.
"""
GROWTH = 4
"""The largest ratio of the number of calls in a Dask task to the number in an earlier task."""
AHEAD = 2
"""The number of Dask tasks for each thread of the cluster that are sent before their results arrive."""


class ClusterRunner(Struct, frozen=True):
    """Runs batches on the cluster with the scheduler at `address`; the limits are those of `WorkerPool`."""

    address: str
    seconds: float | None = SECONDS
    memory: int = MEMORY

    def run(self, task: WorkerTask, calls: Iterable[Call]) -> Iterator[Outcome]:
        """Implement `Runner.run`. Raises ResourceError without Dask, and for a cluster that is unreachable or
        has no workers.
        """
        limits = self.seconds, self.memory, process_context()
        batch = ClusterBatch(uuid4().hex, __version__, pickle.dumps(task), *limits)
        return outcomes_of(ClusterWorkers(_connected(self.address), batch), calls)


class ClusterBatch(NamedTuple):
    """The data that a Dask worker needs for a batch; see `WorkerPool` for the fields."""

    name: str
    version: str
    task: bytes
    seconds: float | None
    memory: int
    context: ProcessContext


class ClusterWorkers:
    """Runs the task of a batch on the workers of a cluster. See `Workers`."""

    def __init__(self, client: Client, batch: ClusterBatch) -> None:
        self._client = client
        self._batch = batch
        self._waiting: deque[Call] = deque()
        self._sent: dict[Future, tuple[Call, ...]] = {}
        self._done: SimpleQueue[Future] = SimpleQueue()
        self._calls_each = 1
        self.jobs = max(sum(client.nthreads().values()), 1)

    @property
    def pending(self) -> int:
        """Implement `Workers.pending`."""
        return len(self._waiting) + sum(map(len, self._sent.values()))

    def submit(self, path: str, *more: Any) -> None:
        """Implement `Workers.submit`."""
        self._waiting.append((path, *more))
        self._send_waiting()

    def _send_waiting(self) -> None:
        """Send waiting calls as Dask tasks. The last tasks are smaller, so that all workers end together."""
        most = AHEAD * self.jobs
        while self._waiting and len(self._sent) < most:
            share = -(-len(self._waiting) // most)
            number = min(self._calls_each, share)
            self._send(tuple(self._waiting.popleft() for _ in range(number)))

    def _send(self, calls: tuple[Call, ...]) -> None:
        future = self._client.submit(perform_calls, self._batch, calls, pure=False)
        self._sent[future] = calls
        future.add_done_callback(self._done.put)

    def poll(self, timeout: float = 0.0) -> list[Outcome]:
        """Implement `Workers.poll`. Raises ViewerError if the connection is lost or the workers cannot run
        the task.
        """
        done: list[Future] = []
        try:
            done.append(self._done.get(timeout=timeout if self._sent else 0))
            while True:
                done.append(self._done.get_nowait())
        except Empty:
            pass
        if not done and self._client.status != "running":
            raise ViewerError("the connection to the cluster is lost")
        outcomes = [lost for each in done if each.status != "finished" for lost in self._lost(each)]
        finished = [each for each in done if each.status == "finished"]
        for future, message in zip(finished, self._client.gather(finished), strict=True):
            calls = self._sent.pop(future)
            seconds, found = pickle.loads(message)
            wanted = round(len(calls) * TASK_SECONDS / max(seconds, 1e-3))
            self._calls_each = max(min(wanted, GROWTH * len(calls)), 1)
            outcomes += found
        self._send_waiting()
        return outcomes

    def close(self) -> None:
        """Cancel the remaining calls, and end the processes on the workers."""
        with suppress(Exception):
            self._client.cancel(list(self._sent), force=True)
        with suppress(Exception):
            self._client.run(release, self._batch.name, on_error="ignore")
        self._client.close(timeout=CONNECTING)

    def _lost(self, future: Future) -> list[Outcome]:
        """Return the outcome of a file whose workers were lost. Several files are sent again, each as a task
        of its own. Raise ViewerError for any other failure.
        """
        if future.status != "error":
            raise ViewerError("the connection to the cluster is lost")
        error = future.exception()
        if type(error).__name__ != "KilledWorker":
            raise ViewerError(f"the workers of the cluster cannot run the task: {error}") from error
        calls = self._sent.pop(future)
        if len(calls) > 1:
            for call in calls:
                self._send((call,))
            return []
        lost = ProcessEndedError("the workers of the cluster that read the file were lost")
        return [Outcome(calls[0][0], error=lost)]


def _connected(address: str) -> Client:
    """Connect to a cluster, and wait for its first worker."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        from distributed import Client
    except ImportError as error:
        raise ResourceError(f"--cluster needs Dask: {EXTRA} ({error})") from error
    client = None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Dask warns if its versions differ
            client = Client(address, timeout=CONNECTING, set_as_default=False)
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        why = " ".join(str(error).split()) or "no answer"
    if client is None:
        # The failed client ends here. A later collection might end it while Dask holds a lock that its end
        # needs, and then the next client would wait forever.
        gc.collect()
        raise ResourceError(f"the cluster {address} cannot be reached: {why}")
    end = time.monotonic() + CONNECTING
    while not client.nthreads():
        if time.monotonic() > end:
            client.close(timeout=CONNECTING)
            raise ResourceError(f"the cluster {address} has no workers: start one with dask worker {address}")
        time.sleep(0.1)
    return client


_pools: dict[int, tuple[str, WorkerPool]] = {}
"""On a Dask worker: for each thread id, the name of the batch and the pool in which the thread runs its
calls.
"""


def perform_calls(batch: ClusterBatch, calls: Sequence[Call]) -> bytes:
    """On a Dask worker: run calls and return, pickled, how many seconds they took, and their outcomes.

    Raises ViewerError for another version of the program and for a batch that has ended.
    """
    if batch.version != __version__:
        raise ViewerError(
            f"a worker has rigscope {__version__}, this program is {batch.version}: install one version"
        )
    begun, pool, outcomes = time.monotonic(), _pool(batch), list[Outcome]()
    for call in calls:
        if _pools.get(threading.get_ident()) != (batch.name, pool):  # `release` has closed the pool
            break
        pool.submit(*call)
    while pool.pending:
        outcomes += pool.poll(TICK)
    if len(outcomes) < len(calls):
        raise ViewerError("the batch has ended")
    return pickle.dumps((time.monotonic() - begun, outcomes))


def release(name: str) -> None:
    """On a Dask worker: end the processes of a batch."""
    for thread, (batch, pool) in list(_pools.items()):
        if batch == name:
            _pools.pop(thread, None)
            pool.close()


def _pool(batch: ClusterBatch) -> WorkerPool:
    """Return the pool of this thread for a batch; close the pool of an earlier batch."""
    thread = threading.get_ident()
    name, pool = _pools.get(thread, ("", None))
    if pool is not None and name == batch.name:
        return pool
    if pool is not None:
        pool.close()
    # Dask starts its workers as daemons, which may not start processes. The processes of the pool end with
    # their parent anyway.
    multiprocessing.current_process()._config["daemon"] = False  # type: ignore[attr-defined]
    pool = WorkerPool(
        batch.task, 1, batch.seconds, batch.memory, nice=0, context=batch.context, one_task=True
    )
    _pools[thread] = batch.name, pool
    return pool
