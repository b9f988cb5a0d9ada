"""The output of the verbs: lines without control characters, even if a name in a file contains some."""

from __future__ import annotations

import math
import os
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple, TextIO

from viewer.commands.exit_status import DONE, UNREAD
from viewer.errors import FormatError, printable

if TYPE_CHECKING:
    from viewer.export.missing_lines import MissingLines
    from viewer.scene.document import Document


class Message(NamedTuple):
    """A line for stderr: a notice of the program, or an error that begins with the name of its file."""

    text: str
    is_notice: bool = False

    def __str__(self) -> str:
        return f"rigscope: {self.text}" if self.is_notice else self.text

    def about(self, path: str) -> str:
        """The line with the path of the file, for a batch of files."""
        line = line_about(path, self.text)
        return str(self) if line == self.text else line


def line_about(path: str, text: str) -> str:
    """A line about a file: the text, after the path of the file unless the text has it."""
    return text if os.path.normpath(path) in text else f"rigscope: {path}: {text}"


class _Collected:
    """The collected messages of a worker process; None if messages are printed."""

    messages: list[Message] | None = None


def print_lines(lines: Iterable[str]) -> None:
    """Print lines to stdout, each as soon as it is made."""
    sys.stdout.writelines(f"{printable(line)}\n" for line in lines)


def say(text: str) -> None:
    """Print one line to stderr."""
    _put(Message(printable(text)))


def notice(text: str) -> None:
    """Print one line to stderr, after the name of the program."""
    _put(Message(printable(text), is_notice=True))


def _put(message: Message) -> None:
    if _Collected.messages is not None:
        _Collected.messages.append(message)
    else:
        print(message, file=sys.stderr)


@contextmanager
def collected_messages() -> Iterator[list[Message]]:
    """Collect messages until the `with` ends, instead of printing them.

    A worker process returns its messages this way.
    """
    messages: list[Message] = []
    before, _Collected.messages = _Collected.messages, messages
    try:
        yield messages
    finally:
        _Collected.messages = before


def confirm(output: str) -> None:
    """Print the name of a written file to stderr, but only if stderr is a terminal."""
    if sys.stderr.isatty():
        notice(f"{output} written")


def replaced_line(output: str) -> str:
    """The notice that a file was replaced."""
    return f"{output}: an earlier file is replaced"


def outcome(documents: Iterable[Document]) -> int:
    """Print one line for each reading error; return the exit status."""
    errors = list(dict.fromkeys(map(str, _errors(documents))))
    for error in errors:
        say(error)
    return UNREAD if errors else DONE


def say_missing(path: str, missing: MissingLines, strict: bool | None) -> int:
    """Print what is missing for the model at `path`; return the exit status. See `MissingLines.fails`."""
    for line in missing.all:
        notice(f"{path}: {line}")
    return UNREAD if missing.fails(strict) else DONE


def _errors(documents: Iterable[Document]) -> Iterator[FormatError]:
    for document in documents:
        yield from document.report.errors


LIVELY, CALM = 0.1, 2.0
"""Seconds between two reports of progress: LIVELY on a terminal, where a report replaces the last one, and
CALM in a log.
"""


class Progress:
    """Reports the progress up to `total` steps of the unit `noun`.

    On a terminal, one line is rewritten; a log gets a line every 10 %. A command that ends quickly prints no
    progress. With `estimated`, the remaining time is printed too.
    """

    def __init__(
        self, total: int, stream: TextIO | None = None, noun: str = "frame", *, estimated: bool = False
    ) -> None:
        self._total = total
        self._begun = time.monotonic() if estimated else None
        self._noun = noun
        self._done = 0
        self._stream = stream or sys.stderr
        self._live = self._stream.isatty()
        self._said = time.monotonic()
        self._tenth = 0
        self._width = 0

    def step(self) -> None:
        """Count one step."""
        self.reach(self._done + 1)

    def reach(self, done: int) -> None:
        """Set the number of finished steps."""
        self._done = done
        now = time.monotonic()
        if now - self._said < (LIVELY if self._live else CALM):
            return
        tenth = self._done * 10 // self._total
        if self._live or tenth > self._tenth:
            self._said, self._tenth = now, tenth
            share = f"{self._noun} {self._done} of {self._total}, {self._done * 100 // self._total} %"
            self._say(share + self._left(now))

    def say(self, text: str) -> None:
        """Show a text about the work after the last step, on a terminal only."""
        if self._live:
            self._say(text)

    def clear(self) -> None:
        """Remove the line from the terminal."""
        if self._width:
            self._stream.write(f"\r{'':{self._width}}\r")
            self._stream.flush()
            self._width = 0

    def _left(self, now: float) -> str:
        """The estimated remaining time. Remaining steps are assumed to take as long as finished ones."""
        if self._begun is None or not 0 < self._done < self._total:
            return ""
        seconds = (now - self._begun) / self._done * (self._total - self._done)
        return f", {duration(seconds)} left"

    def _say(self, text: str) -> None:
        if self._live:
            self._stream.write(f"\r{text:{self._width}}")
            self._width = len(text)
        else:
            self._stream.write(f"rigscope: {text}\n")
        self._stream.flush()


def duration(seconds: float) -> str:
    """Format an estimated duration: `40 s`, `12 min` or `3 h 20 min`."""
    if seconds < 90:
        return f"{math.ceil(seconds)} s"
    hours, minutes = divmod(math.ceil(seconds / 60), 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"
