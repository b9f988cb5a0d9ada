"""Batches on a Dask cluster: its workers perform the same task as local processes, with the same results.

The files are sent in chunks that take about half a second. Each thread of a worker has a process of its own
for the task, as in `WorkerPool`, so a file that hangs or grows does not cost the worker. When a worker is
lost, Dask performs its chunks again on others.
"""

from __future__ import annotations

import logging
import pickle
import time
import warnings
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from msgspec import Struct

from viewer import __version__
from viewer.errors import ResourceError, ViewerError
from viewer.library.batches import PATIENCE, Task
from viewer.library.cluster_worker import Chunk, Limits, perform, release
from viewer.library.messages import pickled
from viewer.library.worker_pool import MEMORY, SECONDS, Outcome, here

if TYPE_CHECKING:
    from distributed import Client, Future

EXTRA = "pip install 'rigscope[cluster]'"
CONNECTING = 10.0
"""Seconds in which the scheduler has to answer, and a first worker has to be there."""
CHUNK, FIRST, LARGEST = 0.5, 4, 512
"""Seconds that a chunk should take, the files of the first ones, and the most files of one."""
FASTER = 4
"""Later chunks have at most so many times the files of those before."""
AHEAD = 2
"""Chunks for each thread of the cluster that are sent ahead."""
COUNTED = 2.0
"""Seconds after which the threads of the cluster are counted again."""


class ClusterRunner(Struct, frozen=True):
    """Performs batches on the cluster whose scheduler has this address; the limits are those of `WorkerPool`.

    ResourceError if Dask is not installed, or the cluster cannot be reached or has no workers.
    """

    address: str
    seconds: float | None = SECONDS
    memory: int = MEMORY

    def run(self, task: Task, calls: Iterable[tuple[Any, ...]]) -> Iterator[Outcome]:
        """See Runner."""
        limits = Limits(self.seconds, self.memory)
        with _connected(self.address) as client:
            batch = _Batch(client, Chunk(uuid4().hex, __version__, pickled(task), limits, here(), ()))
            try:
                yield from batch.outcomes(calls)
            finally:
                batch.close()


@contextmanager
def _connected(address: str) -> Iterator[Client]:
    """A client of the cluster."""
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
    try:
        _wait_for_workers(client, address)
        yield client
    finally:
        client.close(timeout=CONNECTING)


def _wait_for_workers(client: Client, address: str) -> None:
    end = time.monotonic() + CONNECTING
    while not client.nthreads():
        if time.monotonic() > end:
            raise ResourceError(f"the cluster {address} has no workers: dask worker {address} starts one")
        time.sleep(0.1)


class _Batch:
    """The chunks of a batch on their way. `first` has everything but the calls."""

    def __init__(self, client: Client, first: Chunk) -> None:
        self._client = client
        self._first = first
        self._finished: SimpleQueue[Future] = SimpleQueue()
        self._sent: dict[Future, tuple[tuple[Any, ...], ...]] = {}
        self._size = FIRST
        self._slots, self._counted = 1, 0.0

    def outcomes(self, calls: Iterable[tuple[Any, ...]]) -> Iterator[Outcome]:
        """The outcomes as their chunks arrive."""
        waiting = deque(calls)
        while waiting or self._sent:
            self._count()
            while waiting and len(self._sent) < AHEAD * self._slots:
                self._send(waiting)
            try:
                future = self._finished.get(timeout=PATIENCE)
            except Empty:
                self._check()
                continue
            yield from self._received(future)

    def close(self) -> None:
        """Cancel what is left, and end the processes of the workers."""
        with suppress(Exception):
            self._client.cancel(list(self._sent), force=True)
        with suppress(Exception):
            self._client.run(release, self._first.batch, on_error="ignore")

    def _count(self) -> None:
        """Count the threads of the cluster, now and then: workers come and go."""
        now = time.monotonic()
        if now - self._counted > COUNTED:
            self._counted = now
            self._slots = max(sum(self._client.nthreads().values()), 1)

    def _check(self) -> None:
        """ViewerError if the scheduler is gone."""
        if self._client.status != "running":
            raise ViewerError("the connection to the cluster is lost")

    def _send(self, waiting: deque[tuple[Any, ...]]) -> None:
        """Send a chunk; the last ones are smaller, so that all workers end at the same time."""
        fair = -(-len(waiting) // (AHEAD * self._slots))
        size = min(self._size, fair)
        calls = tuple(waiting.popleft() for _ in range(size))
        future = self._client.submit(perform, pickled(self._first._replace(calls=calls)), pure=False)
        self._sent[future] = calls
        future.add_done_callback(self._finished.put)

    def _received(self, future: Future) -> Iterator[Outcome]:
        """The outcomes of a chunk."""
        calls = self._sent.pop(future)
        if future.status == "finished":
            seconds, outcomes = pickle.loads(future.result())
            wanted = CHUNK / max(seconds, CHUNK / LARGEST)
            self._size = max(round(min(wanted, FASTER * self._size)), 1)
            yield from outcomes
            return
        if future.status != "error":
            raise ViewerError("the connection to the cluster is lost")
        error = future.exception()
        if type(error).__name__ != "KilledWorker":
            raise ViewerError(f"the workers of the cluster cannot do this: {error}") from error
        yield from (
            Outcome(call[0], None, "the workers of the cluster that read it were lost") for call in calls
        )
