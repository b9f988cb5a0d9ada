"""The rule for the levels of BLP pictures."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from viewer.binary import Cursor, Span, Struct
from viewer.check.check_context import CheckContext
from viewer.check.rule import Found, Rule, reported
from viewer.errors import Topic
from viewer.families.wow.blp.layout import MIPS
from viewer.scene.finding import Severity


def levels(context: CheckContext) -> Iterator[Found]:
    """Report levels that lie outside the file or share bytes. If all levels are right, report the reader's
    messages about levels.
    """
    document = context.document
    found = []
    if document.format == "BLP picture" and document.report.complete:
        from viewer.families.wow.blp.load import (
            layout_of,  # imported late, because it loads the picture decoders
        )

        layout = layout_of(document.data)
        header = layout.read(Cursor(document.data))
        fields = layout.span("", header, 0, header.marks[-1])
        found = list(_misplaced(header, fields, len(document.data)))
    yield from found or reported(Topic.PICTURE)(context)


def _misplaced(header: Struct, fields: Span, size: int) -> Iterator[Found]:
    """Report levels at wrong offsets. The last level has one pixel; entries after it have no meaning and are
    ignored.
    """
    used = min(int(max(header.width, header.height)).bit_length(), MIPS)
    listed = zip(header.offsets[:used].tolist(), header.sizes[:used].tolist(), range(used), strict=True)
    ranges = sorted((at, at + size, number) for at, size, number in listed if at and size)
    where, first = fields.child("offsets").offset, fields.child("sizes").end
    for begin, end, number in ranges:
        if end > size:
            text = f"level {number} ends at 0x{end:X}, outside the file of {size} bytes"
            yield Found(text, offset=where + 4 * number)
        elif begin < first:
            yield Found(f"level {number} begins at 0x{begin:X}, inside the header", offset=where + 4 * number)
    pairs = [(before, after) for before, after in pairwise(ranges) if after[0] < before[1]]
    if pairs:
        (before, after), count = pairs[0], len({each[2] for pair in pairs for each in pair})
        more = f"; {count} levels share bytes with others" if count > 2 else ""
        shared = min(before[1], after[1]) - after[0]
        yield Found(f"levels {before[2]} and {after[2]} share {shared} bytes{more}", offset=after[0])


RULES = (
    Rule(
        "bytes/picture-level",
        Severity.WARNING,
        "A mip level of a picture cannot be read",
        levels,
        {"WoW": "The client shows unrelated bytes as the picture, shows nothing, or stops."},
        "Convert the picture again.",
        "levels 2 and 3 share 64 bytes",
        after="bytes/hidden-file",
    ),
)
