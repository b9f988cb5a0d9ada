"""Streams facts as JSON: a list of a million facts is never in memory."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import islice
from typing import Any, Generic, TypeVar

import numpy as np

Facts = dict[str, Any]
Element = TypeVar("Element")

ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)
SHORT = 4096
"""Up to this number of elements the facts are a list, because they are read several times."""
UNPRINTABLE = re.compile("[\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
"""Characters that control a terminal or the writing direction, and that `json.dumps` does not escape."""


class FactTable(Sequence[Facts], Generic[Element]):
    """The facts of each element, computed at each access."""

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
    """The facts of each element: a list, or a `FactTable` of many elements."""
    table = FactTable(elements, describe)
    return table if len(table) > SHORT else list(table)


def finite(value: Any) -> Any:
    """The value with arrays as lists, bytes as hexadecimal text, and None for numbers that are not finite."""
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
    """The pieces of a JSON object; the facts of tables are computed one by one."""
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


def json_text(value: Any) -> str:
    """The value as JSON on one line; escapes control characters and direction marks."""
    text = ENCODER.encode(value)
    if text.isascii() and "\x7f" not in text:
        return text
    return UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
