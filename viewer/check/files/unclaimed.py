"""The rule for bytes that belong to no field."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from viewer.binary.span import UNKNOWN, Rows, Span
from viewer.check.check_context import CheckContext
from viewer.check.rule import Found, Rule, reported, unclaimed_found
from viewer.errors import Topic
from viewer.family import registry
from viewer.scene.finding import Severity


def unclaimed(context: CheckContext) -> Iterator[Found]:
    """Report bytes that belong to no field, except zeros, which are padding. Files with errors are
    skipped.
    """
    document = context.document
    if not document.report.complete:
        return
    yield from reported(Topic.UNCLAIMED)(context)
    format = registry.format_named(document.format)
    if format is not None and format.gaps:
        gaps = [(span.offset, span.size) for span in _unknown(document.root)]
        yield from unclaimed_found(document.data, gaps, document.path)


def _unknown(span: Span) -> Iterator[Span]:
    """Yield the unknown spans inside a span. In a table, only the rows in its `odd` are searched."""
    if span.type == UNKNOWN:
        yield span
        return
    children = span.passing_children
    rows: Sequence[Span] = (
        [children[number] for number in children.odd] if isinstance(children, Rows) else children
    )
    for each in rows:
        yield from _unknown(each)


RULES = (
    Rule(
        "bytes/unclaimed",
        Severity.NOTE,
        "Some bytes of the file belong to no field",
        unclaimed,
        {"": "The engine does not read these bytes: they only take space."},
        "Nothing has to be done, unless a part of the file is missing: then its count or its offset is "
        "wrong.",
        "480 bytes in 5 places belong to no field",
    ),
)
