"""The places of a sample that are worth a mutation, found in its tree of spans."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from viewer.binary import Rows, Span

MOST_SPANS = 20_000
ROWS = 6
"""The rows of a long table that are looked at: the first, the last and some between."""


class Places(Struct, frozen=True):
    """Offsets and sizes: `numbers` are whole numbers, `counts` those that say how much follows or where it
    lies, `floats` single floats, `names` texts, `blocks` all spans that have parts or are a table.
    """

    numbers: tuple[tuple[int, int], ...] = ()
    counts: tuple[tuple[int, int], ...] = ()
    floats: tuple[tuple[int, int], ...] = ()
    names: tuple[tuple[int, int], ...] = ()
    blocks: tuple[tuple[int, int], ...] = ()


def places_of(root: Span) -> Places:
    """The places of a file with this tree."""
    found: dict[str, list[tuple[int, int]]] = {
        kind: [] for kind in ("numbers", "counts", "floats", "names", "blocks")
    }
    for number, span in enumerate(_spans(root)):
        if number >= MOST_SPANS:
            break
        if span.size:
            _sort(span, found)
    return Places(**{kind: tuple(each) for kind, each in found.items()})


def _sort(span: Span, found: dict[str, list[tuple[int, int]]]) -> None:
    """Put a span under its kinds."""
    if len(span.children):
        found["blocks"].append((span.offset, span.size))
    elif span.type.startswith(("f32", "f16", "f64")):
        size = int(span.type[1:3]) // 8
        found["floats"] += [(span.offset + at, size) for at in range(0, min(span.size, 64), size)]
    elif span.type.startswith("reference"):
        found["counts"] += [(span.offset, 4), (span.offset + 4, 4)]
    elif isinstance(span.value, str) and span.type in ("text", "line", "bytes"):
        found["names"].append((span.offset, span.size))
    elif span.type.startswith(("u", "i", "flags", "token", "encoded", "magic")):
        width = _width(span.type, span.size)
        found["numbers"] += [(span.offset + at, width) for at in range(0, min(span.size, 64), width)]
        if span.is_count or "count" in span.name or "size" in span.name or "offset" in span.name:
            found["counts"].append((span.offset, min(span.size, 8)))
    else:
        found["blocks"].append((span.offset, span.size))


def _width(type: str, size: int) -> int:
    """The bytes of one number of a span: `u16×4` has four of two."""
    digits = type.partition("×")[0][1:]
    if digits.isdecimal() and int(digits) % 8 == 0:
        return max(int(digits) // 8, 1)
    return 4 if size % 4 == 0 else 1


def _spans(span: Span) -> Iterator[Span]:
    """All spans, of long tables some rows."""
    yield span
    children = span.children
    if isinstance(children, Rows) and len(children) > ROWS:
        step = max(len(children) // ROWS, 1)
        children = [*children[0:1], *(children[at] for at in range(step, len(children), step)), children[-1]]
    for child in children:
        yield from _spans(child)
