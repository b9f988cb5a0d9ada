"""Writes facts as JSON in pieces. A list of a million facts is never in memory as a whole."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Generic, TypeVar

import numpy as np

from viewer.scene.document import Document

Facts = dict[str, Any]
Element = TypeVar("Element")

ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)
SHORT = 4096
"""The largest number of elements whose facts are stored in a list. The facts of more elements are computed at
each reading, because a list would take too much memory.
"""
UNPRINTABLE = "[\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]"
"""Characters that control a terminal or the writing direction and that `json.dumps` does not escape."""


def error_facts(document: Document) -> list[Facts]:
    """The facts of the errors of a document. `file` is the file that an error is about."""
    errors = document.report.errors
    return [
        {"why": each.why, "path": each.path, "offset": each.offset, "file": each.file or document.path}
        for each in errors
    ]


class FactTable(Sequence[Facts], Generic[Element]):
    """The facts of many elements. They are computed again each time they are read."""

    def __init__(self, elements: Collection[Element], describe: Callable[[Element], Facts]) -> None:
        self._elements, self._describe = elements, describe

    def __len__(self) -> int:
        return len(self._elements)

    def __iter__(self) -> Iterator[Facts]:
        return (finite(self._describe(element)) for element in self._elements)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return list(islice(self, *index.indices(len(self))))
        row = index + len(self) if index < 0 else index
        if not 0 <= row < len(self):
            raise IndexError(index)
        return next(islice(self, row, None))


def fact_table(elements: Collection[Element], describe: Callable[[Element], Facts]) -> Sequence[Facts]:
    """Return the facts of each element: a list for few elements, a `FactTable` for many."""
    table = FactTable(elements, describe)
    return table if len(table) > SHORT else list(table)


def finite(value: Any) -> Any:
    """Convert arrays to lists, bytes to hexadecimal text, and numbers that are not finite to None."""
    if isinstance(value, dict):
        return {key: finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [finite(each) for each in value]
    if isinstance(value, np.ndarray):
        return value.tolist() if np.isfinite(value).all() else finite(value.tolist())
    if isinstance(value, np.generic):
        return finite(value.item())
    if isinstance(value, bytes):
        return value.hex(" ")
    return None if isinstance(value, float) and not math.isfinite(value) else value


def json_pieces(facts: Facts) -> Iterator[str]:
    """Yield the pieces of a JSON object. The facts of tables are computed one by one."""
    opening = "{"
    for key, value in facts.items():
        yield f"{opening}{json_text(key)}: "
        if isinstance(value, FactTable):
            yield "["
            for number, each in enumerate(value):
                yield f"{', ' if number else ''}{json_text(each)}"
            yield "]"
        else:
            yield json_text(value)
        opening = ", "
    yield "}"


def json_rows(rows: Iterable[Facts]) -> Iterator[str]:
    """Yield the elements of a JSON list, one line each."""
    line = ""
    for row in rows:
        if line:
            yield f"{line},"
        line = json_text(row)
    if line:
        yield line


def json_text(value: Any) -> str:
    """Encode a value as JSON on one line, with control characters and direction marks escaped."""
    text = ENCODER.encode(value)
    if text.isascii() and "\x7f" not in text:
        return text
    return re.sub(UNPRINTABLE, lambda found: f"\\u{ord(found[0]):04x}", text)
