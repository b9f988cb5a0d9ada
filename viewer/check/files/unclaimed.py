"""The rule for bytes that belong to no field."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from viewer.binary.span import UNKNOWN, Rows, Span
from viewer.check.check_context import CheckContext
from viewer.check.files.reported import reported
from viewer.check.rule import MOST_ITEMS, Found, Rule
from viewer.errors import Topic, counted
from viewer.scene.finding import Severity
from viewer.scene.items import ByteItem

WALKED = ("AXP archive", "BLP picture", "Urho3D package", "Urho3D shader")
"""The formats whose trees are searched for bytes that belong to no field. Files of other formats have no
such bytes, or their readers report them.
"""


def unclaimed(context: CheckContext) -> Iterator[Found]:
    """Report bytes that belong to no field, except zeros, which are padding. Files with errors are
    skipped.
    """
    document = context.document
    if not document.report.complete:
        return
    yield from reported(Topic.UNCLAIMED)(context)
    if document.format in WALKED:
        gaps = [(span.offset, span.size) for span in _unknown(document.root)]
        yield from _summed(document.data, gaps, document.path)
    files = context.m2
    for block in files.blocks if files is not None else ():
        yield from _summed(block.data, block.gaps, block.path)


def _summed(data: bytes, gaps: Sequence[tuple[int, int]], file: str) -> Iterator[Found]:
    """Make a single finding of all `gaps` (offset, size) that contain bytes other than zero."""
    filled = [(at, size) for at, size in gaps if data.count(0, at, at + size) < size]
    if not filled:
        return
    places = f" in {len(filled)} places" if len(filled) > 1 else ""
    text = f"{counted(sum(size for _, size in filled), 'byte')}{places} belong to no field"
    yield Found(text, tuple(ByteItem(at) for at, _ in filled[:MOST_ITEMS]), file=file, offset=filled[0][0])


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
