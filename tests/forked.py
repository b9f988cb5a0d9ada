"""The program in a process that is forked from one with its modules imported: it starts in half the time."""

from __future__ import annotations

import os
import sys
from multiprocessing import get_context
from pathlib import Path

IMPORTED = [
    "viewer.commands.cli",
    "viewer.commands.window",
    "viewer.app.loop",
    "viewer.window.window",
    "tests.trace",
]


class ForkedProgram:
    """A process of the program with the words of a command line, or of `script` in its place.

    What it writes on stderr is in the file `errors`. Its windows log their state if the environment says so.
    """

    def __init__(self, words: list[str], environment: dict[str, str], errors: Path, script: str = "") -> None:
        context = get_context("forkserver")
        context.set_forkserver_preload(IMPORTED)
        self._errors = errors
        errors.touch()
        self._process = context.Process(target=_run, args=(words, environment, errors, script))
        self._process.start()

    @property
    def ended(self) -> bool:
        return self._process.exitcode is not None

    @property
    def errors(self) -> str:
        """What it has written on stderr."""
        return self._errors.read_text()

    def wait(self, seconds: float) -> int | None:
        """The exit status, or None if the program still runs after these seconds."""
        self._process.join(seconds)
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        assert self._process.pid is not None
        os.kill(self._process.pid, number)

    def kill(self) -> None:
        """End the process, and wait for its end."""
        self._process.kill()
        self._process.join()
        self._process.close()


def _run(words: list[str], environment: dict[str, str], errors: Path, script: str) -> None:
    for number, path in ((1, Path(os.devnull)), (2, errors)):
        file = os.open(path, os.O_WRONLY | os.O_APPEND)
        os.dup2(file, number)
        os.close(file)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["rigscope", *words]
    from tests import trace

    if path := environment.get(trace.VARIABLE):
        trace.install(path)
    if script:
        exec(compile(script, "script", "exec"), {"__name__": "__main__"})
        return
    from viewer.commands.cli import main

    sys.exit(main())
