"""Searches the spans of a file for a text or for problems, a few spans per frame."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from msgspec import Struct

from viewer.binary.span import UNKNOWN, Rows, Span
from viewer.scene.document import Document
from viewer.scene.text_filter import TextFilter
from viewer.ui.bytes.span_rows import path_to
from viewer.ui.kit.texts import parse_number, value_text
from viewer.ui.kit.tree_rows import Path

NdArray = np.ndarray[Any, Any]

PER_FRAME = 400
"""The number of spans searched per frame, which takes a few milliseconds."""
BLOCK = 1 << 16
"""The number of array rows searched per frame."""
PAUSE: Path = ()
"""The value that the search yields to end the step of this frame."""
KEPT_HITS = 10_000
"""The number of hits at which a search stops."""


class Filter:
    """A search for spans whose name or value contains each word of a filter. Call `advance` once a frame
    until `done`.

    `hits` are the paths found so far. In an array, all numbers are compared with the text of the filter in
    one operation, and the field names are taken from the first row. Therefore no span is created for each
    row.
    """

    def __init__(self, root: Span, wanted: TextFilter) -> None:
        self.hits: list[Path] = []
        self.done = False
        self._root = root
        self._wanted = wanted
        self._number = parse_number(wanted.text)
        self._steps = self._search([((0,), root)])

    @property
    def full(self) -> bool:
        """Whether the search stopped at the largest number of hits."""
        return len(self.hits) >= KEPT_HITS

    def advance(self, steps: int = PER_FRAME) -> None:
        """Search the next `steps` spans, or the next block of array rows."""
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

    def _search(self, waiting: list[tuple[Path, Span]], rows: bool = True) -> Iterator[Path | None]:
        """Yield the path of each matching span, None for each other span, and PAUSE before a long operation.

        Without `rows`, only names are compared; the values of array rows are left to `_numbers`.
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
                yield from self._search(
                    [((*path, 0, n), inside[n]) for n in reversed(range(len(inside)))], False
                )
                yield from self._numbers(children)

    def _fits(self, span: Span, values: bool) -> bool:
        return self._wanted.fits(span.name, (span.error or value_text(span.value)) if values else "")

    def _one_by_one(self, path: Path, rows: Rows) -> Iterator[Path | None]:
        for number in range(len(rows)):
            yield from self._search([((*path, number), rows[number])])

    def _numbers(self, rows: Rows) -> Iterator[Path | None]:
        """Yield the path of each field in array rows that equals the number. Yield PAUSE after each block."""
        if self._number is None:
            return
        value, distance = self._number
        for start in range(0, len(rows), BLOCK):
            yield PAUSE
            found = list(
                _matching_offsets(rows.items[start : start + BLOCK], value, distance, 0, rows.stride)
            )
            for offset in np.sort(np.concatenate(found)) if found else ():
                at = rows.offset + start * rows.stride + int(offset)
                yield path_to(self._root, at, at)


def _matching_offsets(
    column: NdArray, value: float, distance: float, begin: int, stride: int
) -> Iterator[NdArray]:
    """Yield the offset of each item that has a number within `distance` of `value`.

    An item is a number or a small array; item i of the column lies at `begin` + i × `stride`. `column` [N,
    ...] may be a structured array: then each field is searched as a column of its own.
    """
    names = column.dtype.names or ()
    for name in names:
        offset = column.dtype.fields[name][1]
        yield from _matching_offsets(column[name], value, distance, begin + offset, stride)
    if not names and column.dtype.kind in "uif":
        near = np.abs(column.reshape(len(column), -1).astype("f8") - value) <= distance
        yield np.flatnonzero(near.any(axis=1)) * stride + begin


class Problem(Struct, frozen=True):
    """A problem in the `size` bytes at `offset`. If `size` is 0, only the offset is known.

    `error` is False for bytes that belong to no field. `path` is the path of the span, empty for an error of
    the report.
    """

    offset: int
    size: int
    text: str
    error: bool
    path: Path = ()


class Problems:
    """The errors and the bytes that belong to no field, in file order.

    Call `advance` once a frame until `done`.
    """

    def __init__(self, document: Document) -> None:
        self.found: list[Problem] = []
        self.done = False
        self._document = document
        self._waiting: list[tuple[Path, Span]] = [((0,), document.root)]

    def advance(self, steps: int = PER_FRAME) -> None:
        """Search the next `steps` spans. Array rows without a problem are skipped."""
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
        """Add the problem of a span, if the span has one.

        All spans around an error repeat the error; only the innermost of these spans is kept.
        """
        if span.error:
            around = [path[:length] for length in range(len(path))]
            self.found = [each for each in self.found if not (each.error and each.path in around)]
            self.found.append(Problem(span.offset, span.size, f"{span.name}: {span.error}", True, path))
        elif span.type == UNKNOWN and len(self.found) < KEPT_HITS:
            text = f"{span.size} bytes that belong to no field"
            self.found.append(Problem(span.offset, span.size, text, False, path))

    def _add_reported(self) -> None:
        """Add the errors of the report at their exact offsets.

        They replace the same errors found in spans.
        """
        document = self._document
        for error in document.report.errors:
            if error.file in ("", document.path):
                ending = f": {error.why}"
                self.found = [each for each in self.found if not (each.error and each.text.endswith(ending))]
                self.found.append(Problem(error.offset, 0, f"{error.path}: {error.why}", True))
        self.found.sort(key=lambda problem: (problem.offset, not problem.error))
