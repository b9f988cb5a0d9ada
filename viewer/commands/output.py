"""What the verbs print: each text that may hold names from a file becomes printable, a line each."""

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
