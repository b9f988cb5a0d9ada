"""What was counted, and the table of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

COLUMNS = ("executions", "refused", "pose", "textures", "draw", "bake", "export", "check", "diff", "findings")
HEADS = (
    "format",
    "executions",
    "refused",
    "posed",
    "textures",
    "drawn",
    "baked",
    "exported",
    "checked",
    "compared",
    "findings",
)
REFUSED_MOST = 0.05
"""The share of the executions that may end at the magic."""
Tally = dict[str, Counter[str]]
"""For each format the number of executions, of those refused, and of those that reached each stage."""


def add(total: Tally, more: Mapping[str, Mapping[str, int]]) -> None:
    """Add the numbers of another tally."""
    for format, counts in more.items():
        total.setdefault(format, Counter()).update(counts)


def summed(tally: Tally) -> Counter[str]:
    """The numbers of all formats together."""
    whole: Counter[str] = Counter()
    for counts in tally.values():
        whole.update(counts)
    return whole


def table(tally: Tally, seconds: float) -> Iterator[str]:
    """A line for each format, one for all, and the speed."""
    yield _line(HEADS)
    for format in sorted(tally):
        yield _line(_cells(format, tally[format]))
    whole = summed(tally)
    yield _line(_cells("all", whole))
    speed = whole["executions"] / seconds if seconds else 0.0
    yield f"{whole['executions']:,} executions in {seconds:,.0f} s, {speed:,.0f} a second"


def _cells(format: str, counts: Counter[str]) -> tuple[str, ...]:
    share = counts["refused"] / max(counts["executions"], 1)
    numbers = (f"{counts[name]:,}" for name in COLUMNS[2:])
    return (format, f"{counts['executions']:,}", f"{share:.1%}", *numbers)


def _line(cells: tuple[str, ...]) -> str:
    return f"{cells[0]:<9}" + "".join(f"{cell:>11}" for cell in cells[1:])
