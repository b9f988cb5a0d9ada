"""What the options of a command line say about reading."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from viewer.commands.options.given_options import Values
from viewer.commands.options.parser import UsageError

if TYPE_CHECKING:
    from viewer.scene.reading_context import ReadingContext

OPTIONS = ("max_size", "resources", "search", "listfile", "client", "archive_order")
READING = "reading"
"""The name under which the values of a verb have the options about reading."""


def take_reading(values: Values) -> None:
    """Move the options about reading into the value `READING`. UsageError for a path that does not exist."""
    given = {name: values.pop(name) for name in OPTIONS if name in values}
    _expect("--resources", given.get("resources", ()), "no such folder or file")
    if given.get("archive_order") and not os.path.isfile(given["archive_order"]):
        raise UsageError(f"--archive-order {given['archive_order']}: no such file")
    values[READING] = tuple(given.items())


def _expect(flag: str, paths: Sequence[str], why: str) -> None:
    for path in paths:
        if not os.path.exists(path):
            raise UsageError(f"{flag} {path}: {why}")


def context_of(values: Values) -> ReadingContext:
    """The context of reading that the values of a verb give."""
    # imported late, because an incomplete command line is refused without msgspec
    from viewer.scene.reading_context import reading_context

    return reading_context(**dict(values.get(READING, ())))
