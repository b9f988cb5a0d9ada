"""Rows of text in aligned columns, as the summaries have them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def section(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A title with the number of rows, and the rows in aligned columns; nothing where there are none."""
    if not rows:
        return
    kept = [column for column in range(len(heads)) if any(row[column] for row in rows)]
    table = [[line[column] for column in kept] for line in (heads, *rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    yield f"{title} {len(rows)}"
    for line in table:
        yield "  " + "  ".join(f"{cell:<{width}}" for cell, width in zip(line, widths, strict=True)).rstrip()


def number(value: float | None) -> str:
    """Four digits that count."""
    return "not finite" if value is None else f"{value:.4g}"


def fixed(value: float | None) -> str:
    """Four decimals, so that columns align, unless they would not tell."""
    if value is None or abs(value) >= 1e5:
        return number(value)
    return f"{round(value, 4) + 0.0:.4f}"


def numbers(values: Sequence[float | None]) -> str:
    """Several, below each other from row to row."""
    return " ".join(f"{fixed(value):>8}" for value in values)
