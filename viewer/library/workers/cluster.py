"""Batches on a Dask cluster: its workers perform the same task as local processes, with the same results.

Each thread of a Dask worker has its own process for the task, as in `WorkerPool`: a file that hangs or takes
too much memory does not end the worker. Dask gives the files of a lost worker to other workers.
"""

from __future__ import annotations

import logging
import multiprocessing
import pickle
import threading
import time
import warnings
from collections.abc import Iterable, Iterator
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

from msgspec import Struct

from viewer import __version__
from viewer.errors import ResourceError, ViewerError
from viewer.library.outcome import Outcome
from viewer.library.workers.batches import TICK, outcomes_of
from viewer.library.workers.pool import MEMORY, SECONDS, ProcessEndedError, Task, WorkerPool, reading_context
from viewer.library.workers.worker import Call, ReadingContext

if TYPE_CHECKING:
    from distributed import Client, Future

EXTRA = "pip install 'rigscope[cluster]'"
CONNECTING = 10.0
"""Seconds within which the scheduler has to answer and a first worker has to appear."""


class ClusterRunner(Struct, frozen=True):
    """Runs batches on the cluster whose scheduler has this address; the limits are those of `WorkerPool`."""

    address: str
    seconds: float | None = SECONDS
    memory: int = MEMORY

    def run(self, task: Task, calls: Iterable[Call]) -> Iterator[Outcome]:
        """See Runner. ResourceError without Dask, and if the cluster is unreachable or has no workers."""
        limits = self.seconds, self.memory, reading_context()
        batch = ClusterBatch(uuid4().hex, __version__, pickle.dumps(task), *limits)
        return outcomes_of(ClusterWorkers(_connected(self.address), batch), calls)


class ClusterBatch(NamedTuple):
    """The data that a Dask worker needs for a batch; the fields are those of `WorkerPool`."""

    name: str
    version: str
    task: bytes
    seconds: float | None
    memory: int
    context: ReadingContext


class ClusterWorkers:
    """The workers of a cluster, which perform the task of a batch. See `WorkerPool`."""

    def __init__(self, client: Client, batch: ClusterBatch) -> None:
        self._client = client
        self._batch = batch
        self._sent: dict[Future, str] = {}
        self._done: SimpleQueue[Future] = SimpleQueue()
        self.jobs = max(sum(client.nthreads().values()), 1)

    @property
    def pending(self) -> int:
        """See Workers."""
        return len(self._sent)

    def submit(self, path: str, *more: Any) -> None:
        """See Workers."""
        future = self._client.submit(perform_call, self._batch, (path, *more), pure=False)
        self._sent[future] = path
        future.add_done_callback(self._done.put)

    def poll(self, timeout: float = 0.0) -> list[Outcome]:
        """See Workers. ViewerError if the connection is lost, or the workers cannot perform the task."""
        done: list[Future] = []
        try:
            done.append(self._done.get(timeout=timeout if self._sent else 0))
            while True:
                done.append(self._done.get_nowait())
        except Empty:
            pass
        if not done and self._client.status != "running":
            raise ViewerError("the connection to the cluster is lost")
        outcomes = [self._lost(each) for each in done if each.status != "finished"]
        finished = [each for each in done if each.status == "finished"]
        for future, message in zip(finished, self._client.gather(finished), strict=True):
            del self._sent[future]
            outcomes.append(pickle.loads(message))
        return outcomes

    def close(self) -> None:
        """Cancel the remaining calls, and end the processes of the workers."""
        with suppress(Exception):
            self._client.cancel(list(self._sent), force=True)
        with suppress(Exception):
            self._client.run(release, self._batch.name, on_error="ignore")
        self._client.close(timeout=CONNECTING)

    def _lost(self, future: Future) -> Outcome:
        """The outcome of a file whose workers were lost; ViewerError for any other failure."""
        if future.status != "error":
            raise ViewerError("the connection to the cluster is lost")
        error = future.exception()
        if type(error).__name__ != "KilledWorker":
            raise ViewerError(f"the workers of the cluster cannot do this: {error}") from error
        lost = ProcessEndedError("the workers of the cluster that read it were lost")
        return Outcome(self._sent.pop(future), error=lost)


def _connected(address: str) -> Client:
    """A client of a cluster with workers."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        from distributed import Client
    except ImportError as error:
        raise ResourceError(f"--cluster needs Dask: {EXTRA} ({error})") from error
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about versions of Dask
            client = Client(address, timeout=CONNECTING, set_as_default=False)
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        why = " ".join(str(error).split()) or "nobody answers"
        raise ResourceError(f"the cluster {address} cannot be reached: {why}") from error
    end = time.monotonic() + CONNECTING
    while not client.nthreads():
        if time.monotonic() > end:
            client.close(timeout=CONNECTING)
            raise ResourceError(f"the cluster {address} has no workers: dask worker {address} starts one")
        time.sleep(0.1)
    return client


_pools: dict[int, tuple[str, WorkerPool]] = {}
"""On a Dask worker: the process of each thread, and the name of its batch."""


def perform_call(batch: ClusterBatch, call: Call) -> bytes:
    """On a Dask worker: the pickled outcome of a call. ViewerError for another version of the program and for
    a released batch.
    """
    if batch.version != __version__:
        raise ViewerError(f"a worker has rigscope {__version__}, this is {batch.version}")
    pool = _pool(batch)
    pool.submit(*call)
    while pool.pending:
        for outcome in pool.poll(TICK):
            return pickle.dumps(outcome)
    raise ViewerError("the batch has ended")


def release(name: str) -> None:
    """On a Dask worker: end the processes of a batch."""
    for thread, (batch, pool) in list(_pools.items()):
        if batch == name:
            _pools.pop(thread, None)
            pool.close()


def _pool(batch: ClusterBatch) -> WorkerPool:
    """The pool of this thread for a batch; closes that of another batch."""
    thread = threading.get_ident()
    name, pool = _pools.get(thread, ("", None))
    if pool is not None and name == batch.name:
        return pool
    if pool is not None:
        pool.close()
    # Dask starts its workers as daemons, which may start no processes; these end with their parent anyway.
    multiprocessing.current_process()._config["daemon"] = False  # type: ignore[attr-defined]
    pool = WorkerPool(batch.task, 1, batch.seconds, batch.memory, nice=0, context=batch.context)
    _pools[thread] = batch.name, pool
    return pool
