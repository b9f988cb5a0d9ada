"""The code in a worker process: it sets the limits, then runs one call of the task after another.

The process ignores Ctrl+C, because the main program handles it. It ends when the main program or its pool
ends.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import nullcontext, suppress
from multiprocessing.connection import Connection
from typing import Any, NamedTuple, NoReturn

from viewer.errors import FormatError, ViewerError

Call = tuple[Any, ...]
"""The arguments of a task; the first is the path."""
TERMINATION = 0.5
"""Seconds between the request to end and the kill; in this time the `with` blocks of a task close."""
UNATTENDED = 5.0
"""Seconds after the time limit at which the system ends the process if the pool does not."""
NO_MEMORY = 86
"""Exit status of a process that runs out of memory."""


class ProcessContext(NamedTuple):
    """What a worker process takes over from the program: the current folder (None: it was removed), and
    whether installed families are used.
    """

    folder: str | None
    plugins: bool = True


class Setup(NamedTuple):
    """The setup of a worker process.

    `task` is pickled. `seconds` limits a call (None: no limit). `memory` limits the process in bytes; `nice`
    lowers the priority of the process. All calls together may be `one_task`, see `tested_once`.
    """

    task: bytes
    seconds: float | None
    memory: int
    nice: int
    context: ProcessContext
    one_task: bool = False


class TaskError(ViewerError):
    """A task raised an exception that is no ViewerError; the text is one line."""


class TaskImportError(ViewerError):
    """The worker process cannot import the task."""


class _StopError(BaseException):
    """Ends a call whose result the program no longer waits for. No `except Exception` catches it."""


class _Worker:
    """The state of this worker process."""

    task: Callable[..., Any]
    seconds: float | None = None
    performing = False
    begun: float | None = None


def enter(setup: Setup, lifeline: Connection) -> None:
    """Prepare this process and import the task. If the import fails, every call raises the error of the
    import.

    The process ends when the other end of the pipe `lifeline` is closed.
    """
    signal.signal(signal.SIGTERM, _stop)
    threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()
    _silence()
    _limit(setup.memory, setup.nice)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    _Worker.seconds = setup.seconds
    _Worker.begun = time.monotonic() if setup.one_task else None
    gc.disable()
    try:
        _read_as(setup.context)
        _Worker.task = pickle.loads(setup.task)
    except Exception as error:
        why = TaskImportError(described(error))

        def fail(*call: Any) -> NoReturn:
            """Raise the error of the import."""
            raise why

        _Worker.task = fail
    gc.freeze()  # exempt the imported modules from later garbage collections
    gc.enable()


def perform(call: Call) -> bytes:
    """Run `task(*call)`; return the process id, the value, the error and new lines about plugins,
    pickled.
    """
    _Worker.performing = True
    try:
        if _Worker.seconds is not None and hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, _Worker.seconds + UNATTENDED)
        return _performed(call)
    except MemoryError:
        os._exit(NO_MEMORY)
    except _StopError:
        os._exit(0)
    finally:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)
        _Worker.performing = False


def _performed(call: Call) -> bytes:
    # Imported late, because it imports numpy, which reads the environment of `enter`.
    from viewer.arrays import damaged_numbers
    from viewer.storage.tested import tested_once

    try:
        with damaged_numbers(), nullcontext() if _Worker.begun is None else tested_once(_Worker.begun):
            value = _Worker.task(*call)
        return pickle.dumps((os.getpid(), value, None, _faults()), pickle.HIGHEST_PROTOCOL)
    except MemoryError:
        raise
    except Exception as error:
        return pickle.dumps((os.getpid(), None, portable(error), _faults()), pickle.HIGHEST_PROTOCOL)


def _faults() -> list[str]:
    """The new lines about plugins."""
    registry = sys.modules.get("viewer.family.registry")
    return registry.take_faults() if registry is not None else []


def portable(error: Exception) -> ViewerError:
    """Return a ViewerError unchanged if it can be pickled; convert any other error to a TaskError with its
    text.
    """
    if isinstance(error, FormatError):
        error.partial = None
    if isinstance(error, ViewerError):
        with suppress(Exception):
            pickle.loads(pickle.dumps(error))
            return error
    return TaskError(described(error))


def described(error: Exception) -> str:
    """Return the text of an error in one line; the text of an unexpected error begins with its class."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    text = " ".join(str(error).split())
    return text if isinstance(error, ViewerError) else f"{type(error).__name__}: {text}"


def _silence() -> None:
    """Redirect the standard streams to the null device, because libraries print."""
    null = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(null, stream)
    os.close(null)


def _limit(memory: int, nice: int) -> None:
    """Lower the priority and limit the memory, where the system supports it."""
    if sys.platform == "win32":
        import ctypes

        below_normal, kernel = 0x4000, ctypes.windll.kernel32
        kernel.GetCurrentProcess.restype = ctypes.c_void_p
        kernel.SetPriorityClass(ctypes.c_void_p(kernel.GetCurrentProcess()), below_normal)
        return
    import resource

    os.nice(nice)
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


def _read_as(context: ProcessContext) -> None:
    """Read paths in the folder of the program, with its plugins."""
    if context.folder is not None:
        os.chdir(context.folder)
    if not context.plugins:
        from viewer.family.registry import use_plugins

        use_plugins(False)


def _stop(number: int, frame: object) -> None:
    """End the process, or raise an exception in the running task, so that its `with` blocks close.

    Further signals are ignored: they would interrupt the closing. `TERMINATION` limits its time.
    """
    if _Worker.performing:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        raise _StopError
    os._exit(0)


def _end_with(lifeline: Connection) -> None:
    """In a thread: wait until the other end of the pipe is closed, then end the process."""
    with suppress(EOFError, OSError):
        lifeline.recv()
    if hasattr(signal, "pthread_kill"):  # a signal interrupts a system call
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGTERM)
    time.sleep(TERMINATION)
    os._exit(1)
