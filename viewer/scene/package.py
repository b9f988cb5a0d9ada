"""A package: many files in one, as a list that can be looked through and read from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from viewer.arrays import Array
from viewer.dataclass import dataclass
from viewer.errors import FormatError
from viewer.scene.names import printable

Digest = Callable[[bytes, int], int]
"""The checksum of bytes behind others, whose checksum is the second (0: of none)."""

JOINT = "::"
"""Between the path of a package and the name of a file in it, which together work as a path."""
UNCHECKED, GOOD, WRONG, BROKEN = range(4)
"""What is known of a file's bytes: nothing yet; they are what the checksum says; they are not; they cannot be
unpacked."""
VERDICTS = ("not checked", "ok", "wrong", "broken")


@dataclass(frozen=True, slots=True, eq=False)
class Package:
    """N files in the order of the directory; of two files of one name the later one counts.

    `names` are made when indexed. `offsets` and `packed` [N] i8 are where each lies in the package's own file
    and how many bytes it takes there, `sizes` [N] i8 how many it has, `checksums` [N] u4 those stated.
    `read` gives the bytes of a file in pieces, and raises FormatError where they are broken. `verify` reads
    all of a file: its verdict, and why. `verdicts` [N] u1 is filled by whoever verifies; `checksum` is of all
    files together, `sound` tells whether it follows from those of
    the files. `start` is where the package begins
    in its file.
    """

    names: Sequence[str]
    offsets: Array
    sizes: Array
    packed: Array
    checksums: Array
    compressed: bool
    checksum: int
    sound: Callable[[], bool]
    start: int
    read: Callable[[int], Iterator[bytes]]
    digest: Digest
    verify: Callable[[int], tuple[int, FormatError | None]]
    verdicts: Array

    def __len__(self) -> int:
        return len(self.sizes)

    def check(self) -> Iterator[tuple[int, FormatError | None]]:
        """Verify all files that are not yet, one with each step: its number, and what is wrong with it, by
        name."""
        for number in np.flatnonzero(self.verdicts == UNCHECKED).tolist():
            self.verdicts[number], error = self.verify(number)
            if error is not None:
                error.why = f"{printable(self.names[number])}: {error.why}"
            yield number, error


def ratio(packed: int, size: int) -> float:
    """Packed bytes to one unpacked; 1 for an empty file."""
    return packed / size if size else 1.0
