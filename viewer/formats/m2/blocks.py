"""The data that the references of a model point at, in file order and each range of bytes once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

import numpy as np
from msgspec import Struct

from viewer.formats.m2.records import M2Records
from viewer.formats.m2.references import ReferenceGroup

SHARED_LISTED = 4
"""The number of other references to the same bytes that are named."""


class ReferencedBlock(Struct, frozen=True, eq=False):
    """The data of one reference; `others` point at the same bytes, `sources` are the offsets of all these
    references. Offsets count from the start of the file.
    """

    offset: int
    size: int
    group: ReferenceGroup
    index: int
    others: tuple[str, ...] = ()
    sources: tuple[int, ...] = ()

    @property
    def end(self) -> int:
        """The offset after the data."""
        return self.offset + self.size


class ReferencedBlocks(Sequence[ReferencedBlock]):
    """The blocks of all references of `groups`, made when indexed: a hostile file has one for each byte.

    Of references that overlap the bytes before them only the free bytes count; a reference without free bytes
    is one of the `others` of the block before it.
    """

    def __init__(self, records: M2Records, groups: Sequence[ReferenceGroup]) -> None:
        self._records, self._groups = records, groups
        owners = [np.full(len(each.offsets), number, np.int32) for number, each in enumerate(groups)]
        rows = [np.arange(len(each.offsets), dtype=np.int32) for each in groups]
        owner = np.concatenate([np.empty(0, np.int32), *owners])
        row = np.concatenate([np.empty(0, np.int32), *rows])
        begins = np.concatenate([np.empty(0, np.int64), *(each.offsets for each in groups)])
        ends = np.concatenate([np.empty(0, np.int64), *(each.ends for each in groups)])
        kept = np.flatnonzero((ends > begins) & (ends <= records.size))
        order = kept[np.lexsort((owner[kept], -ends[kept], begins[kept]))]
        begins, ends, self._owner, self._row = begins[order], ends[order], owner[order], row[order]
        first = np.int64(records.layout.dtype(records.generation).itemsize)
        before = np.maximum.accumulate(np.append(first, ends))[:-1]
        self._places = np.flatnonzero(ends > before)
        self._begins = np.maximum(begins, before)[self._places]
        self._ends = ends[self._places]

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, index: int) -> ReferencedBlock: ...
    @overload
    def __getitem__(self, index: slice) -> list[ReferencedBlock]: ...
    def __getitem__(self, index: int | slice) -> ReferencedBlock | list[ReferencedBlock]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        place, begin, base = int(self._places[index]), int(self._begins[index]), self._records.base
        behind = int(self._places[index + 1]) if index + 1 < len(self) else len(self._owner)
        shared = range(place + 1, min(behind, place + 2 + SHARED_LISTED))
        others = tuple(self._groups[self._owner[each]].who(int(self._row[each])) for each in shared)
        sources = [
            self._groups[self._owner[each]].sources[self._row[each] :][:1] for each in (place, *shared)
        ]
        return ReferencedBlock(
            base + begin,
            int(self._ends[index]) - begin,
            self._groups[self._owner[place]],
            int(self._row[place]),
            others,
            tuple(int(each) + base for found in sources for each in found),
        )

    def runs(self) -> list[tuple[int, int]]:
        """Ranges of neighbouring keys of one table, which are shown as one node; all other data have their
        own nodes.
        """
        names: dict[str, int] = {}
        sections = np.array([names.setdefault(each.section, len(names)) for each in self._groups], np.int32)
        keys = np.array([each.keys for each in self._groups], bool)
        owners = self._owner[self._places]
        section, key = sections[owners], keys[owners]
        together = key[1:] & key[:-1] & (section[1:] == section[:-1])
        starts = np.flatnonzero(np.append(True, ~together)) if len(owners) else owners
        return list(zip(starts.tolist(), [*starts[1:].tolist(), len(owners)], strict=False))

    def range(self, start: int, stop: int) -> tuple[int, int]:
        """The offset of block `start`, and the offset after block `stop` - 1."""
        base = self._records.base
        return base + int(self._begins[start]), base + int(self._ends[stop - 1])
