"""Worker processes of this machine, with a limit of time and of memory for each file.

A file that hangs, takes too much memory or crashes ends its process and gets an error; other processes
continue with the remaining files. Processes are spawned instead of forked, because a window has threads and
an OpenGL context.
"""

from __future__ import annotations

import os
import pickle
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple

from viewer.errors import ViewerError, words_of
from viewer.family.registry import complain, uses_plugins
from viewer.library.outcome import Outcome
from viewer.library.workers.worker import (
    NO_MEMORY,
    TERMINATION,
    Call,
    ProcessContext,
    Setup,
    TaskError,
    TaskImportError,
    described,
    enter,
    perform,
)

if TYPE_CHECKING:
    from concurrent.futures import Future
    from multiprocessing.connection import Connection

    from pebble import ProcessPool

SECONDS, MEMORY = 60.0, 1 << 30
"""Default limits of a file: time in seconds, memory in bytes."""
NICE = 10
"""Niceness of workers while a window is open."""
RETRIES = 3
"""Limit of the retries of a file, and of the restarts of a pool between two outcomes.

A file is tried again if its process had worked on other files before the process ended.
"""

READING = 1.0
"""Longest time in seconds to read the messages of an ended process."""

WorkerTask = Callable[..., Any]
"""A picklable function without side effects: the first argument is a path, further arguments are plain
values.
"""


class ProcessEndedError(ViewerError):
    """A file took too long or too much memory, or ended its process; another try would fail too."""


class _Running(NamedTuple):
    """A call that waits or runs; `tries` attempts have failed."""

    call: Call
    tries: int = 0


class WorkerPool:
    """Runs `task(path, *more)` in `jobs` processes, in the order of `submit`.

    A process runs one file after another and keeps the state of the task's module, such as an OpenGL context.
    `seconds` limits a file (None: no limit). `memory` limits a process in bytes, where the system enforces
    it. `nice` lowers the priority. `context` is what the processes take over, by default from this process.
    All files may be `one_task` that tests each project once, see `viewer.storage.tested`. Other threads call
    `notify` when `poll` has new outcomes. All methods must be called by one thread.
    """

    def __init__(
        self,
        task: WorkerTask | bytes,
        jobs: int,
        seconds: float | None = SECONDS,
        memory: int = MEMORY,
        *,
        nice: int = NICE,
        context: ProcessContext | None = None,
        one_task: bool = False,
        notify: Callable[[], None] = lambda: None,
    ) -> None:
        pickled = task if isinstance(task, bytes) else pickle.dumps(task)
        self._setup = Setup(pickled, seconds, memory, nice, context or process_context(), one_task)
        self.jobs = max(jobs, 1)
        self._notify = notify
        self._pool: ProcessPool | None = None
        self._running: dict[Future[bytes], _Running] = {}
        self._done: SimpleQueue[Future[bytes]] = SimpleQueue()
        self._used: set[int] = set()
        self._restarts = 0

    @property
    def pending(self) -> int:
        """The number of files without an outcome."""
        return len(self._running)

    def submit(self, path: str, *more: Any) -> None:
        """Queue the call `task(path, *more)`. Raises ViewerError if no worker process starts."""
        self._send(_Running((path, *more)))

    def poll(self, timeout: float = 0.0) -> list[Outcome]:
        """Return the outcomes since the last call; wait up to `timeout` seconds for the first outcome.

        Raises ViewerError if no worker process starts.
        """
        outcomes: list[Outcome] = []
        try:
            future = self._done.get(timeout=timeout if self._running else 0)
            while True:
                outcomes += self._outcomes(future)
                future = self._done.get_nowait()
        except Empty:
            if self._running and not (self._pool is not None and self._pool.active):
                self._restart("all processes have ended")
            return outcomes

    def close(self) -> None:
        """End all processes without waiting for their files, which get no outcome."""
        self._running.clear()
        self._used.clear()
        if self._pool is not None:
            self._lifeline.close()
            self._pool.stop()
            self._pool.join()
            self._pool = None

    def _send(self, running: _Running) -> None:
        if self._pool is None:
            self._pool, self._lifeline = _started(self.jobs, self._setup)
        try:
            future = self._pool.schedule(perform, (running.call,), timeout=self._setup.seconds)
        except RuntimeError as error:  # pebble raises this error after all processes have ended
            self._restart(str(error), running)
            return
        self._running[future] = running
        future.add_done_callback(self._take)

    def _take(self, future: Future[bytes]) -> None:
        """In a thread of the pool: queue a finished call for `poll`."""
        self._done.put(future)
        self._notify()

    def _outcomes(self, future: Future[bytes]) -> Iterator[Outcome]:
        """Yield the outcome of a finished call; nothing if it is tried again or the pool is closed."""
        from pebble import ProcessExpired

        running = self._running.pop(future, None)
        if running is None:
            return
        path, error = running.call[0], future.exception()
        if error is None:
            self._restarts = 0
            yield self._received(path, future.result())
        elif isinstance(error, ProcessExpired):
            # an earlier file may have caused the end of the process
            if error.pid in self._used and running.tries < RETRIES:
                self._send(running._replace(tries=running.tries + 1))
            else:
                yield Outcome(path, error=self._ended(error.exitcode))
        elif isinstance(error, TimeoutError):
            yield Outcome(path, error=ProcessEndedError(f"takes longer than {self._setup.seconds:g} s"))
        else:
            self._restart(str(error), running)

    def _received(self, path: str, message: bytes) -> Outcome:
        """Read the outcome from a process's message."""
        try:
            pid, value, error, faults = pickle.loads(message)
        except Exception as wrong:
            return Outcome(path, error=TaskError(f"the result cannot be read: {described(wrong)}"))
        for line in faults:
            complain(line)
        if isinstance(error, TaskImportError):
            raise ViewerError(f"no worker process starts: {error}")
        self._used.add(pid)
        return Outcome(path, value, error)

    def _ended(self, status: int) -> ProcessEndedError:
        """Return the error for the exit status of a process."""
        if status == NO_MEMORY:
            return ProcessEndedError(f"needs more than {_binary(self._setup.memory)} of memory")
        kind = f"signal {-status}" if status < 0 else f"status {status}"
        return ProcessEndedError(f"the worker process ended ({kind})")

    def _restart(self, why: str, *first: _Running) -> None:
        """After all processes have ended, start new processes for the files without an outcome."""
        waiting = [*first, *self._running.values()]
        self.close()
        self._restarts += 1
        if self._restarts >= RETRIES:
            raise ViewerError(f"no worker process starts: {why}")
        for each in waiting:
            self._send(each)


def process_context() -> ProcessContext:
    """Return what worker processes take over from this process."""
    try:
        folder = os.getcwd()
    except OSError:  # the current folder was removed
        folder = None
    return ProcessContext(folder, uses_plugins())


def _started(jobs: int, setup: Setup) -> tuple[ProcessPool, Connection]:
    """Start a pool; its processes end when the returned connection is closed.

    Raises ViewerError if no process starts.
    """
    from multiprocessing import get_context

    from pebble import CONSTS, ProcessPool

    CONSTS.term_timeout = TERMINATION
    context = get_context("spawn")
    lifeline, ours = context.Pipe(duplex=False)
    pool = ProcessPool(jobs, initializer=enter, initargs=(setup, lifeline), context=context)
    try:
        with _interrupts_blocked():
            started = pool.active
    except (OSError, RuntimeError) as error:
        raise ViewerError(f"no worker process starts: {words_of(error)}") from error
    assert started, "the pool is new"
    _read_messages_first(pool)
    return pool, ours


def _read_messages_first(pool: ProcessPool) -> None:
    """Make the pool read a process's messages before it handles the end of that process.

    Without this change, pebble 5.2 assigns the error to the previous file if the result of the previous file
    is still unread. pebble then waits until the time limit of the file that ended the process.
    """
    manager = pool._pool_manager
    channel, handle = manager.worker_manager.pool_channel, manager.handle_worker_expiration

    def handle_late(expiration: tuple[int, int]) -> None:
        """Handle the end of a process after its messages are read."""
        until = time.monotonic() + READING
        while channel is not None and channel.poll(0) and time.monotonic() < until:
            time.sleep(READING / 100)
        time.sleep(READING / 20)  # let the thread that has read the last message continue
        handle(expiration)

    manager.handle_worker_expiration = handle_late  # type: ignore[method-assign]


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Block SIGINT in this thread and its new processes, until the new processes ignore Ctrl+C themselves."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # called before SIGINT is blocked: the call unblocks SIGINT
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _binary(size: int) -> str:
    """Format a size in bytes with its unit."""
    return f"{size / (1 << 30):g} GiB" if size >= 1 << 30 else f"{size >> 20} MiB"
