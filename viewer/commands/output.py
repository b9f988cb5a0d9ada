"""The output of the verbs: texts that may hold names from a file are made printable, one per line."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from viewer.errors import FormatError, printable

if TYPE_CHECKING:
    from viewer.scene.document import Document

DONE, UNREAD, USAGE = 0, 1, 2


class _Collected:
    """The lines that `say` collects; None while it prints them."""

    lines: list[str] | None = None


def print_lines(lines: Iterable[str]) -> None:
    """Print lines to the output as they are made."""
    sys.stdout.writelines(f"{printable(line)}\n" for line in lines)


def say(text: str) -> None:
    """Print one line to stderr."""
    if _Collected.lines is not None:
        _Collected.lines.append(printable(text))
        return
    print(printable(text), file=sys.stderr)


@contextmanager
def collected_lines() -> Iterator[list[str]]:
    """Inside the `with`, the lines of `say` are collected and not printed: a worker process sends them."""
    lines: list[str] = []
    before, _Collected.lines = _Collected.lines, lines
    try:
        yield lines
    finally:
        _Collected.lines = before


def outcome(documents: Iterable[Document]) -> int:
    """Print one line for each error met while reading, and return the exit status."""
    errors = list(dict.fromkeys(map(str, _errors(documents))))
    for error in errors:
        say(error)
    return UNREAD if errors else DONE


def _errors(documents: Iterable[Document]) -> Iterator[FormatError]:
    for document in documents:
        yield from document.report.errors
