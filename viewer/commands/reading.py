"""What the options of a command line say about reading."""

from __future__ import annotations

import os
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
    for path in given.get("resources", ()):
        if not os.path.exists(path):
            raise UsageError(f"--resources {path}: no such folder or file")
    order = given.get("archive_order")
    if order and not os.path.isfile(order):
        raise UsageError(f"--archive-order {order}: no such file")
    values[READING] = tuple(given.items())


def writing(values: Values, output: str) -> Values:
    """The values of a verb that writes the picture `output`, which is then no texture of its model. The
    values of a batch already have all its outputs.
    """
    given = {"outputs": (output,), **dict(values.get(READING, ()))}
    return {**values, READING: tuple(given.items())}


def context_of(values: Values) -> ReadingContext:
    """The context of reading that the values of a verb give."""
    # imported late, because an incomplete command line is refused without msgspec
    from viewer.scene.reading_context import reading_context

    return reading_context(**dict(values.get(READING, ())))
