"""The output of the verbs: texts that may hold names from a file are made printable, one per line."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from viewer.commands.exit_status import DONE, UNREAD
from viewer.errors import FormatError, printable

if TYPE_CHECKING:
    from viewer.scene.document import Document


class Message(NamedTuple):
    """A line for stderr: a notice of the program, or an error, whose text begins with its file."""

    text: str
    is_notice: bool = False

    def __str__(self) -> str:
        return f"rigscope: {self.text}" if self.is_notice else self.text

    def about(self, path: str) -> str:
        """The line where many files have messages: it names the file."""
        return str(self) if path in self.text else f"rigscope: {path}: {self.text}"


class _Collected:
    """The messages of a worker process; None where they are printed."""

    messages: list[Message] | None = None


def print_lines(lines: Iterable[str]) -> None:
    """Print lines to the output as they are made."""
    sys.stdout.writelines(f"{printable(line)}\n" for line in lines)


def say(text: str) -> None:
    """Print one line to stderr."""
    _put(Message(printable(text)))


def notice(text: str) -> None:
    """Print one line to stderr, with the name of the program in front."""
    _put(Message(printable(text), is_notice=True))


def _put(message: Message) -> None:
    if _Collected.messages is not None:
        _Collected.messages.append(message)
    else:
        print(message, file=sys.stderr)


@contextmanager
def collected_messages() -> Iterator[list[Message]]:
    """Inside the `with`, messages are collected and not printed: a worker process sends them."""
    messages: list[Message] = []
    before, _Collected.messages = _Collected.messages, messages
    try:
        yield messages
    finally:
        _Collected.messages = before


def replaced_line(output: str) -> str:
    """The notice about a replaced file."""
    return f"{output}: an earlier file is replaced"


def outcome(documents: Iterable[Document]) -> int:
    """Print one line for each error met while reading, and return the exit status."""
    errors = list(dict.fromkeys(map(str, _errors(documents))))
    for error in errors:
        say(error)
    return UNREAD if errors else DONE


def _errors(documents: Iterable[Document]) -> Iterator[FormatError]:
    for document in documents:
        yield from document.report.errors
