"""A batch: one task on many files. It tells a terminal or a window its progress, its failures and its end."""

from __future__ import annotations

from collections.abc import Iterator
from types import TracebackType
from typing import NamedTuple, Protocol

from viewer.errors import GraphicsError
from viewer.library.outcome import Outcome

DONE, FAILED, EXISTING = 0, 1, 2
"""The statuses of a batch, which are exit statuses of the command line: all files are done; a file failed,
was not read completely or misses a required part; an output exists and was not replaced.
"""


class Told(Protocol):
    """The terminal or the window that is told about a batch. Its errors end the batch.

    `origin` says what begins a batch again: the same command, or the same task.
    """

    origin: str

    def begin(self, done: int, total: int) -> None:
        """A batch of `total` files begins; `done` of them were done before."""

    def reach(self, done: int) -> None:
        """So many files are done."""

    def fail(self, failed: Outcome) -> None:
        """A file failed."""

    def remark(self, path: str, line: str) -> None:
        """A line about a file that is done."""

    def notice(self, line: str) -> None:
        """A line about the batch."""


class Ended(NamedTuple):
    """The end of a batch: a line about its output, lines about what is not done, and its status.

    `written` is the written file or folder. `replaced` says that it replaced a file.
    """

    line: str
    notices: tuple[str, ...]
    status: int
    written: str
    replaced: bool = False


class Batch:
    """Counts the files of a batch; `done` of `total` are done at the start. Running work ends with the
    `with`.
    """

    def __init__(self, told: Told, total: int, done: int = 0) -> None:
        self.failed = 0
        self._told, self._total, self._done = told, total, done
        self._running: Iterator[Outcome] = iter(())
        told.begin(done, total)

    def outcomes(self, outcomes: Iterator[Outcome], *, fails: bool = True) -> Iterator[Outcome]:
        """Yield and count the outcomes; if an error `fails` a file, tell it. GraphicsError if the first one
        reports that OpenGL cannot be used.
        """
        self._running, is_first = outcomes, True
        for outcome in outcomes:
            if isinstance(outcome.error, GraphicsError) and is_first:
                raise outcome.error
            if fails and outcome.error is not None:
                self.fail(outcome)
            yield outcome
            is_first = False
            self._done += 1
            self._told.reach(self._done)
        self._told.reach(self._done)  # a window that ended the outcomes early raises its error here

    def fail(self, failed: Outcome) -> None:
        """Count and tell a failure."""
        self.failed += 1
        self._told.fail(failed)

    def notices(self, incomplete: int = 0, total: int | None = None) -> tuple[str, ...]:
        """The lines about failures, and about `incomplete` of `total` files."""
        failed = f"{self.failed} of {self._total} files failed"
        of = self._total if total is None else total
        cut = f"{incomplete} of {of} files could not be read completely, or a required file is missing"
        return (*((failed,) if self.failed else ()), *((cut,) if incomplete else ()))

    def __enter__(self) -> Batch:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        close = getattr(self._running, "close", None)
        if close is not None:
            close()


def interrupted_line(done: int, total: int, participle: str = "done") -> str:
    """The line about a batch that was ended early."""
    return f"interrupted: {done} of {total} files are {participle}"
