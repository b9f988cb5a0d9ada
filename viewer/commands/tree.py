"""`rigscope tree`: prints all spans of a file with name, type and value, as text or nested JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

from viewer.binary import Rows, Span, VariableRows
from viewer.binary.span import UNKNOWN
from viewer.commands.info.columns import INDENTED_LEVELS, indented
from viewer.commands.info.fact_table import finite, json_text
from viewer.commands.options.given_options import Values
from viewer.commands.output import outcome, print_lines
from viewer.commands.reading import context_of
from viewer.storage.documents import open_document

SHOWN = 8
VALUE_LETTERS = 80


def tree(paths: list[str], values: Values) -> int:
    """Print the tree of spans without storing the whole tree; return the exit status."""
    document = open_document(paths[0], context_of(values))
    depth = values.get("depth")
    if values.get("json"):
        sys.stdout.writelines(nested(document.root, depth))
        print()
    else:
        print_lines(text(document.root, depth))
    return outcome([document])


def text(root: Span, depth: int | None = None) -> Iterator[str]:
    """Yield a line for each span: offset, size, name, type, value and meaning.

    Bulk data of many equal rows are one line, unless `depth` includes the level of the rows.
    """
    digits = max(8, len(f"{root.end:X}"))
    width = max(4, len(str(root.size)))
    for level, span in _walk(root, depth):
        yield f"{span.offset:0{digits}X} {span.size:>{width}}  {indented(level, _label(span))}"


def _label(span: Span) -> str:
    mark = "? " if span.type == UNKNOWN else "! " if span.error else "~ " if span.warning else ""
    kind = span.type if span.type != span.name else ""
    value = "" if span.value is None else f"= {short(span.value)}"
    troubles = (span.warning and f"warning: {span.warning}", span.error and f"error: {span.error}")
    tail = "; ".join(part for part in (span.note, *troubles) if part)
    return mark + "  ".join(part for part in (span.name, kind, value, tail and f"· {tail}") if part)


def short(value: Any) -> str:
    """Format a value on one line: texts in quotes, long lists shortened."""
    if isinstance(value, str):
        quoted = json.dumps(value, ensure_ascii=False)
        return quoted if len(quoted) <= VALUE_LETTERS else quoted[:VALUE_LETTERS] + "…"
    if isinstance(value, bytes):
        return value[:SHOWN].hex(" ") + (" …" if len(value) > SHOWN else "")
    if isinstance(value, list | tuple):
        shown = " ".join(f"({short(item)})" if isinstance(item, list) else short(item) for item in value[:16])
        return shown + (" …" if len(value) > 16 else "")
    return f"{value:.7g}" if isinstance(value, float) else str(value)


def _walk(span: Span, depth: int | None, level: int = 0) -> Iterator[tuple[int, Span]]:
    yield level, span
    for child in _inside(span, depth, level):
        yield from _walk(child, depth, level + 1)


def _inside(span: Span, depth: int | None, level: int) -> Iterator[Span]:
    """The children to print: all children down to `depth`.

    If `depth` is None, all levels are printed, but the rows of bulk data are left out.
    """
    if depth is not None and level >= depth:
        return iter(())
    children = span.children
    alike = isinstance(children, Rows) and not isinstance(children, VariableRows)
    return iter(()) if depth is None and alike else iter(children)


def nested(root: Span, depth: int | None = None) -> Iterator[str]:
    """Yield the pieces of a JSON object, nested like the spans. `error` is null if the span could be read."""
    return _object(root, depth, 0)


def _object(span: Span, depth: int | None, level: int) -> Iterator[str]:
    fields = {
        "name": span.name,
        "offset": span.offset,
        "size": span.size,
        "type": span.type,
        "value": finite(span.value),
        "note": span.note,
        "error": span.error or None,
        "warning": span.warning or None,
        "target": span.target,
        "sources": list(span.sources),
    }
    yield json_text(fields)[:-1] + ', "children": ['
    comma = ""
    for child in _inside(span, depth, level):
        yield comma + "\n" + " " * min(level + 1, INDENTED_LEVELS)
        yield from _object(child, depth, level + 1)
        comma = ","
    yield "]}"
