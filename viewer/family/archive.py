"""Archives of a family: how their files are listed and read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from viewer.arrays import Array
    from viewer.scene.reading_context import ReadingContext

Bytes = bytes | memoryview
Fetch = Callable[[int, int], Bytes]
"""A function that returns the bytes at an offset of a file: `size` bytes, or fewer at the file's end."""


class ArchiveFiles(Protocol):
    """The N files of an archive, by number."""

    @property
    def names(self) -> Sequence[str]:
        """[N]: the names of the files as users see them."""

    @property
    def sizes(self) -> Array:
        """The unpacked sizes [N] in bytes."""

    def read(self, number: int, fetch: Fetch, /) -> Iterator[bytes]:
        """Yield the bytes of a file in pieces. FormatError after the last good piece of a broken file."""


class HashedFiles(ArchiveFiles, Protocol):
    """The files of an archive that finds files by the hashes of their names. Names may be unknown."""

    def number(self, name: str, /) -> int | None:
        """Return the number of the file with this name, listed or not."""

    @property
    def names_missing(self) -> bool:
        """Whether the name of a file is unknown."""

    def learn(self, names: Iterable[str], /) -> bool:
        """Test whether these names belong to files without a known name; return whether at least one does."""

    @property
    def deleted(self) -> int:
        """The number of deletion markers, which hide files of earlier archives."""

    def is_deleted(self, name: str, /) -> bool:
        """Whether the archive has a deletion marker for a name."""


class ArchiveFormat(NamedTuple):
    """A format of archives. `probe` tests a file by its path, its bytes and its size; it reads as little as
    possible. `open` reads the list of files, as the user chose; it returns None or raises FormatError for
    a file of another format. Both read bytes by a `Fetch`, at any time.

    `hashed`: the opened files are `HashedFiles`. `by_base_name`: the program of the archive finds files by
    their base names, in any folder.
    """

    probe: Callable[[str, Fetch, int], bool]
    open: Callable[[Fetch, int, ReadingContext], ArchiveFiles | None]
    hashed: bool = False
    by_base_name: bool = False
