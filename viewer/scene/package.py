"""A package: a list of many files in one file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal
from zlib import crc32

import numpy as np
from msgspec import Struct

from viewer.arrays import Array
from viewer.errors import FormatError, printable
from viewer.scene.names import file_name

Digest = Callable[[bytes, int], int]
"""A function that continues a checksum: the arguments are the next bytes and the checksum so far (0 at the
start).
"""

UNCHECKED, GOOD, WRONG, BROKEN = range(4)
"""The verdicts about a file's checksum: not checked; right; wrong; the file cannot be unpacked."""
VERDICTS = ("not checked", "ok", "wrong", "broken")


PATCH = "patch"
"""How the folded name of a patch begins. The files of a patch replace files of other archives."""


class GameSource(Struct, frozen=True):
    """An archive or folder of a game: its `path`, its path `name` relative to the folder of the game, and why
    the game does not load it (empty if it does). If a folder is not `deep`, the files of its subfolders do
    not count.
    """

    path: str
    name: str
    kind: Literal["archive", "folder"] = "archive"
    why: str = ""
    deep: bool = True

    @property
    def loaded(self) -> bool:
        """Whether the game loads this source: `why` is empty."""
        return not self.why


class Package(Struct, frozen=True, eq=False):
    """A package of N files in directory order. If several files have the same name, the last file counts.

    `names` makes each name on demand. `offsets` and `packed` [N] i8 are the position and the size of each
    file in the package. `sizes` [N] i8 are the unpacked sizes, and `checksums` [N] u4 are the stored
    checksums. `read` yields the bytes of a file in pieces, or raises FormatError if the bytes are broken.
    `verify` reads a whole file and returns its verdict and the reason. `verdicts` [N] u1 are the verdicts so
    far. `checksum` is the stored checksum of all files together (None: the package has none). `sound` returns
    whether this checksum agrees with the checksums of the files. `start` is the package's offset in its file.
    `summed` [N] says which files have a checksum (None: all). A stored byte unpacks to at most `expansion`
    bytes.

    `flags` returns how a file is stored, such as `encrypted`; by default it returns nothing.

    The files of a game come from several `sources`; a later source hides the files of earlier sources.
    `providers` returns the sources that have a file. The file is read from the first of these sources, which
    hides the rest. `provided_by` [N] are the ranks of the sources from which the files are read; a source
    with a smaller rank hides the sources with larger ranks.
    """

    names: Sequence[str]
    offsets: Array
    sizes: Array
    packed: Array
    checksums: Array
    compressed: bool
    checksum: int | None
    sound: Callable[[], bool]
    start: int
    read: Callable[[int], Iterator[bytes]]
    digest: Digest
    verify: Callable[[int], tuple[int, FormatError | None]]
    verdicts: Array
    summed: Array | None = None
    expansion: int = 255
    sources: tuple[GameSource, ...] = ()
    providers: Callable[[int], tuple[GameSource, ...]] | None = None
    provided_by: Array | None = None
    flags: Callable[[int], tuple[str, ...]] = lambda number: ()

    def providers_of(self, number: int) -> tuple[GameSource, ...]:
        """The sources that have a file; empty if the package is a single file."""
        return () if self.providers is None else self.providers(number)

    def __len__(self) -> int:
        return len(self.sizes)

    @property
    def ignored_patches(self) -> tuple[GameSource, ...]:
        """The patches that the game does not load, although they were meant to replace files of other
        archives.
        """
        ignored = (each for each in self.sources if not each.loaded)
        return tuple(each for each in ignored if file_name(each.name).casefold().startswith(PATCH))

    def checksum_of(self, number: int) -> int | None:
        """The stored checksum of a file."""
        return int(self.checksums[number]) if self.summed is None or self.summed[number] else None

    def checksum_text(self, number: int) -> str:
        """The stored checksum of a file as hexadecimal digits; empty if there is none."""
        value = self.checksum_of(number)
        return "" if value is None else f"{value:08X}"

    def check(self) -> Iterator[tuple[int, FormatError | None]]:
        """Verify the unchecked files, one per step. Yield the number of the file and its error, which names
        the file (None: no error).
        """
        for number in np.flatnonzero(self.verdicts == UNCHECKED).tolist():
            self.verdicts[number], error = self.verify(number)
            if error is not None:
                error.why = f"{printable(self.names[number])}: {error.why}"
            yield number, error


def plain_package(
    names: Sequence[str], offsets: Array, sizes: Array, read: Callable[[int], Iterator[bytes]]
) -> Package:
    """A package of N files that are stored as they are, without checksums. `offsets` and `sizes` [N] are in
    bytes.
    """

    def verify(number: int) -> tuple[int, FormatError | None]:
        """Read a file, because there is no checksum to compare with."""
        try:
            for _ in read(number):
                pass
        except FormatError as error:
            return BROKEN, error
        return GOOD, None

    return Package(
        names=names,
        offsets=offsets,
        sizes=sizes,
        packed=sizes,
        checksums=np.zeros(len(names), np.uint32),
        compressed=False,
        checksum=None,
        sound=lambda: True,
        start=0,
        read=read,
        digest=lambda data, value: crc32(data, value),
        verify=verify,
        verdicts=np.zeros(len(names), np.uint8),
        summed=np.zeros(len(names), bool),
    )


def ratio(packed: int, size: int) -> float:
    """The ratio of packed to unpacked bytes; 1 for an empty file."""
    return packed / size if size else 1.0
