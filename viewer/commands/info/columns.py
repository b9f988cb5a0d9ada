"""Rows of text in aligned columns. Only the widths of the columns are stored, not the rows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TypeVar

from viewer.errors import printable

Element = TypeVar("Element")

CELL_LETTERS = 120
"""The largest number of characters in a cell. A longer name would widen all rows; `--json` prints it in
full.
"""
LAST_CELL_LETTERS = 1000
"""The largest number of characters in the last cell of a row. This cell may be longer, because it does not
widen other rows.
"""
INDENTED_LEVELS = 24
"""The largest number of indented levels. Deeper levels show their depth as a number."""


def section(
    title: str,
    heads: Sequence[str],
    elements: Collection[Element],
    row: Callable[[int, Element], Sequence[str]],
) -> Iterator[str]:
    """Yield a title with the number of elements, then the rows in aligned columns. Without elements, yield
    nothing.

    `row(number, element)` makes the cells of an element. It is called twice for each element: the rows are
    not stored, to save memory.
    """
    if not elements:
        return
    widths = [0] * len(heads)
    for number, element in enumerate(elements):
        for column, cell in enumerate(row(number, element)):
            widths[column] = max(widths[column], len(_cell(cell)))
    kept = [column for column, width in enumerate(widths) if width]
    widths = [max(width, len(head)) for width, head in zip(widths, heads, strict=True)]
    yield f"{title} {len(elements)}"
    yield _line(heads, kept, widths)
    for number, element in enumerate(elements):
        yield _line(row(number, element), kept, widths)


def _line(cells: Sequence[str], kept: Sequence[int], widths: Sequence[int]) -> str:
    """Format the cells of the columns `kept` as one line."""
    padded = [f"{_cell(cells[column]):<{widths[column]}}" for column in kept[:-1]]
    last = [_cell(cells[column], LAST_CELL_LETTERS) for column in kept[-1:]]
    return "  " + "  ".join((*padded, *last)).rstrip()


def _cell(text: str, most: int = CELL_LETTERS) -> str:
    """Format the text of a cell on one line, cut to `most` characters."""
    shown = printable(text[: most + 1])
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def indented(depth: int, text: str) -> str:
    """Indent a text by two spaces per level.

    Beyond `INDENTED_LEVELS`, write the depth as a number instead.
    """
    return (
        "  " * depth + text if depth <= INDENTED_LEVELS else f"{'  ' * INDENTED_LEVELS}(depth {depth}) {text}"
    )


def rounded(value: float | None) -> str:
    """Format a number with four significant digits."""
    return "not finite" if value is None else f"{value:.4g}"


def level_value(value: float | None) -> str:
    """Format the value at which a level of detail starts; numbers of pixels are written in full."""
    return rounded(value) if value is None or not 1e4 <= abs(value) < 1e15 else f"{value:.0f}"


def fixed(value: float | None) -> str:
    """Format a number with four decimals, which align in a column.

    A very large number gets four significant digits instead.
    """
    if value is None or abs(value) >= 1e5:
        return rounded(value)
    return f"{round(value, 4) + 0.0:.4f}"


def aligned(values: Sequence[float | None]) -> str:
    """Format several numbers, aligned in their column."""
    return " ".join(f"{fixed(value):>8}" for value in values)
