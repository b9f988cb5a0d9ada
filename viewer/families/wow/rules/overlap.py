"""The rule for references of a WoW model that read the same bytes as different types.

References of the same type often share bytes: empty tables, equal keys, or a table inside a longer table.
Measured on clients' files: references of different types never share bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from viewer.arrays import Array
from viewer.check.check_context import CheckContext
from viewer.check.rule import Found, Rule, RulePart, error_found, unclaimed_found
from viewer.errors import FormatError, counted
from viewer.families.wow.rules.files import m2_files
from viewer.scene.finding import Severity

if TYPE_CHECKING:
    from viewer.families.wow.rules.files import M2Block

HEADER = -1


def overlaps(context: CheckContext) -> Iterator[Found]:
    """Report blocks in which references read the same bytes as different types. The text names the first
    pair, and the number of further pairs.
    """
    files = context.once(m2_files)
    for block in files.blocks if files is not None else ():
        pairs = list(_pairs(block))
        if not pairs:
            continue
        late, holder, shared = pairs[0]
        other = "the header" if holder == HEADER else block.name(holder)
        more = f", and {len(pairs) - 1} more such pairs" if len(pairs) > 1 else ""
        begin = block.base + int(block.ranges.begins[late])
        text = f"{block.name(late)} and {other} share {counted(shared, 'byte')} at 0x{begin:X}{more}"
        path = block.name(late).replace(".", "/")
        yield error_found(FormatError(text, path, begin, block.path))


def unclaimed(context: CheckContext) -> Iterator[Found]:
    """Report bytes of the blocks to which no reference leads."""
    files = context.once(m2_files) if context.document.report.complete else None
    for block in files.blocks if files is not None else ():
        yield from unclaimed_found(block.data, block.gaps, block.path)


def _pairs(block: M2Block) -> Iterator[tuple[int, int, int]]:
    """Yield three numbers for each overlap: the index of a range, the index of the earlier range that extends
    into it (or HEADER), and the number of shared bytes.
    """
    order, holders = _reached(block)
    ranges = block.ranges.chosen(order)
    before = np.where(holders == HEADER, block.head, ranges.ends[holders])
    for place in np.flatnonzero(ranges.begins < before).tolist():
        holder = int(holders[place])
        begin, end = int(ranges.begins[place]), min(int(ranges.ends[place]), int(before[place]))
        alike = holder != HEADER and ranges.sizes[place] == ranges.sizes[holder]
        if alike and (begin - int(ranges.begins[holder])) % int(ranges.sizes[place]) == 0:
            continue
        if any(block.data[block.base + begin : block.base + end]):
            yield int(order[place]), HEADER if holder == HEADER else int(order[holder]), end - begin


def _reached(block: M2Block) -> tuple[Array, Array]:
    """Sort the distinct ranges by begin. Return two arrays [N] in this order: the index of each range, and
    the position in this order of the earlier range that ends last (HEADER if the header ends later).
    """
    ranges = block.ranges
    order = np.lexsort((ranges.sizes, -ranges.ends, ranges.begins))
    keys = np.stack((ranges.begins[order], ranges.ends[order], ranges.sizes[order]))
    order = order[np.append(True, (np.diff(keys, axis=1) != 0).any(axis=0))] if len(order) else order
    ends = ranges.ends[order]
    furthest = np.maximum.accumulate(np.maximum(ends, block.head))
    places = np.where((ends == furthest) & (ends > block.head), np.arange(len(order)), HEADER)
    reached = np.maximum.accumulate(places)
    return order, np.append(HEADER, reached)[: len(order)]


RULES = (
    Rule(
        "m2/overlap",
        Severity.WARNING,
        "References read the same bytes as different types",
        overlaps,
        {"WoW": "The client does not check this: it reads bytes of one part as another part."},
        "Export the model again: a tool changed the length of a part without moving the parts after it.",
        "name and the header share 8 bytes at 0x130",
    ),
)
PARTS = (RulePart("bytes/unclaimed", unclaimed),)
