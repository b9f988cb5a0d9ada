"""Ranges of bytes of the files in a package, in any order."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from viewer.binary.cursor import NdArray
from viewer.binary.span import only_zeros

GAP, FILL = -1, -2
"""Used instead of a file's number, for bytes that belong to no file: `GAP`, or `FILL` if all of them are
zeros.
"""


class FileExtents(NamedTuple):
    """The ranges of bytes of the files in a package. Range i is from `starts[i]` to `starts[i + 1]` and
    belongs to file `owners[i]`. If it belongs to no file, `owners[i]` is FILL for a range of zeros, else GAP.

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
