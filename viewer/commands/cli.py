"""The command line as the shell sees it: output in UTF-8, and an exit status.

At the top, this module imports only modules that Python itself has already loaded. Therefore `--version`
takes hardly longer than Python's own start.
"""

from __future__ import annotations

import atexit
import codecs
import io
import os
import sys

from viewer import __version__
from viewer.commands.exit_status import DONE, INTERRUPTED

TYPE_CHECKING = False
"""Replaces `typing.TYPE_CHECKING`. Importing `typing` would take two thirds of Python's start-up time."""
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

BLAS_THREADS = "OPENBLAS_NUM_THREADS"
"""The environment variable with the number of threads of numpy's linear algebra. numpy starts these threads
when it is imported. This takes a third of the import time, and this program's matrices are too small to need
threads.
"""
TASK = "task"
"""The name of the threads for background tasks."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line (None: the process's arguments) and return the exit status."""
    if argv is None:
        _open_streams()
    _use_utf8()
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        status = _print_version() if words[:1] == ["--version"] else _dispatch(words)
        sys.stdout.flush()
        if argv is None:
            _leave(status)
        return status
    except BrokenPipeError:
        return _end_closed_pipe()
    except KeyboardInterrupt:
        return INTERRUPTED if argv is not None else _end_at_once(INTERRUPTED)
    except OSError as error:
        return _cannot_write(error)


def _leave(status: int) -> None:
    """End the process at once, after the functions that modules registered for its end.

    Python itself would free each object first, which takes 12 ms. These functions are left out while a task
    is running, because they may wait for it. Return if other threads run for which Python waits.
    """
    threading = sys.modules.get("threading")
    threads = [] if threading is None else threading.enumerate()
    if all(each.name != TASK for each in threads):
        if sum(not each.daemon for each in threads) > 1:
            return
        atexit._run_exitfuncs()
        sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


class _Forgiving(io.FileIO):
    """The raw stream of stderr, which ignores failed writes. Failed writes do not change the exit status."""

    def write(self, data: Any, /) -> int:
        """Write the bytes, or drop them if writing fails."""
        try:
            return super().write(data)
        except OSError:
            return len(data)


def _open_streams() -> None:
    """Replace closed streams by the null device. Otherwise a file opened later would get the descriptor of a
    closed stream.

    Writing to a closed stdout then fails with an error. Texts for a closed stderr are dropped.
    """
    for number, flags in enumerate((os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, flags)  # `os.open` takes the lowest free descriptor, which is `number`
    if sys.stdout is None:
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(io.FileIO(1, "w", closefd=False)))
    if sys.stderr is None or sys.platform != "win32":  # on Windows, stderr of a console is no file
        raw = _Forgiving(2, "w", closefd=False)
        sys.stderr = io.TextIOWrapper(io.BufferedWriter(raw), line_buffering=True)


def _print_version() -> int:
    print(f"rigscope {__version__}")
    return DONE


def _dispatch(words: list[str]) -> int:
    os.environ.setdefault(BLAS_THREADS, "1")
    from viewer.commands.dispatch import run

    return run(words)


def _use_utf8() -> None:
    """Set the output to UTF-8 in every locale, file names included."""
    codecs.register_error("filename", _filename)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="filename")


def _filename(error: UnicodeError) -> tuple[str | bytes, int]:
    r"""Encode the part of a file name that Python could not decode. If its bytes are UTF-8, they stay as they
    are. Otherwise the part becomes text such as `\udcff`, as in JSON.
    """
    assert isinstance(error, UnicodeEncodeError)
    try:
        hidden = error.object[error.start : error.end].encode("utf-8", "surrogateescape")
        hidden.decode("utf-8")
    except UnicodeError:
        return codecs.backslashreplace_errors(error)
    return hidden, error.end


def _end_closed_pipe() -> int:
    """End without an error after the reader of the output pipe has closed it."""
    _discard_output()
    return DONE


def _cannot_write(error: OSError) -> int:
    """Print the write error and discard the rest of the output.

    A second error at exit would change the exit status.
    """
    from viewer.commands.dispatch import fail
    from viewer.commands.options.parser import UsageError

    try:
        sys.stdout.flush()
    except OSError:
        _discard_output()
    return fail(UsageError(f"{error.filename or 'output'}: {error.strerror or error}"))


def _end_at_once(status: int) -> int:
    """End the process with `status` at once.

    If Ctrl+C interrupts code that `exec` runs, Python's own exit would replace `status` by the status of
    SIGINT.
    """
    try:  # noqa: SIM105 (contextlib takes longer to import than the rest of this file)
        sys.stdout.flush()
    except (OSError, ValueError):
        pass
    os._exit(status)


def _discard_output() -> None:
    """Redirect the output to the null device. Otherwise Python's last flush could fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
