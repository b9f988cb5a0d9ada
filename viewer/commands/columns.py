"""Rows of text in aligned columns, for the summaries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def section(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A title with the number of rows, then the rows in aligned columns; empty if there are no rows."""
    if not rows:
        return
    kept = [column for column in range(len(heads)) if any(row[column] for row in rows)]
    table = [[line[column] for column in kept] for line in (heads, *rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    yield f"{title} {len(rows)}"
    for line in table:
        yield "  " + "  ".join(f"{cell:<{width}}" for cell, width in zip(line, widths, strict=True)).rstrip()


def number(value: float | None) -> str:
    """A number with four significant digits."""
    return "not finite" if value is None else f"{value:.4g}"


def fixed(value: float | None) -> str:
    """A number with four decimals, so that columns align, or four significant digits if it is too small for
    that."""
    if value is None or abs(value) >= 1e5:
        return number(value)
    return f"{round(value, 4) + 0.0:.4f}"


def numbers(values: Sequence[float | None]) -> str:
    """Several numbers, aligned with the rows above and below."""
    return " ".join(f"{fixed(value):>8}" for value in values)
