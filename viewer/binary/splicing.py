"""Replaces ranges of bytes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Splice(NamedTuple):
    """The bytes `raw` take the place of `size` bytes at `offset`."""

    offset: int
    size: int
    raw: bytes

    @property
    def growth(self) -> int:
        """By how many bytes the file grows; negative if it shrinks."""
        return len(self.raw) - self.size


def spliced(data: bytes, splices: Iterable[Splice]) -> bytes:
    """Apply splices that do not overlap. All offsets count in `data`."""
    pieces, at = list[bytes](), 0
    for each in sorted(splices):
        pieces += (data[at : each.offset], each.raw)
        at = each.offset + each.size
    return b"".join((*pieces, data[at:]))


def inverse(data: bytes, splices: Iterable[Splice]) -> tuple[Splice, ...]:
    """The splices that turn the spliced bytes back into `data`."""
    back, moved = list[Splice](), 0
    for each in sorted(splices):
        before = data[each.offset : each.offset + each.size]
        back.append(Splice(each.offset + moved, len(each.raw), before))
        moved += each.growth
    return tuple(back)
