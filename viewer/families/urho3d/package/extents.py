"""Find the packed size of each file in a package by walking the blocks of all files together."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from viewer.binary.cursor import NdArray
from viewer.errors import FormatError
from viewer.families.urho3d.package.files import HEADS, PackageFiles
from viewer.families.urho3d.package.layout import BLOCK
from viewer.family.archive import Bytes

FEW = 24
"""If fewer files than this are left, it is faster to walk the files one by one."""
FREE_BLOCKS = 1 << 12
BYTES_PER_BLOCK = 64
"""The limit of the number of blocks in a package: `FREE_BLOCKS`, plus one for each file, plus one for each
`BYTES_PER_BLOCK` bytes. No valid package comes near this limit.
"""


class Extents(NamedTuple):
    """The ends of N files. `broken` [N] is True for each broken file. `ends` [N] i64 is the offset after each
    file; for a broken file, the offset after its readable part. `left` [N] is the number of missing bytes of
    each broken file.
    """

    ends: NdArray
    broken: NdArray
    left: NdArray


def extents(files: PackageFiles, data: Bytes) -> Extents:
    """Return the ends of all files of a package. `data` are the bytes of the package."""
    sizes = files.directory.items["size"].astype(np.int64)
    if not files.compressed:
        claimed = files.offsets + sizes
        ends = np.maximum(np.minimum(claimed, files.end), files.offsets)
        return Extents(ends, claimed > files.end, claimed - ends)
    walk = _BlockWalk(files, data, sizes)
    walk.together()
    walk.rest()
    return Extents(walk.at, walk.broken, walk.left)


class _BlockWalk:
    """A walk over the blocks of N files. `at` [N] is the offset of the next block of each file. `left` [N] is
    the number of bytes of each file that the walked blocks do not have.
    """

    def __init__(self, files: PackageFiles, data: Bytes, sizes: NdArray) -> None:
        self._raw = np.frombuffer(data, np.uint8)
        self._end = files.end
        self._budget = FREE_BLOCKS + len(files.directory) + files.end // BYTES_PER_BLOCK
        self.at, self.left = files.offsets.copy(), sizes
        self.broken = np.zeros(len(sizes), np.bool_)
        self._going = np.flatnonzero(sizes)

    def together(self) -> None:
        """Walk all files in parallel, one block of each at a time, while many files are left."""
        going = self._going
        while len(going) >= FEW and self._budget > 0:
            self._budget -= len(going)
            here = self.at[going]
            whole = here + HEADS.size <= self._end
            self.broken[going[~whole]] = True
            going, here = going[whole], here[whole]
            heads = self._raw[here[:, None] + np.arange(HEADS.size)].view(BLOCK).reshape(len(going))
            unpacked, behind = heads["unpacked"], here + HEADS.size + heads["packed"]
            good = (unpacked > 0) & (unpacked <= self.left[going]) & (behind <= self._end)
            self.broken[going[~good]] = True
            going = going[good]
            self.at[going] = behind[good]
            self.left[going] -= unpacked[good]
            going = going[self.left[going] > 0]
        self._going = going

    def rest(self) -> None:
        """Walk the blocks of the remaining files, file by file."""
        for number in self._going.tolist():
            at, left = int(self.at[number]), int(self.left[number])
            while left and not self.broken[number]:
                self._budget -= 1
                head = self._raw[at : at + HEADS.size].tobytes()
                unpacked, packed = HEADS.unpack(head) if len(head) == HEADS.size else (0, 0)
                behind = at + HEADS.size + packed
                if self._budget < 0 or not 0 < unpacked <= left or behind > self._end:
                    self.broken[number] = True
                else:
                    at, left = behind, left - unpacked
            self.at[number], self.left[number] = at, left


def complaint(files: PackageFiles, extents: Extents, number: int, data: Bytes) -> FormatError:
    """Return the error of a broken file, with the offset at which the file breaks."""
    at, left, view = int(extents.ends[number]), int(extents.left[number]), memoryview(data)
    error = FormatError("the package has more blocks than its size allows", "", at)
    try:
        if files.compressed:
            files.block(at, left, lambda at, size: view[at : at + size])
        else:
            next(files.read(number, lambda at, size: view[at : at + size]))
    except FormatError as met:
        error = met
    return error if error.path else error.inside(f"entries[{number}]")
