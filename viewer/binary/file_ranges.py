"""Ranges of bytes of the files in a package, in any order."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from viewer.binary.cursor import NdArray
from viewer.binary.span import only_zeros

GAP, FILL, REMOVED = -1, -2, -3
"""Used instead of a file's number, for bytes that belong to no file: `GAP`, `FILL` if all of them are zeros,
or `REMOVED` if they belonged to a removed file.
"""


class FileExtents(NamedTuple):
    """The ranges of bytes of the files in a package. Range i is from `starts[i]` to `starts[i + 1]` and
    belongs to file `owners[i]`. If it belongs to no file, `owners[i]` is FILL, REMOVED or GAP.

    A byte that several files share belongs to the first of these files. `shared` is the number of files that
    share bytes with a file before them.
    """

    starts: NdArray
    owners: NdArray
    shared: int

    @property
    def unexplained(self) -> int:
        """Number of bytes outside all files, without zeros."""
        return int(np.diff(self.starts)[self.owners == GAP].sum())

    @property
    def removed(self) -> int:
        """Number of bytes that belonged to removed files."""
        return int(np.diff(self.starts)[self.owners == REMOVED].sum())


def tiles(begins: NdArray, ends: NdArray, start: int, end: int, data: bytes) -> FileExtents:
    """Return the ranges between two offsets of `data`. Files may be in any order and may overlap."""
    order = np.lexsort((-ends, begins))
    low, high = np.clip(begins[order], start, end), np.clip(ends[order], start, end)
    reached = np.maximum.accumulate(np.concatenate(([start], high)))
    first = np.maximum(low, reached[:-1])
    kept = first < high
    shared = int((high > low).sum() - kept.sum() + (kept & (begins[order] < first)).sum())
    order, first, high = order[kept], first[kept], high[kept]
    before = np.concatenate(([start], high))
    gaps = np.flatnonzero(np.concatenate((first, [end])) > before)
    starts, stops = np.concatenate((first, before[gaps])), np.append(first, end)[gaps]
    fills = [only_zeros(data, *each) for each in zip(before[gaps].tolist(), stops.tolist(), strict=True)]
    owners = np.concatenate((order, np.where(fills, FILL, GAP)))
    sequence = np.argsort(starts, kind="stable")
    return FileExtents(np.append(starts[sequence], end), owners[sequence], shared)


def with_removed(laid: FileExtents, begins: NdArray, ends: NdArray, data: bytes) -> FileExtents:
    """Return the ranges with the gaps split at the ranges [begin, end) of removed files, in any order: bytes
    of a gap in such a range are REMOVED.
    """
    edges = np.unique(np.concatenate((begins, ends)))
    edges = edges[(edges > laid.starts[0]) & (edges < laid.starts[-1])]
    edges = edges[laid.owners[np.searchsorted(laid.starts, edges, "right") - 1] == GAP]
    starts = np.union1d(laid.starts, edges)
    owners = laid.owners[np.searchsorted(laid.starts, starts[:-1], "right") - 1]
    begun, ended = (np.searchsorted(np.sort(each), starts[:-1], "right") for each in (begins, ends))
    owners = np.where((owners == GAP) & (begun > ended), REMOVED, owners)
    for place in np.flatnonzero(owners == GAP).tolist() if len(edges) else ():
        if only_zeros(data, int(starts[place]), int(starts[place + 1])):
            owners[place] = FILL
    return FileExtents(starts, owners, laid.shared)
