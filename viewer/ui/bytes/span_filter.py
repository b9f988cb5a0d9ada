"""Looking through all spans of a file, a few at a time: by name or value, or for what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from viewer.binary.span import UNKNOWN, Rows, Span
from viewer.dataclass import dataclass
from viewer.scene.document import Document
from viewer.ui.bytes.span_rows import path_to
from viewer.ui.kit.tree_rows import Path
from viewer.ui.value_text import parse_number, value_text

NdArray = np.ndarray[Any, Any]

PER_FRAME = 400
"""Spans that one frame looks at: a few milliseconds."""
BLOCK = 1 << 16
"""Rows of an array, likewise."""
PAUSE: Path = ()
"""Stands for no path: enough was done for one frame."""
MOST = 10_000
"""Hits that are kept."""


class Filter:
    """The paths of the spans whose name or value holds a text; `advance` once a frame until `done`.

    Rows of an array are not made: their numbers are compared all at once, the names of their fields found in
    the first row.
    """

    def __init__(self, root: Span, text: str) -> None:
        self.text = text
        self.hits: list[Path] = []
        self.done = False
        self._root = root
        self._wanted = text.strip().casefold()
        self._number = parse_number(text)
        self._steps = self._look([((0,), root)])

    @property
    def full(self) -> bool:
        """Whether it stopped because of too many hits."""
        return len(self.hits) >= MOST

    def advance(self, steps: int = PER_FRAME) -> None:
        """Look at some more spans."""
        for _ in range(steps):
            if self.done:
                return
            try:
                path = next(self._steps)
            except StopIteration:
                self.done = True
                return
            if path == PAUSE:
                return
            if path is not None:
                self.hits.append(path)
                self.done = self.full

    def _look(self, waiting: list[tuple[Path, Span]], rows: bool = True) -> Iterator[Path | None]:
        """The path of each span that fits, None for each other, PAUSE before much work.

        Not `rows`: by name alone, none of arrays.
        """
        while waiting:
            path, span = waiting.pop()
            yield path if self._fits(span, rows) else None
            children = span.children
            if not isinstance(children, Rows):
                waiting += [((*path, n), children[n]) for n in reversed(range(len(children)))]
            elif children.items is None:
                yield from self._one_by_one(path, children)
            elif len(children):
                inside = children[0].children
                yield from self._look(
                    [((*path, 0, n), inside[n]) for n in reversed(range(len(inside)))], False
                )
                yield from self._numbers(children)

    def _fits(self, span: Span, values: bool) -> bool:
        if self._wanted in span.name.casefold():
            return True
        return values and self._wanted in (span.error or value_text(span.value)).casefold()

    def _one_by_one(self, path: Path, rows: Rows) -> Iterator[Path | None]:
        for number in range(len(rows)):
            yield from self._look([((*path, number), rows[number])])

    def _numbers(self, rows: Rows) -> Iterator[Path | None]:
        """The innermost spans of the rows that hold the number."""
        if self._number is None:
            return
        value, distance = self._number
        for start in range(0, len(rows), BLOCK):
            yield PAUSE
            found = list(_places(rows.items[start : start + BLOCK], value, distance, 0, rows.stride))
            for offset in np.sort(np.concatenate(found)) if found else ():
                at = rows.offset + start * rows.stride + int(offset)
                yield path_to(self._root, at, at)


def _places(column: NdArray, value: float, distance: float, begin: int, stride: int) -> Iterator[NdArray]:
    """Where the numbers (or small arrays with one) near a value are: `begin`, plus `stride` for each item.

    `column` [N, ...] may be a structured array; each of its fields is looked through.
    """
    names = column.dtype.names or ()
    for name in names:
        offset = column.dtype.fields[name][1]
        yield from _places(column[name], value, distance, begin + offset, stride)
    if not names and column.dtype.kind in "uif":
        with np.errstate(invalid="ignore", over="ignore"):
            near = np.abs(column.reshape(len(column), -1).astype("f8") - value) <= distance
        yield np.flatnonzero(near.any(axis=1)) * stride + begin


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with `size` bytes at `offset` (0: a place, not a stretch). `error`: else a question."""

    offset: int
    size: int
    text: str
    error: bool
    path: Path = ()


class Problems:
    """Errors and bytes that no field claims, in file order; `advance` once a frame until `done`."""

    def __init__(self, document: Document) -> None:
        self.found: list[Problem] = []
        self.done = False
        self._document = document
        self._waiting: list[tuple[Path, Span]] = [((0,), document.root)]

    def advance(self, steps: int = PER_FRAME) -> None:
        """Look at some more spans; of rows only at those with something wrong."""
        while self._waiting and steps:
            path, span = self._waiting.pop()
            steps -= 1
            self._judge(path, span)
            children = span.children
            numbers = children.odd if isinstance(children, Rows) else range(len(children))
            self._waiting += [((*path, n), children[n]) for n in reversed(numbers)]
        if not self._waiting and not self.done:
            self.done = True
            self._add_reported()

    def _judge(self, path: Path, span: Span) -> None:
        """An error stands in all records around it too: only the innermost counts."""
        if span.error:
            around = [path[:length] for length in range(len(path))]
            self.found = [each for each in self.found if not (each.error and each.path in around)]
            self.found.append(Problem(span.offset, span.size, f"{span.name}: {span.error}", True, path))
        elif span.type == UNKNOWN and len(self.found) < MOST:
            text = f"{span.size} bytes that no field claims"
            self.found.append(Problem(span.offset, span.size, text, False, path))

    def _add_reported(self) -> None:
        """Errors that broke off the reading, exactly where; their records are not said twice."""
        document = self._document
        for error in document.report.errors:
            if error.file in ("", document.path):
                told = f": {error.why}"
                self.found = [each for each in self.found if not (each.error and each.text.endswith(told))]
                self.found.append(Problem(error.offset, 0, f"{error.path}: {error.why}", True))
        self.found.sort(key=lambda problem: (problem.offset, not problem.error))
