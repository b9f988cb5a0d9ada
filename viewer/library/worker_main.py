"""A worker process: it receives calls of one task through a pipe and sends back the results.

It ends when the pipe is closed: within a moment if it is idle, and with the `with` blocks of its task closed
if it is not. It takes no notice of Ctrl+C, which is for the program that started it.
"""

from __future__ import annotations

import gc
import io
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable
from queue import SimpleQueue
from typing import IO, Any, NoReturn

from viewer.arrays import damaged_numbers
from viewer.errors import ViewerError
from viewer.library.messages import GRACE, Answer, Setup, Surroundings, pickled, receive, send

NO_MEMORY = pickled((Answer.MEMORY,))
ORPHAN = 5.0
"""Seconds after the time limit at which the process ends by itself, if nobody is left to end it."""


class _StopError(BaseException):
    """The program does not wait for the result any more. No `except Exception` hides it."""


def main() -> NoReturn:
    """Perform calls until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _stop)
    calls, answers = _channels()
    try:
        _work(calls, answers)
    except (_StopError, OSError):
        pass
    finally:
        os._exit(0)


def _channels() -> tuple[IO[bytes], IO[bytes]]:
    """The pipes of calls and of answers, out of the reach of libraries that print."""
    calls = io.BufferedReader(io.FileIO(os.dup(0), "rb"))
    answers = io.BufferedWriter(io.FileIO(os.dup(1), "wb"))
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    return calls, answers


def _work(calls: IO[bytes], answers: IO[bytes]) -> None:
    first = receive(calls)
    if first is None:
        return
    setup: Setup = pickle.loads(first)
    sys.path[:] = setup.sys_path
    _limit(setup)
    inbox: SimpleQueue[bytes | None] = SimpleQueue()
    threading.Thread(target=_listen, args=(calls, inbox), daemon=True).start()
    message = inbox.get()
    if message is None:
        return
    try:
        task = _imported(message)
        _enter(setup.surroundings)
    except Exception as error:
        send(answers, pickled((Answer.UNABLE, described(error))))
        return
    send(answers, pickled((Answer.READY,)))
    with damaged_numbers():
        while (message := inbox.get()) is not None:
            answer = _answer(task, message, setup.seconds)
            send(answers, answer)
            if answer == NO_MEMORY:
                return


def _limit(setup: Setup) -> None:
    """Lower the priority and set the limit of memory, where the system can."""
    if hasattr(os, "nice"):
        os.nice(setup.nice)
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = setup.memory if hard == resource.RLIM_INFINITY else min(setup.memory, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


def _listen(calls: IO[bytes], inbox: SimpleQueue[bytes | None]) -> None:
    """Pass the calls on, and end the process when there will be no more."""
    while (message := receive(calls)) is not None:
        inbox.put(message)
    inbox.put(None)
    if hasattr(signal, "pthread_kill"):  # also wakes a call of the system
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGTERM)
    else:
        signal.raise_signal(signal.SIGTERM)
    time.sleep(GRACE)
    os._exit(1)


def _stop(number: int, frame: object) -> None:
    raise _StopError


def _imported(message: bytes) -> Callable[..., Any]:
    """The task. What it imports stays, so the garbage collector need not look at it."""
    gc.disable()
    task: Callable[..., Any] = pickle.loads(message)
    gc.freeze()
    gc.enable()
    return task


def _enter(surroundings: Surroundings) -> None:
    """Read files as the program does."""
    if surroundings.largest is not None:
        from viewer.storage.reading import limit_sizes

        limit_sizes(surroundings.largest)
    if surroundings.resources:
        from viewer.storage.resource_folders import give_resources

        give_resources(surroundings.resources)


def _answer(task: Callable[..., Any], message: bytes, seconds: float | None) -> bytes:
    """Perform one call."""
    if seconds is not None and hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds + ORPHAN)
    try:
        return pickled((Answer.DONE, task(*pickle.loads(message))))
    except MemoryError:
        return NO_MEMORY
    except Exception as error:
        return pickled((Answer.FAILED, described(error), type(error).__name__))
    finally:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)


def described(error: Exception) -> str:
    """The text of an error in one line; of one that is not expected the class comes first."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    text = " ".join(str(error).split())
    return text if isinstance(error, ViewerError) else f"{type(error).__name__}: {text}"
