"""The output of the verbs: texts that may hold names from a file are made printable, one per line."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from viewer.errors import printable


def print_lines(lines: Iterable[str]) -> None:
    """Print lines to the output as they are made."""
    sys.stdout.writelines(f"{printable(line)}\n" for line in lines)


def say(text: str) -> None:
    """Print one line to stderr."""
    print(printable(text), file=sys.stderr)
